/// How a program ends: sysexits.h(3head).
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done.
    case success = 0
    /// The command line was wrong.
    case usage = 64
    /// The input was wrong: no feed, no JSON.
    case badData = 65
    /// An input did not exist or could not be read.
    case noInput = 66
    /// A service is not there, such as a daemon that does not run.
    case unavailable = 69
    /// A fault of the program itself.
    case software = 70
    /// An output could not be made.
    case cannotCreate = 73
    /// Reading or writing failed on the way.
    case ioError = 74
    /// Not now; the same call may work later.
    case tryAgain = 75
    /// The other side broke the protocol.
    case protocolFault = 76
    /// Not permitted.
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78

    /// What it means, for manuals.
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

/// Why a program ends without having done its work: what to print on stderr and with which status to end.
public struct ToolFailure: Error, Equatable, Sendable {
    /// The status to end with.
    public var status: ExitStatus
    /// What went wrong, in one line without the program's name.
    public var message: String
    /// What to do about it, in one line.
    public var hint: String?

    /// A failure.
    public init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }
}
