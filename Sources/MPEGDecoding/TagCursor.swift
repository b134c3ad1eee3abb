/// Bytes of a tag as they come in, with the possibility to pass over those that nobody needs without having them.
///
/// In a tag that is unsynchronised as a whole (ID3v2.2 and 2.3) lengths count the bytes before that was done, so nothing can
/// be jumped over there: it is read and dropped.
struct TagCursor {
    /// The file's byte that is wanted next.
    private(set) var wanted: Int64
    /// Whether a zero byte after 0xFF is taken out.
    private(set) var isUnsynchronised = false
    private var held: [UInt8] = []
    /// Bytes to drop when they come; only where jumping is impossible.
    private var toSkip: Int64 = 0
    private var lastByte: UInt8 = 0

    init(at offset: Int64) { wanted = offset }

    /// Begins anew at an offset.
    mutating func move(to offset: Int64) {
        wanted = offset
        held = []
        toSkip = 0
        lastByte = 0
        isUnsynchronised = false
    }

    /// Treats what is held and what comes as unsynchronised, from here on.
    mutating func beginUnsynchronised() {
        let pending = held
        held = []
        isUnsynchronised = true
        pending.forEach { append($0) }
    }

    /// Takes bytes that stand at `wanted`, as far as `end`.
    mutating func take(_ bytes: UnsafeRawBufferPointer, end: Int64) {
        let count = Int(max(0, min(Int64(bytes.count), end - wanted)))
        wanted += Int64(count)
        if isUnsynchronised {
            for byte in bytes[..<count] { append(byte) }
        } else {
            held += bytes[..<count]
        }
    }

    private mutating func append(_ byte: UInt8) {
        defer { lastByte = byte }
        if lastByte == 0xFF && byte == 0 { return }
        if toSkip > 0 { toSkip -= 1 } else { held.append(byte) }
    }

    /// The next bytes, when there are so many; they stay.
    func peek(_ count: Int) -> ArraySlice<UInt8>? { held.count >= count ? held[..<count] : nil }

    /// The next bytes, when there are so many; they go.
    mutating func read(_ count: Int) -> [UInt8]? {
        guard held.count >= count else { return nil }
        defer { held.removeFirst(count) }
        return Array(held[..<count])
    }

    /// Passes over bytes, those that are not there too.
    mutating func skip(_ count: Int64) {
        let here = Int(min(count, Int64(held.count)))
        held.removeFirst(here)
        let rest = count - Int64(here)
        if isUnsynchronised { toSkip += rest } else { wanted += rest }
    }

    /// The file's byte where the next byte to read stands; meaningful only without unsynchronisation.
    var place: Int64 { wanted - Int64(held.count) }
    /// How many bytes are held.
    var heldCount: Int { held.count }
}
