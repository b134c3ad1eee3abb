public import MediaPorts
public import PodcastModel

/// Messages of the daemon to a decoder, over a socket that preserves message boundaries.
public enum HostMessage: Equatable, Sendable {
    /// The first message: version of the protocol, start position and generation of the first chunks.
    case begin(version: UInt32, at: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
    /// Discard frames decoded ahead and continue at this time, perhaps with other parameters.
    case seek(to: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
    /// Bytes arrived: check the table again.
    case lookAgain

    public static let maximumLength = 64 + 16 * PlaybackParameters.maximumSkips

    public var encoded: [UInt8] {
        var bytes = MessageBytes()
        switch self {
        case .begin(let version, let time, let generation, let parameters):
            bytes.append(UInt32(1))
            bytes.append(version)
            bytes.append(time.nanoseconds)
            bytes.append(generation)
            bytes.append(parameters)
        case .seek(let time, let generation, let parameters):
            bytes.append(UInt32(2))
            bytes.append(time.nanoseconds)
            bytes.append(generation)
            bytes.append(parameters)
        case .lookAgain:
            bytes.append(UInt32(3))
        }
        return bytes.bytes
    }

    /// - Throws: `MessageError` if the message is malformed.
    public init(_ bytes: UnsafeRawBufferPointer) throws(MessageError) {
        var parts = MessageParts(bytes)
        switch try parts.number(UInt32.self) {
        case 1:
            self = .begin(
                version: try parts.number(UInt32.self), at: MediaTime(nanoseconds: try parts.number(Int64.self)),
                generation: try parts.number(UInt32.self), try parts.parameters())
        case 2:
            self = .seek(
                to: MediaTime(nanoseconds: try parts.number(Int64.self)), generation: try parts.number(UInt32.self),
                try parts.parameters())
        case 3: self = .lookAgain
        default: throw MessageError()
        }
        try parts.finish()
    }
}

/// Messages of a decoder to the daemon. The decoder may be hostile: `init` rejects values out of range.
public enum DecoderMessage: Equatable, Sendable {
    /// The stream's properties; sent again when more is known.
    case opened(StreamInfo)
    /// The decoder sleeps until bytes from this offset are available, then continues with this generation.
    case wanting(generation: UInt32, offset: Int64)
    /// The decoder continues after `wanting`.
    case proceeding(generation: UInt32)
    case positioned(generation: UInt32, at: MediaTime)
    /// The last frame is in the ring. `duration` is the whole file's, if measured.
    case ended(generation: UInt32, duration: MediaTime?)
    /// The file is not audio in a supported format; with the name of the detected format.
    case notAudio(looksLike: String?)
    /// Decoding failed; with the library's error message.
    case failed(String)

    /// Maximum bytes of one message; tags and chapters that do not fit are omitted.
    public static let maximumLength = 120_000

    /// Encodes the message `withinLimits` in at most `maximumLength` bytes.
    public var encoded: [UInt8] {
        var bytes = MessageBytes()
        switch withinLimits {
        case .opened(let info):
            bytes.append(UInt32(1))
            bytes.append(info, limit: Self.maximumLength)
        case .wanting(let generation, let offset):
            bytes.append(UInt32(2))
            bytes.append(generation)
            bytes.append(offset)
        case .proceeding(let generation):
            bytes.append(UInt32(3))
            bytes.append(generation)
        case .positioned(let generation, let time):
            bytes.append(UInt32(4))
            bytes.append(generation)
            bytes.append(time.nanoseconds)
        case .ended(let generation, let duration):
            bytes.append(UInt32(5))
            bytes.append(generation)
            bytes.append(duration)
        case .notAudio(let looksLike):
            bytes.append(UInt32(6))
            bytes.append(looksLike)
        case .failed(let words):
            bytes.append(UInt32(7))
            bytes.append(words)
        }
        return bytes.bytes
    }

    /// - Throws: `MessageError` if the message is malformed or contains values out of range.
    public init(_ bytes: UnsafeRawBufferPointer) throws(MessageError) {
        var parts = MessageParts(bytes)
        switch try parts.number(UInt32.self) {
        case 1: self = .opened(try parts.streamInfo())
        case 2: self = .wanting(generation: try parts.number(UInt32.self), offset: try parts.natural())
        case 3: self = .proceeding(generation: try parts.number(UInt32.self))
        case 4: self = .positioned(generation: try parts.number(UInt32.self), at: try parts.time())
        case 5: self = .ended(generation: try parts.number(UInt32.self), duration: try parts.optionalTime())
        case 6: self = .notAudio(looksLike: try parts.optionalText())
        case 7: self = .failed(try parts.text())
        default: throw MessageError()
        }
        try parts.finish()
    }
}

/// A malformed message: truncated, too long, of unknown kind, or with values out of range.
public struct MessageError: Error, Equatable {
    public init() {}
}
