internal import SystemCalls

extension SystemError {
    /// Turns a negative result of sd-bus into an error; `what` is the failed action: `connect to the session bus`.
    @discardableResult
    static func check(_ result: Int32, _ what: @autoclosure () -> String) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(code: -result, call: what()) }
        return result
    }
}

/// The error reply to a method call, with its message.
public enum BusFault: Error, Equatable {
    case failed(String)
    case invalidArguments(String)
    case notSupported(String)
    case accessDenied(String)
    case readOnly(String)
    case unknownInterface(String)
    case unknownMethod(String)
    case unknownProperty(String)

    /// D-Bus's name of the error, and the message.
    public var texts: (name: String, message: String) {
        let (name, message) =
            switch self {
            case .failed(let text): ("Failed", text)
            case .invalidArguments(let text): ("InvalidArgs", text)
            case .notSupported(let text): ("NotSupported", text)
            case .accessDenied(let text): ("AccessDenied", text)
            case .readOnly(let text): ("PropertyReadOnly", text)
            case .unknownInterface(let text): ("UnknownInterface", text)
            case .unknownMethod(let text): ("UnknownMethod", text)
            case .unknownProperty(let text): ("UnknownProperty", text)
            }
        return ("org.freedesktop.DBus.Error.\(name)", message)
    }
}
