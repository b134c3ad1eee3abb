public import MediaPorts
public import PodcastModel

/// What the daemon tells a decoder. The messages travel over a socket that keeps them apart.
public enum HostMessage: Equatable, Sendable {
    /// Comes first: the version of the protocol, where to begin and the generation of the first chunks.
    case begin(version: UInt32, at: MediaTime, generation: UInt32)
    /// Drop what is ahead and go on there.
    case seek(to: MediaTime, generation: UInt32)
    /// Bytes came: look at the table again.
    case lookAgain

    /// The most bytes of one message.
    public static let maximumLength = 64

    /// As it travels.
    public var encoded: [UInt8] {
        var bytes = MessageBytes()
        switch self {
        case .begin(let version, let time, let generation):
            bytes.append(UInt32(1))
            bytes.append(version)
            bytes.append(time.nanoseconds)
            bytes.append(generation)
        case .seek(let time, let generation):
            bytes.append(UInt32(2))
            bytes.append(time.nanoseconds)
            bytes.append(generation)
        case .lookAgain:
            bytes.append(UInt32(3))
        }
        return bytes.bytes
    }

    /// Reads a message.
    /// - Throws: `MessageError` for anything that is none.
    public init(_ bytes: UnsafeRawBufferPointer) throws(MessageError) {
        var parts = MessageParts(bytes)
        switch try parts.number(UInt32.self) {
        case 1:
            self = .begin(
                version: try parts.number(UInt32.self), at: MediaTime(nanoseconds: try parts.number(Int64.self)),
                generation: try parts.number(UInt32.self))
        case 2:
            self = .seek(
                to: MediaTime(nanoseconds: try parts.number(Int64.self)), generation: try parts.number(UInt32.self))
        case 3: self = .lookAgain
        default: throw MessageError()
        }
        try parts.finish()
    }
}

/// What a decoder tells the daemon. Hostile until checked; `init` lets nothing pass that is out of bounds.
public enum DecoderMessage: Equatable, Sendable {
    /// The beginning was understood; comes again when more is known.
    case opened(StreamInfo)
    /// It sleeps until bytes from this offset are there, to go on with this generation.
    case wanting(generation: UInt32, offset: Int64)
    /// It goes on after `wanting`.
    case proceeding(generation: UInt32)
    /// The first frame of this generation stands at this time.
    case positioned(generation: UInt32, at: MediaTime)
    /// The last frame is in the ring; the whole lasts so long, nil when that was not measured.
    case ended(generation: UInt32, duration: MediaTime?)
    /// The bytes are no audio it knows; what they look like.
    case notAudio(looksLike: String?)
    /// It cannot go on; its library's words.
    case failed(String)

    /// The most bytes of one message; tags and chapters that do not fit are left out.
    public static let maximumLength = 60_000

    /// As it travels: `withinLimits`, in at most `maximumLength` bytes.
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

    /// Reads a message.
    /// - Throws: `MessageError` for anything that is none, or out of bounds.
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

/// A message that is none: cut, too long, of no known kind or with values that cannot be.
public struct MessageError: Error, Equatable {
    /// There is nothing more to say of it: the other end is broken.
    public init() {}
}
