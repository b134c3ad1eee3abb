public import PodcastModel

/// Properties of a media file that a decoder read from its beginning.
public struct StreamInfo: Equatable, Sendable {
    /// Valid times. A thousand hours take 3.6 GB at 8 kbit/s, the lowest bit rate of MPEG audio.
    public static let times = MediaTime.zero...MediaTime(milliseconds: 3_600_000_000)
    /// Valid average bit rates, in bits per second.
    public static let bitRates = 0...(1 << 32)

    /// The container's short name: `mp3`, `ogg` …
    public var container: String
    /// The codec's short name: `mp1`, `mp2`, `mp3` …
    public var codec: String
    /// The format at the beginning; it may change within the file.
    public var format: PCMFormat
    /// Measured, stated by the container, or estimated (see `isExact`); nil if unknown.
    public var duration: MediaTime?
    public var isExact = false
    /// Average bit rate in bits per second; 0 if unknown.
    public var bitRate = 0
    /// Tags as name and value: `title`, `artist`, `album`, `comment` …
    public var tags: [String: String] = [:]
    public var chapters: [Chapter] = []
    public var art: EmbeddedArt?
    /// The first place where bytes were left out that are no audio; nil if none were.
    public var damage: MediaTime?
    /// Loudness of the whole file in hundredths of LUFS, if requested and measured.
    public var loudness: Int?

    public init(container: String, codec: String, format: PCMFormat) {
        self.container = container
        self.codec = codec
        self.format = format
    }
}

extension StreamInfo {
    /// Message about damage in the file; nil without damage.
    public var damageReport: MediaFailure? {
        damage.map {
            MediaFailure(.damaged, "the file is damaged at \($0); bytes that are no audio were left out there")
        }
    }
}

/// The place of a picture in a media file. Programs that do not show the picture need no memory for it.
public struct EmbeddedArt: Equatable, Sendable {
    /// MIME type from the tag, such as `image/jpeg`; a hint.
    public var mime: String
    public var offset: Int64
    /// Length in the file, in bytes.
    public var length: Int64
    /// True if a zero byte after each 0xFF must be removed (ID3v2.4 structure, section 6.1).
    public var isUnsynchronised: Bool
    public init(mime: String, offset: Int64, length: Int64, isUnsynchronised: Bool = false) {
        self.mime = mime
        self.offset = offset
        self.length = length
        self.isUnsynchronised = isUnsynchronised
    }

    /// Whether all of its bytes were fetched.
    public func isAvailable(in snapshot: ByteSourceSnapshot) -> Bool {
        snapshot.end(ofAvailableFrom: offset) >= offset + length
    }

    public func picture(storedAs bytes: [UInt8]) -> [UInt8] { isUnsynchronised ? Self.synchronised(bytes) : bytes }

    /// Without the zero byte after each 0xFF.
    public static func synchronised(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var last: UInt8 = 0
        return bytes.filter { byte in
            defer { last = byte }
            return !(last == 0xFF && byte == 0)
        }
    }
}

/// The bytes of one media file, as a decoder reads them. One thread.
public protocol DecoderInput: AnyObject {
    /// In bytes, once known.
    var length: Int64? { get }
    /// Number of bytes from an offset on that can be read without waiting.
    func available(at offset: Int64) -> Int64
    /// Reads at least one byte; waits while the first one is missing.
    /// - Returns: the number of bytes; 0 if the file ends at or before the offset.
    /// - Throws: `DecoderError.interrupted` if the decoder must do something else first, such as a seek.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecoderError) -> Int
    /// Bytes that `store` has stored in this session or an earlier one of the same file. The contents are untrusted.
    func storedBytes(atMost count: Int) -> [UInt8]
    /// Stores bytes at an offset for later sessions of the same file, if there is a place for them.
    func store(_ bytes: [UInt8], at offset: Int)
}

extension DecoderInput {
    /// Default for inputs that store nothing.
    public func storedBytes(atMost count: Int) -> [UInt8] { [] }
    public func store(_ bytes: [UInt8], at offset: Int) {}

    /// Reads this number of bytes, and waits while one of them is missing.
    /// - Returns: fewer if the file ends before.
    public func bytes(_ count: Int, at offset: Int64) throws(DecoderError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                return Result { () throws(DecoderError) in try read(into: rest, at: offset + Int64(done)) }
            }
            let more = try result.get()
            if more == 0 { break }
            done += more
        }
        return Array(bytes[..<done])
    }
}

/// Decodes a media file to PCM; runs in the decoder process, on its only thread.
///
/// A decoder waits in its input for bytes. A call that throws `DecoderError.interrupted` can be repeated, and then continues.
public protocol Decoder: AnyObject {
    /// Reads the beginning of a file, up to the first frame of audio. Called first, and repeated until it returns.
    func open(_ input: any DecoderInput) throws(DecoderError) -> StreamInfo
    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep
    /// Seeks to a media time. The next `decode` call starts at `frame`, exactly if there is an index.
    /// - Returns: the frame at which decoding continues, at the stream's sample rate.
    func seek(to time: MediaTime) throws(DecoderError) -> Int64
    /// The properties found so far, including the measured duration after the end was decoded.
    var info: StreamInfo? { get }
}

/// Result of one `decode` call.
public enum DecodeStep: Equatable, Sendable {
    /// This number of bytes of PCM was written; `frame` is the position of the first frame in the file.
    case produced(bytes: Int, frame: Int64)
    /// A format other than that of `open` or the last step begins; nothing was written.
    case formatChanged(PCMFormat)
    case ended
}

/// Why a decoder cannot decode.
public enum DecoderError: Error, Equatable {
    /// The bytes are not audio in a supported format; with the name of the detected format, if known.
    case notAudio(looksLike: String?)
    case library(String)
    /// Reading was interrupted; the file may be intact.
    case interrupted
}

/// A file in memory, for a decoder's self-test and for tests.
public final class BytesInput: DecoderInput {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var length: Int64? { Int64(bytes.count) }

    public func available(at offset: Int64) -> Int64 { max(0, Int64(bytes.count) - max(0, offset)) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = Int(min(available(at: offset), Int64(buffer.count)))
        if count > 0 { buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count]) }
        return count
    }
}
