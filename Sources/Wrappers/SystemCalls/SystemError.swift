internal import CLinux
internal import Glibc

/// A system call that failed: its name and the error number it left.
///
/// A return code becomes a Swift error exactly once, here; callers never look at `errno`.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error number, as in errno(3).
    public let code: Int32
    /// The call that failed, with what it was about: `open /var/lib/podcastd`.
    public let call: String

    /// An error with a given number, for callers that learn it by another way than `errno`.
    public init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// The error that the calling thread's last failed call left in `errno`.
    public static func last(_ call: String) -> SystemError {
        SystemError(code: errno, call: call)
    }

    /// The system's own words for the error number.
    public var reason: String {
        unsafe shim_error_text(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    /// Both in one line: `open /var/lib/podcastd: Permission denied`.
    public var description: String { "\(call): \(reason)" }
}

/// Repeats a call that a signal interrupted, and turns `-1` into an error.
///
/// - Parameters:
///   - call: the name used in the error; evaluated on failure only.
///   - body: the system call.
/// - Returns: what the call returned, never negative.
/// - Throws: `SystemError` with the call's error number.
@discardableResult
public func retrying<Result: SignedInteger>(
    _ call: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        if errno != EINTR { throw SystemError.last(call()) }
    }
}
