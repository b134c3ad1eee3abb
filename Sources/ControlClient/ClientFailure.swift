public import ControlLanguage
internal import Glibc
public import SystemCalls

/// Why a connection has ended or a command has no reply.
public enum ClientFailure: Error, Equatable {
    /// Nothing listens at the path: the daemon does not run.
    case notRunning(path: String)
    /// This user may not connect to the path.
    case forbidden(path: String)
    /// The daemon answered with an error.
    case refused(ControlError)
    /// The daemon has closed the connection.
    case closed
    /// No reply in time, or no free place in the listener's queue.
    case timedOut
    /// The program at the socket does not speak this protocol.
    case protocolFault(String)
    case system(SystemError)

    /// Why connect(2) failed.
    init(connecting path: String, _ error: SystemError) {
        switch error.code {
        case ENOENT, ECONNREFUSED, ENOTDIR: self = .notRunning(path: path)
        case EACCES, EPERM: self = .forbidden(path: path)
        case EAGAIN: self = .timedOut
        default: self = .system(error)
        }
    }

    /// Whether another attempt may succeed without a person doing something.
    var isTemporary: Bool {
        switch self {
        case .notRunning, .closed, .timedOut, .system: true
        case .refused(let error): error.code == .unavailable
        case .forbidden, .protocolFault: false
        }
    }

    /// What failed, in one line.
    public var message: String {
        switch self {
        case .refused(let error): error.what
        case .notRunning(let path): "podcastd is not running at \(path)"
        case .forbidden(let path): "no permission to use \(path)"
        case .closed: "podcastd has closed the connection"
        case .timedOut: "podcastd did not answer in time"
        case .protocolFault(let what): what
        case .system(let error): error.description
        }
    }

    /// What failed, and what to do if the daemon said it.
    public var explanation: String {
        if case .refused(let error) = self, let hint = error.hint { "\(message); \(hint)" } else { message }
    }
}
