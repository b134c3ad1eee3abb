internal import CALSA

/// A failed call of libasound.
public struct ALSAError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// No such device, or no sound card at all.
        case missing
        case busy
        /// This user has no permission to open the device.
        case forbidden
        case gone
        /// The sound server did not respond.
        case unreachable
        case underrun
        /// The system was suspended; call `wakeUp`.
        case suspended
        /// The device does not support the requested parameters.
        case unsupported
        case other
    }

    /// The library's error number, positive.
    let code: Int32
    let call: String

    /// For properties of a device that the caller cannot use.
    public static func unsupported(_ what: String) -> ALSAError { ALSAError(code: EINVAL, call: what) }

    /// The library's error message: snd_strerror(3).
    var reason: String { unsafe String(cString: snd_strerror(-code)) }

    public var description: String { "\(call): \(reason)" }

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

    /// Returns a result of libasound, or throws if it is an error.
    @discardableResult
    static func check<Result: SignedInteger>(
        _ call: @autoclosure () -> String, _ result: Result
    ) throws(ALSAError) -> Result {
        guard result < 0 else { return result }
        throw ALSAError(code: Int32(-result), call: call())
    }
}
