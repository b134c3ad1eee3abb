public import PodcastModel

/// Properties of a media file that a decoder read from its beginning.
public struct StreamInfo: Equatable, Sendable {
    /// The times that a file can have. A thousand hours take 3.6 GB at 8 kbit/s, the lowest bit rate of MPEG audio.
    public static let times = MediaTime.zero...MediaTime(milliseconds: 3_600_000_000)
    /// The average bit rates that a file can have, in bits per second.
    public static let bitRates = 0...(1 << 32)

    /// `mp3`, `ogg` …: the container's short name.
    public var container: String
    /// `mp1`, `mp2`, `mp3` …: the codec's short name.
    public var codec: String
    /// The format at the beginning; it may change within the file.
    public var format: PCMFormat
    /// Duration, if known; `isExact` distinguishes a measured one from an estimate.
    public var duration: MediaTime?
    /// Whether `duration` is exact.
    public var isExact: Bool
    /// Average bit rate in bits per second; 0 if unknown.
    public var bitRate: Int
    /// Tags as name and value: `title`, `artist`, `album`, `comment` …
    public var tags: [String: String]
    /// Chapters from the file's own tags.
    public var chapters: [Chapter]
    /// Place of the cover image in the file, if it has one.
    public var art: EmbeddedArt?

    /// Creates a stream description.
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

/// A picture inside a media file. Only its place is kept, so that programs that do not show it need no memory for it.
public struct EmbeddedArt: Equatable, Sendable {
    /// MIME type from the tag, such as `image/jpeg`; a hint.
    public var mime: String
    /// Offset of its first byte in the file.
    public var offset: Int64
    /// Its length in the file, in bytes.
    public var length: Int64
    /// Whether a zero byte after each 0xFF must be removed (ID3v2.4 structure, section 6.1).
    public var isUnsynchronised: Bool
    /// Creates a picture.
    public init(mime: String, offset: Int64, length: Int64, isUnsynchronised: Bool = false) {
        self.mime = mime
        self.offset = offset
        self.length = length
        self.isUnsynchronised = isUnsynchronised
    }
}

/// Decodes bytes to PCM; runs in the decoder process, on its only thread.
///
/// The host calls `decode` until the output is full or the decoder needs bytes. A decoder never reads by itself: it
/// reports the byte it needs next, and the host supplies bytes.
public protocol Decoder: AnyObject {
    /// Offset of the next byte that the decoder needs; `feed` and `seek` change it.
    var wantedOffset: Int64 { get }
    /// Supplies bytes that start at `wantedOffset` in the file. `isLast` means that the file ends after them.
    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(DecoderError)
    /// Sets the file's length once it is known; used for durations and for seeking.
    func setLength(_ length: Int64)
    /// Sets a function that returns how many bytes are available from an offset on, so that a decoder knows whether it
    /// can quickly read up to a place.
    func setBytesAtHand(_ count: @escaping (_ offset: Int64) -> Int64)
    /// Decodes into `output`, at most as much as fits.
    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep
    /// Seeks to a media time. The next `decode` call starts at `frame`, exactly if there is an index.
    /// - Returns: the frame at which decoding continues, at the stream's sample rate.
    func seek(to time: MediaTime) throws(DecoderError) -> Int64
    /// The properties found so far; nil before the first header.
    var info: StreamInfo? { get }
}

extension Decoder {
    /// Does nothing; decoders for containers with an index do not need it.
    public func setBytesAtHand(_ count: @escaping (_ offset: Int64) -> Int64) {}
}

/// Result of one `decode` call.
public enum DecodeStep: Equatable, Sendable {
    /// This number of bytes of PCM was written; `frame` is the position of their first frame in the file.
    case produced(bytes: Int, frame: Int64)
    /// A new format begins; nothing was written.
    case formatChanged(PCMFormat)
    /// The decoder needs bytes at `wantedOffset`.
    case needsInput
    /// The last frame was returned before.
    case ended
}

/// Decoding a media file failed permanently.
public enum DecoderError: Error, Equatable, Sendable {
    /// The bytes are not audio in a supported format; contains the name of the detected format, if known.
    case notAudio(looksLike: String?)
    /// The library failed; contains its error message.
    case library(String)
}
