import MediaPorts
import PodcastModel
import TestSupport
import Testing

/// Indexes of frames as bytes.
struct StoredIndexTests {
    private static let file = IndexedFile(kind: "mpeg layer 3", start: 417, length: 1_000_000)

    private static func entries(_ count: Int) -> [FrameIndex.Entry] {
        (0..<count).map { .init(key: 417 + Int64($0) * 6000, position: Int64($0) * 16 * 1152 - 1105, rate: 44_100) }
    }

    /// What an input keeps, as a file would.
    private final class Keeping: DecoderInput {
        var bytes: [UInt8] = []
        var length: Int64? { nil }
        func available(at offset: Int64) -> Int64 { 0 }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
        func storedBytes(atMost count: Int) -> [UInt8] { Array(bytes.prefix(count)) }
        func store(_ new: [UInt8], at offset: Int) {
            if bytes.count < offset + new.count {
                bytes += Array(repeating: 0, count: offset + new.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private func stored(_ count: Int) -> Keeping {
        let input = Keeping()
        var kept = PersistentIndex()
        kept.load(Self.file, from: input)
        for entry in Self.entries(count) { kept.append(entry) }
        kept.store()
        return input
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000]) func whatIsStoredIsReadInTheNextSession(_ count: Int) {
        var kept = PersistentIndex()
        kept.load(Self.file, from: stored(count))
        expectEqual(kept.index.entries, Self.entries(count))
    }

    @Test func aSecondSessionContinuesTheFirst() {
        let input = stored(100)
        var kept = PersistentIndex()
        kept.load(Self.file, from: input)
        for entry in Self.entries(300).dropFirst(100) { kept.append(entry) }
        kept.store()
        expectEqual(StoredIndex.read(input.bytes, of: Self.file).entries, Self.entries(300))
    }

    @Test func anIndexOfAnotherFileIsEmpty() {
        let bytes = stored(100).bytes
        for other in [
            IndexedFile(kind: "mpeg layer 2", start: 417, length: 1_000_000),
            IndexedFile(kind: "mpeg layer 3", start: 418, length: 1_000_000),
            IndexedFile(kind: "mpeg layer 3", start: 417, length: 1_000_001),
            IndexedFile(kind: "mpeg layer 3", start: 417, length: nil),
        ] {
            expectEqual(StoredIndex.read(bytes, of: other).entries, [])
        }
    }

    @Test func anEntryThatIsDamagedEndsTheIndex() {
        let bytes = stored(100).bytes
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var damaged = bytes
            damaged[place] ^= 0x10
            let read = StoredIndex.read(damaged, of: Self.file).entries
            expectEqual(read, Self.entries(read.count))
            let isOfIndex =
                place < 40 || (StoredIndex.offset(ofEntry: 0)..<StoredIndex.offset(ofEntry: 100)).contains(place)
            #expect(isOfIndex ? read.count < 100 : read.count == 100)
        }
    }

    @Test func removedEntriesStayRemoved() {
        let input = stored(100)
        var kept = PersistentIndex()
        kept.load(Self.file, from: input)
        kept.removeEntries(from: 10)
        expectEqual(StoredIndex.read(input.bytes, of: Self.file).entries, Self.entries(10))
        for entry in Self.entries(20).dropFirst(10) { kept.append(entry) }
        kept.store()
        expectEqual(StoredIndex.read(input.bytes, of: Self.file).entries, Self.entries(20))
    }

    @Test func entriesOutOfOrderAreNotRead() {
        var bytes = StoredIndex.header(of: Self.file)
        bytes += StoredIndex.bytes(of: (Self.entries(10) + Self.entries(10))[...])
        expectEqual(StoredIndex.read(bytes, of: Self.file).entries, Self.entries(10))
        let far = FrameIndex.Entry(key: .max, position: .min, rate: 44_100)
        bytes = StoredIndex.header(of: Self.file) + StoredIndex.bytes(of: [far])
        expectEqual(StoredIndex.read(bytes, of: Self.file).entries, [])
    }

    @Test func aFileThatIsTooLongIsReadUpToTheLimit() {
        var index = FrameIndex()
        for number in 0...FrameIndex.limit {
            let isAdded = index.append(.init(key: Int64(number), position: Int64(number), rate: 1000))
            expectEqual(isAdded, number < FrameIndex.limit)
        }
    }

    @Test func anEntryIsFoundByItsTimeAndItsKey() throws {
        var index = FrameIndex()
        expectEqual(index.number(before: .zero), nil)
        for entry in Self.entries(100) { index.append(entry) }
        expectEqual(index.number(before: Self.entries(100)[40].time), 40)
        expectEqual(index.entry(key: 417 + 6000 * 7)?.position, Self.entries(8)[7].position)
        expectEqual(index.entry(key: 418), nil)
        expectEqual(index.entry(key: .max), nil)
    }
}
