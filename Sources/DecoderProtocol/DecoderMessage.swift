public import MediaPorts
public import PodcastModel
public import SystemCalls

/// Messages of the daemon to a decoder, over a socket that preserves message boundaries.
public enum HostMessage: Equatable, Sendable {
    /// Decode this generation from this time on, and discard frames decoded ahead. The first message begins the session.
    case seek(to: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
    /// Bytes arrived: check the table again.
    case lookAgain

    public static let maximumLength = 128 + 16 * PlaybackParameters.maximumSkips

    public var encoded: [UInt8] { bytes }

    /// - Throws: `SystemError` if the message is malformed.
    public init(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { try self.init(reading: bytes) }
}

extension HostMessage: CodedMessage {
    static var kinds: [HostMessage] { [.seek(to: .zero, generation: 0), .lookAgain] }

    var kind: UInt8 {
        switch self {
        case .seek: 0
        case .lookAgain: 1
        }
    }

    mutating func exchange(_ coder: inout MessageCoder) throws(SystemError) {
        guard case .seek(var time, var generation, var parameters) = self else { return }
        try coder.exchange(&time)
        try coder.exchange(&generation)
        try coder.exchange(&parameters)
        self = .seek(to: time, generation: generation, parameters)
    }
}

/// Messages of a decoder to the daemon. The decoder may be hostile: `init` makes every value valid.
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

    /// At most `maximumLength` bytes.
    public var encoded: [UInt8] { bytes }

    /// - Throws: `SystemError` if the message is malformed.
    public init(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        self = try DecoderMessage(reading: bytes).withinLimits
    }
}

extension DecoderMessage: CodedMessage {
    static var kinds: [DecoderMessage] {
        let format = PCMFormat(rate: 0, channels: 0, type: .int16)
        return [
            .opened(StreamInfo(container: "", codec: "", format: format)), .wanting(generation: 0, offset: 0),
            .proceeding(generation: 0), .positioned(generation: 0, at: .zero), .ended(generation: 0, duration: nil),
            .notAudio(looksLike: nil), .failed(""),
        ]
    }

    var kind: UInt8 {
        switch self {
        case .opened: 0
        case .wanting: 1
        case .proceeding: 2
        case .positioned: 3
        case .ended: 4
        case .notAudio: 5
        case .failed: 6
        }
    }

    mutating func exchange(_ coder: inout MessageCoder) throws(SystemError) {
        switch self {
        case .opened(var info):
            try coder.exchange(&info)
            self = .opened(info)
        case .wanting(var generation, var offset):
            try coder.exchange(&generation)
            try coder.exchange(&offset)
            self = .wanting(generation: generation, offset: offset)
        case .proceeding(var generation):
            try coder.exchange(&generation)
            self = .proceeding(generation: generation)
        case .positioned(var generation, var time):
            try coder.exchange(&generation)
            try coder.exchange(&time)
            self = .positioned(generation: generation, at: time)
        case .ended(var generation, var duration):
            try coder.exchange(&generation)
            try coder.exchange(&duration)
            self = .ended(generation: generation, duration: duration)
        case .notAudio(var looksLike):
            try coder.exchange(&looksLike)
            self = .notAudio(looksLike: looksLike)
        case .failed(var words):
            try coder.exchange(&words)
            self = .failed(words)
        }
    }
}
