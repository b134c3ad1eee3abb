import MediaPorts
import PodcastModel

/// Stored frame indexes: those that were written and damaged, and any other bytes.
enum IndexFuzz {
    /// A file without sound, with what was kept of its index.
    private final class KeptFile: DecoderInput {
        var kept: [UInt8]
        init(_ kept: [UInt8]) { self.kept = kept }
        let length: Int64? = 1_000_000
        func available(at offset: Int64) -> Int64 { 0 }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
        func storedBytes(atMost count: Int) -> [UInt8] { Array(kept.prefix(count)) }
        func store(_ bytes: [UInt8], at offset: Int) {
            require(offset >= 0 && offset + bytes.count <= StoredIndex.maximumBytes + 24, "byte \(offset) is written")
            if kept.count < offset + bytes.count {
                kept += [UInt8](repeating: 0, count: offset + bytes.count - kept.count)
            }
            kept.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    private static let file = IndexedFile(kind: "mp4 aac", start: 0, length: 1_000_000)

    static func run(_ input: FuzzInput) {
        var input = input
        let damaged = Int(input.number(UInt16.self))
        let mask = input.number(UInt8.self)
        var entries: [FrameIndex.Entry] = []
        for _ in 0..<input.number(UInt8.self) where !input.isEmpty { entries.append(entry(&input)) }
        var bytes = StoredIndex.header(of: file) + StoredIndex.bytes(of: entries[...]) + Array(input.rest)
        bytes[damaged % bytes.count] ^= mask
        let index = StoredIndex.read(bytes, of: file)
        check(index)
        let written = StoredIndex.header(of: file) + StoredIndex.bytes(of: index.entries[...])
        require(StoredIndex.read(written, of: file) == index, "an index that was written is read differently")
        continueIndex(bytes, entry(&input), removing: damaged)
    }

    private static func entry(_ input: inout FuzzInput) -> FrameIndex.Entry {
        // Small values, so that entries follow each other, or any.
        let isSmall = input.number(UInt8.self) & 7 != 0
        return isSmall
            ? FrameIndex.Entry(
                key: Int64(input.number(UInt16.self)), position: Int64(input.number(UInt32.self)), rate: 48_000)
            : FrameIndex.Entry(
                key: Int64(bitPattern: input.number(UInt64.self)),
                position: Int64(bitPattern: input.number(UInt64.self)), rate: Int(input.number(UInt32.self)))
    }

    private static func check(_ index: FrameIndex) {
        for (entry, next) in zip(index.entries, index.entries.dropFirst()) {
            require(next.key > entry.key && next.time > entry.time, "\(next) after \(entry)")
        }
        for (number, entry) in index.entries.enumerated() {
            require(index.entry(key: entry.key) == entry, "\(entry) is not found by its key")
            require(index.number(before: entry.time) == number, "\(entry) is not found by its time")
        }
    }

    /// What a decoder does with an index of an earlier session.
    private static func continueIndex(_ bytes: [UInt8], _ next: FrameIndex.Entry, removing number: Int) {
        let input = KeptFile(bytes)
        var places = PersistentIndex()
        places.load(file, from: input)
        if (1_000...384_000).contains(next.rate), next.position.magnitude < 1 << 40 { places.append(next) }
        places.store()
        require(StoredIndex.read(input.kept, of: file) == places.index, "the stored index differs from that in memory")
        places.removeEntries(from: number)
        let stored = StoredIndex.read(input.kept, of: file)
        require(stored == places.index, "entries that were removed are stored")
        check(places.index)
    }
}
