internal import SystemCalls

extension SystemError {
    /// Turns a negative result of sd-bus into an error; `what` is the failed action: `connect to the session bus`.
    @discardableResult
    static func check(_ result: Int32, _ what: @autoclosure () -> String) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(code: -result, call: what()) }
        return result
    }
}

/// The error reply to a method call.
public struct BusFault: Error, Equatable {
    /// A D-Bus error name: `org.freedesktop.DBus.Error.Failed`.
    public var name: String
    var message: String

    init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    public static func failed(_ message: String) -> BusFault { standard("Failed", message) }
    public static func invalidArguments(_ message: String) -> BusFault { standard("InvalidArgs", message) }
    public static func notSupported(_ message: String) -> BusFault { standard("NotSupported", message) }
    public static func accessDenied(_ message: String) -> BusFault { standard("AccessDenied", message) }
    public static func readOnly(_ message: String) -> BusFault { standard("PropertyReadOnly", message) }
    public static func unknownInterface(_ message: String) -> BusFault { standard("UnknownInterface", message) }
    public static func unknownMethod(_ message: String) -> BusFault { standard("UnknownMethod", message) }
    public static func unknownProperty(_ message: String) -> BusFault { standard("UnknownProperty", message) }

    private static func standard(_ name: String, _ message: String) -> BusFault {
        BusFault("org.freedesktop.DBus.Error.\(name)", message)
    }
}
