public import PodcastModel

/// What a decoder learned of a media file's beginning.
public struct StreamInfo: Equatable, Sendable {
    /// `mp3`, `ogg` …: the container's short name.
    public var container: String
    /// `mp1`, `mp2`, `mp3` …: the codec's short name.
    public var codec: String
    /// The format at the beginning; it may change inside the file.
    public var format: PCMFormat
    /// Total time, when known; `isExact` tells a measured one from an estimate.
    public var duration: MediaTime?
    /// Whether `duration` is exact.
    public var isExact: Bool
    /// Average bits per second, 0 when unknown.
    public var bitRate: Int
    /// Tags as name and value: `title`, `artist`, `album`, `comment` …
    public var tags: [String: String]
    /// Chapters from the file's own tags.
    public var chapters: [Chapter]
    /// Where the cover stands in the file, if it has one.
    public var art: EmbeddedArt?

    /// What a decoder knows of a stream.
    public init(
        container: String, codec: String, format: PCMFormat, duration: MediaTime? = nil, isExact: Bool = false,
        bitRate: Int = 0, tags: [String: String] = [:], chapters: [Chapter] = [], art: EmbeddedArt? = nil
    ) {
        self.container = container
        self.codec = codec
        self.format = format
        self.duration = duration
        self.isExact = isExact
        self.bitRate = bitRate
        self.tags = tags
        self.chapters = chapters
        self.art = art
    }
}

/// A picture inside a media file: only where it is, so that nobody carries it who does not show it.
public struct EmbeddedArt: Equatable, Sendable {
    /// Its MIME type as the tag says, `image/jpeg`; a hint.
    public var mime: String
    /// The file's byte where it begins.
    public var offset: Int64
    /// Its bytes in the file.
    public var length: Int64
    /// Whether a zero byte after each 0xFF has to be taken out (ID3v2.4 structure, section 6.1).
    public var isUnsynchronised: Bool
    /// A picture at a place.
    public init(mime: String, offset: Int64, length: Int64, isUnsynchronised: Bool = false) {
        self.mime = mime
        self.offset = offset
        self.length = length
        self.isUnsynchronised = isUnsynchronised
    }
}

/// Encoded bytes to PCM; lives in the decoder process, on its only thread.
///
/// The host calls `decode` until it has no room or the decoder has no bytes. A decoder never reads by itself:
/// it says which byte it needs next, and is fed.
public protocol Decoder: AnyObject {
    /// The next byte wanted; the host feeds from there. Changes by `feed` and by `seek`.
    var wantedOffset: Int64 { get }
    /// Takes bytes that stand at `wantedOffset` in the file. `isLast` says that the file ends with them.
    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(DecoderError)
    /// Tells the file's length once it is known; used for durations and to seek.
    func setLength(_ length: Int64)
    /// Tells how to ask how many bytes the source has at hand from an offset on, so that a decoder knows whether reading
    /// through to a place is quick.
    func setBytesAtHand(_ count: @escaping (_ offset: Int64) -> Int64)
    /// Decodes into `output`, at most what fits.
    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep
    /// Moves to a media time. The next `decode` step delivers from `frame` on, exactly when an index allows it.
    /// - Returns: the frame at which decoding goes on, in the stream's rate.
    func seek(to time: MediaTime) throws(DecoderError) -> Int64
    /// What is known by now; nil before the first header was seen.
    var info: StreamInfo? { get }
}

extension Decoder {
    /// Of no use to a decoder whose container has an index.
    public func setBytesAtHand(_ count: @escaping (_ offset: Int64) -> Int64) {}
}

/// What one step of decoding gave.
public enum DecodeStep: Equatable, Sendable {
    /// So many bytes of PCM were written; the first frame stands at `frame` from the file's beginning.
    case produced(bytes: Int, frame: Int64)
    /// A new format begins; nothing was written.
    case formatChanged(PCMFormat)
    /// It needs bytes at `wantedOffset`.
    case needsInput
    /// The last frame was given.
    case ended
}

/// A media file that a decoder cannot go on with.
public enum DecoderError: Error, Equatable, Sendable {
    /// The bytes are no audio that this decoder knows; the name of what they look like, when it is known.
    case notAudio(looksLike: String?)
    /// The library failed, with its own words.
    case library(String)
}
