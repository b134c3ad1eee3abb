internal import CLinux
internal import Glibc

/// A failed system call: its name and the error number.
///
/// This is the only place that converts a return code to a Swift error; callers never use `errno`.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// As in errno(3).
    public let code: Int32
    /// The failed call, with its object: `open /var/lib/podcastd`.
    let call: String
    /// The Debian package to install, if the call was for a missing program or library that podcastd does not need.
    public private(set) var missingPackage: String?

    /// For an error number that does not come from `errno`.
    public init(code: Int32, call: String, missingPackage: String? = nil) {
        self.code = code
        self.call = call
        self.missingPackage = missingPackage
    }

    /// The error that the calling thread's last failed call left in `errno`.
    public static func last(_ call: String) -> SystemError { SystemError(code: errno, call: call) }

    /// The error of a call that starts a program, or looks for it.
    static func last(_ call: String, program: String) -> SystemError {
        var error = last(call)
        if error.code == ENOENT { error.missingPackage = package(of: program.split(separator: "/").last ?? "") }
        return error
    }

    public var reason: String { unsafe shim_error_text(code).map { unsafe String(cString: $0) } ?? "error \(code)" }

    private static func package(of program: Substring) -> String? {
        switch program {
        case "podcast-decode-av": "podcastd-codecs"
        case "podcast-tui": "podcastd-tui"
        case "podcast-mcp", "podcast-output", "podcast-sync", "podcast-web": "podcastd-web"
        case "podcast-mpd", "podcast-mpris", "podcast-snapcast": "podcastd-clients"
        default: nil
        }
    }

    /// `open /var/lib/podcastd: Permission denied`.
    public var description: String { "\(call): \(reason)" + (missingPackage.map { "; install \($0)" } ?? "") }
}

/// Repeats a call that a signal interrupted, and turns `-1` into an error.
/// - Parameter call: the name used in the error; evaluated on failure only.
/// - Returns: the call's result, never negative.
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
