import MediaPorts
import PodcastModel
import TestSupport
import Testing

/// Places of estimated positions, kept for later sessions.
struct EstimatedPlacesTests {
    private static let file = IndexedFile(kind: "mpeg layer 3", start: 417, length: 1_000_000)

    private static func entry(_ seconds: Int64) -> FrameIndex.Entry {
        .init(key: 1000 + seconds * 16_000, position: seconds * 44_100, rate: 44_100)
    }

    private final class Keeping: DecoderInput {
        var bytes: [UInt8] = []
        var length: Int64? { nil }
        func available(at offset: Int64) -> Int64 { 0 }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
        func storedBytes(atMost count: Int) -> [UInt8] { Array(bytes.prefix(count)) }
        func store(_ new: [UInt8], at offset: Int) {
            bytes += Array(repeating: 0, count: max(0, offset + new.count - bytes.count))
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private func loaded(_ input: Keeping) -> PersistentIndex {
        var kept = PersistentIndex()
        kept.load(Self.file, from: input)
        return kept
    }

    @Test func theyAreReadInTheNextSessionUntilPositionsAreExact() {
        let (input, places) = (Keeping(), EstimatedPlaces(landing: Self.entry(600)))
        var kept = loaded(input)
        kept.use(places)
        expectEqual(loaded(input).estimate, places)
        // The entries of the index are beside them.
        for number in 0..<40 as Range<Int64> {
            kept.append(.init(key: 417 + number * 6000, position: number * 16 * 1152, rate: 44_100))
        }
        kept.store()
        #expect(loaded(input).estimate == places && loaded(input).index.entries.count == 40)
        kept.use(nil)
        #expect(loaded(input).estimate == nil && loaded(input).index.entries.count == 40)
    }

    @Test func damagedOnesAreNone() {
        let input = Keeping()
        var kept = loaded(input)
        kept.use(EstimatedPlaces(landing: Self.entry(600)))
        for place in input.bytes.indices where place < 88 {
            let damaged = Keeping()
            damaged.bytes = input.bytes
            damaged.bytes[place] ^= 4
            expectEqual(loaded(damaged).estimate, nil, "\(place)")
        }
    }

    @Test func theyFollowWhatIsDecodedAtADistance() throws {
        let landing = EstimatedPlaces(landing: Self.entry(600))
        expectEqual(landing.moved(to: Self.entry(719)), nil)
        let moved = try #require(landing.moved(to: Self.entry(720))?.moved(to: Self.entry(850)))
        #expect(moved.former == Self.entry(720) && moved.latest == Self.entry(850))
        func place(_ seconds: Double) -> FrameIndex.Entry? {
            moved.place(before: MediaTime(seconds: seconds), runUp: MediaTime(seconds: 1))
        }
        #expect(place(719) == nil && place(2000) == nil)
        #expect(place(720) == Self.entry(720) && place(850.5) == Self.entry(720))
        expectEqual(place(852), Self.entry(850))
    }
}
