internal import CALSA

/// A call of libasound that failed.
public struct ALSAError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a caller does about it.
    public enum Kind: Sendable {
        /// No such device, or no card at all.
        case missing
        /// Somebody else has it.
        case busy
        /// This user may not open it.
        case forbidden
        /// It was unplugged.
        case gone
        /// The sound server behind it does not answer.
        case unreachable
        /// The buffer ran empty; `prepare` helps.
        case underrun
        /// The system slept; `wakeUp` helps.
        case suspended
        /// The device does not take what was asked for.
        case unsupported
        /// Anything else.
        case other
    }

    /// The library's error number, positive.
    public let code: Int32
    /// The function that failed.
    public let call: String

    /// What a device offered and the caller cannot use.
    public static func unsupported(_ what: String) -> ALSAError { ALSAError(code: EINVAL, call: what) }

    /// The library's own words: snd_strerror(3).
    public var reason: String { unsafe String(cString: snd_strerror(-code)) }

    /// Both in one line.
    public var description: String { "\(call): \(reason)" }

    /// What it means.
    public var kind: Kind {
        switch code {
        case ENOENT, ENXIO: .missing
        case EBUSY, EAGAIN: .busy
        case EACCES, EPERM: .forbidden
        case ENODEV: .gone
        case ECONNREFUSED, ECONNRESET: .unreachable
        case EPIPE: .underrun
        case ESTRPIPE: .suspended
        case EINVAL, ENOTSUP, ENOSYS: .unsupported
        default: .other
        }
    }

    /// Turns a result of libasound into its value or an error.
    @discardableResult
    static func check<Result: SignedInteger>(
        _ call: @autoclosure () -> String, _ result: Result
    ) throws(ALSAError) -> Result {
        guard result < 0 else { return result }
        throw ALSAError(code: Int32(-result), call: call())
    }
}
