/// Exit statuses of the programs: sysexits.h(3head).
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Success.
    case success = 0
    /// Invalid command line.
    case usage = 64
    /// Invalid input, such as a file that is not a feed or not JSON.
    case badData = 65
    /// An input does not exist or cannot be read.
    case noInput = 66
    /// A service is not available, such as a daemon that is not running.
    case unavailable = 69
    /// A bug in the program.
    case software = 70
    /// An output cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case ioError = 74
    /// A temporary failure; the same call may succeed later.
    case tryAgain = 75
    /// The other side violated the protocol.
    case protocolFault = 76
    /// Permission denied.
    case noPermission = 77
    /// Invalid configuration.
    case configuration = 78

    /// Description for manuals.
    public var meaning: String {
        switch self {
        case .success: "Done."
        case .usage: "The command line was wrong."
        case .badData: "The input was wrong."
        case .noInput: "Something named was not found."
        case .unavailable: "A service is not there: the daemon does not run."
        case .software: "A fault of the program itself."
        case .cannotCreate: "An output could not be made."
        case .ioError: "Reading or writing failed."
        case .tryAgain: "Failed for now; the same call may work later."
        case .protocolFault: "The other side broke the protocol."
        case .noPermission: "Not permitted."
        case .configuration: "The configuration is wrong."
        }
    }
}

/// Why a program exits without having done its task: a message for stderr, and the exit status.
public struct ToolFailure: Error, Equatable, Sendable {
    /// The exit status.
    public var status: ExitStatus
    /// The error, in one line without the program's name.
    public var message: String
    /// What to do about it, in one line.
    public var hint: String?

    /// Creates a failure.
    public init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }
}
