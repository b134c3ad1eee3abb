import PodcastModel
import TestSupport
import Testing

struct ChangeOrderTests {
    /// Changes of one subject with few times, devices and values, so that each pair is often equal in some of them.
    private static func changes(_ random: inout SeededNumbers) -> [LibraryChange] {
        let values: [LibraryChange.Value?] = [
            nil, .init(position: .zero), .init(position: MediaTime(seconds: 100)),
            .init(position: .zero, isPlayed: true),
            .init(text: "a"), .init(text: "b"), .init(place: 1), .init(skipTo: MediaTime(seconds: 100)),
        ]
        return (0..<3).map { _ in
            let time = Timestamp(milliseconds: [0, 1_000, 1_500, 2_000].randomElement(using: &random)!)
            return LibraryChange(
                .init(.playback), values.randomElement(using: &random)!, at: time,
                in: ["", "library", "phone"].randomElement(using: &random)!)
        }
    }

    @Test func anyChangesHaveOneOrder() {
        var random = SeededNumbers(state: 20_261_201)
        for _ in 0..<20_000 {
            let changes = Self.changes(&random)
            let (one, two, three) = (changes[0], changes[1], changes[2])
            #expect(!one.isLater(than: one))
            #expect(!(one.isLater(than: two) && two.isLater(than: one)), "\(one) \(two)")
            if !one.isLater(than: two), !two.isLater(than: one) { expectEqual(one.value, two.value) }
            if one.isLater(than: two), two.isLater(than: three) {
                #expect(one.isLater(than: three), "\(one) \(two) \(three)")
            }
        }
    }

    @Test func timeThenDeviceThenContentDecides() {
        func change(_ milliseconds: Int64, _ device: String, _ seconds: Double, isPlayed: Bool = false) -> LibraryChange
        {
            LibraryChange(
                .init(.playback), .init(position: MediaTime(seconds: seconds), isPlayed: isPlayed),
                at: Timestamp(milliseconds: milliseconds), in: device)
        }
        #expect(change(1_500, "a", 1).isLater(than: change(1_000, "b", 9)))
        #expect(change(1_000, "b", 1).isLater(than: change(1_000, "a", 9)))
        #expect(change(1_000, "a", 9).isLater(than: change(1_000, "a", 1)))
        #expect(change(1_000, "a", 0, isPlayed: true).isLater(than: change(1_000, "a", 9)))
        // A change without a time gets the instant after what was sent, and no device.
        #expect(change(1_001, "", 1).isLater(than: change(1_000, "library", 1)))
        #expect(!change(1_001, "", 1).isLater(than: change(1_001, "library", 1)))
    }
}
