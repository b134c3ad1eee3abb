/// The file of an index: another codec, first frame or length is another file.
public struct IndexedFile: Equatable, Sendable {
    var kind: String
    var start: Int64
    /// In bytes; negative if unknown.
    var length: Int64

    public init(kind: String, start: Int64, length: Int64?) {
        self.kind = kind
        self.start = start
        self.length = length ?? -1
    }
}

/// The bytes of a stored index: a header, then appended entries of fixed size. All numbers are little-endian.
public enum StoredIndex {
    public static let maximumBytes = headerSize + FrameIndex.limit * entrySize

    private static let identitySize = 40
    /// Including the estimated places.
    static let headerSize = identitySize + 2 * entrySize
    static let entrySize = 24
    /// The version of the format: "PDframe2".
    private static let magic: UInt64 = 0x3265_6D61_7266_4450

    public static func header(of file: IndexedFile) -> [UInt8] { identity(of: file) + Self.bytes(of: nil) }

    private static func identity(of file: IndexedFile) -> [UInt8] {
        var bytes: [UInt8] = []
        append(magic, &bytes)
        append(hash(file.kind.utf8), &bytes)
        append(UInt64(bitPattern: file.start), &bytes)
        append(UInt64(bitPattern: file.length), &bytes)
        append(hash(bytes), &bytes)
        return bytes
    }

    static let estimateOffset = identitySize

    static func bytes(of estimate: EstimatedPlaces?) -> [UInt8] {
        estimate.map { bytes(of: [$0.former, $0.latest]) } ?? [UInt8](repeating: 0, count: 2 * entrySize)
    }

    /// Nil if there are no estimated places, or if they are damaged.
    static func estimate(in bytes: [UInt8], of file: IndexedFile) -> EstimatedPlaces? {
        guard bytes.starts(with: identity(of: file)), bytes.count >= headerSize,
            let former = entry(bytes[estimateOffset..<estimateOffset + entrySize]),
            let latest = entry(bytes[(estimateOffset + entrySize)..<headerSize])
        else { return nil }
        return EstimatedPlaces(former: former, latest: latest)
    }

    public static func offset(ofEntry number: Int) -> Int { headerSize + number * entrySize }

    public static func bytes(of entries: ArraySlice<FrameIndex.Entry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * entrySize)
        for entry in entries {
            let start = bytes.count
            append(UInt64(bitPattern: entry.key), &bytes)
            append(UInt64(bitPattern: entry.position), &bytes)
            append(UInt32(truncatingIfNeeded: entry.rate), &bytes)
            append(UInt32(truncatingIfNeeded: hash(bytes[start...])), &bytes)
        }
        return bytes
    }

    /// Reads an index from untrusted bytes, up to the first damaged or impossible entry.
    /// - Parameter isPossible: true if an entry can follow another in the file's format.
    public static func read(
        _ bytes: [UInt8], of file: IndexedFile,
        where isPossible: (_ last: FrameIndex.Entry?, FrameIndex.Entry) -> Bool = { _, _ in true }
    ) -> FrameIndex {
        var index = FrameIndex()
        guard bytes.starts(with: identity(of: file)) else { return index }
        var place = headerSize
        while place + entrySize <= bytes.count {
            guard let entry = entry(bytes[place..<place + entrySize]), isPossible(index.last, entry),
                index.append(entry)
            else { break }
            place += entrySize
        }
        return index
    }

    private static func entry(_ part: ArraySlice<UInt8>) -> FrameIndex.Entry? {
        guard number(part, at: 20, bytes: 4) == hash(part.prefix(20)) & 0xFFFF_FFFF else { return nil }
        let entry = FrameIndex.Entry(
            key: Int64(bitPattern: number(part, at: 0, bytes: 8)),
            position: Int64(bitPattern: number(part, at: 8, bytes: 8)), rate: Int(number(part, at: 16, bytes: 4)))
        return PCMFormat.rates.contains(entry.rate) && entry.position.magnitude <= Self.farthest ? entry : nil
    }

    /// Frames of a thousand hours at the highest rate.
    private static let farthest: UInt64 = 3_600_000 * 384_000

    private static func append<Number: FixedWidthInteger>(_ number: Number, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int) -> UInt64 {
        let start = bytes.startIndex + offset
        return bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// FNV-1a: detects damage, not forgery; a forged entry still has to be possible.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
