internal import CPulse

/// A failed call of libpulse.
public struct PulseError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// libpulse is not installed.
        case notInstalled
        /// No server answers.
        case unreachable
        /// The server refuses this user.
        case forbidden
        /// The server ended, or ended the stream.
        case ended
        /// No such device.
        case missing
        /// The server does not accept the format.
        case unsupported
        case other
    }

    public let kind: Kind
    let call: String
    /// The library's error message: pa_strerror.
    let reason: String

    public var description: String { "\(call): \(reason)" }

    /// For a server that does not answer in time.
    public static let noAnswer = PulseError(.unreachable, "wait for PulseAudio", "no answer")

    init(_ kind: Kind, _ call: String, _ reason: String) {
        self.kind = kind
        self.call = call
        self.reason = reason
    }

    init(_ pulse: pulse_functions, _ code: Int32, _ call: String) {
        let text = unsafe pulse.strerror(code).map { unsafe String(cString: $0) }
        self.init(Self.kind(code), call, text ?? "error \(code)")
    }

    private static func kind(_ code: Int32) -> Kind {
        switch pa_error_code_t(rawValue: UInt32(bitPattern: code)) {
        case PA_ERR_CONNECTIONREFUSED, PA_ERR_TIMEOUT, PA_ERR_INVALIDSERVER: .unreachable
        case PA_ERR_ACCESS, PA_ERR_AUTHKEY: .forbidden
        case PA_ERR_CONNECTIONTERMINATED, PA_ERR_KILLED, PA_ERR_IO, PA_ERR_BADSTATE: .ended
        case PA_ERR_NOENTITY: .missing
        case PA_ERR_INVALID, PA_ERR_NOTSUPPORTED: .unsupported
        default: .other
        }
    }
}
