/// Incoming bytes of a tag; bytes that are not needed can be skipped without being read.
///
/// In a tag that is unsynchronised as a whole (ID3v2.2 and 2.3), lengths count the bytes before unsynchronisation.
/// There bytes cannot be skipped; they are read and discarded.
struct TagCursor {
    private(set) var wanted: Int64
    /// True if a zero byte after 0xFF is removed.
    private(set) var isUnsynchronised = false
    private var held: [UInt8] = []
    /// Number of bytes to discard when they arrive; only if skipping is impossible.
    private var toSkip: Int64 = 0
    private var lastByte: UInt8 = 0

    init(at offset: Int64) { wanted = offset }

    mutating func beginUnsynchronised() {
        let pending = exchange(&held, with: [])
        isUnsynchronised = true
        pending.forEach { append($0) }
    }

    /// Appends bytes from offset `wanted`, up to `end`.
    mutating func take(_ bytes: UnsafeRawBufferPointer, end: Int64) {
        let count = Int(max(0, min(Int64(bytes.count), end - wanted)))
        wanted += Int64(count)
        if isUnsynchronised {
            for index in 0..<count { append(unsafe bytes[index]) }
        } else {
            unsafe held += bytes[..<count]
        }
    }

    private mutating func append(_ byte: UInt8) {
        defer { lastByte = byte }
        if lastByte == 0xFF && byte == 0 { return }
        if toSkip > 0 { toSkip -= 1 } else { held.append(byte) }
    }

    /// Nil if the bytes are not all available.
    func peek(_ count: Int) -> ArraySlice<UInt8>? { held.count >= count ? held[..<count] : nil }

    /// Nil if the bytes are not all available.
    mutating func read(_ count: Int) -> [UInt8]? {
        guard held.count >= count else { return nil }
        defer { held.removeFirst(count) }
        return Array(held[..<count])
    }

    /// Skips bytes, including bytes that have not arrived.
    mutating func skip(_ count: Int64) {
        let here = Int(min(count, Int64(held.count)))
        held.removeFirst(here)
        let rest = count - Int64(here)
        if isUnsynchronised { toSkip += rest } else { wanted += rest }
    }

    /// File offset of the next byte; meaningful only without unsynchronisation.
    var place: Int64 { wanted - Int64(held.count) }
}
