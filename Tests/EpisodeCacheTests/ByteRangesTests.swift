import Testing
import TestSupport

@testable import EpisodeCache

struct ByteRangesTests {
    @Test func rangesThatTouchOrOverlapAreJoined() {
        var set = ByteRanges([10..<20, 30..<40])
        set.insert(20..<25)
        expectEqual(set.ranges, [10..<25, 30..<40])
        set.insert(22..<35)
        expectEqual(set.ranges, [10..<40])
        set.insert(0..<5)
        expectEqual(set.ranges, [0..<5, 10..<40])
        set.insert(5..<5)
        expectEqual(set.ranges, [0..<5, 10..<40])
        set.insert(0..<100)
        expectEqual(set.ranges, [0..<100])
        expectEqual(set.count, 100)
    }

    @Test func anyOrderGivesTheSame() {
        let pieces: [Range<Int64>] = [0..<3, 3..<4, 10..<12, 4..<10, 20..<30, 12..<13]
        for shift in 0..<pieces.count {
            expectEqual(ByteRanges(Array(pieces[shift...] + pieces[..<shift])).ranges, [0..<13, 20..<30])
        }
    }

    @Test func endsAndStartsAreFound() {
        let set = ByteRanges([10..<20, 30..<40])
        expectEqual(set.end(from: 9), 9)
        expectEqual(set.end(from: 10), 20)
        expectEqual(set.end(from: 20), 20)
        expectEqual(set.nextStart(after: 0), 10)
        expectEqual(set.nextStart(after: 10), 30)
        expectEqual(set.nextStart(after: 40), nil)
    }

    @Test func bytesBeyondTheEndAreRemoved() {
        var set = ByteRanges([10..<20, 30..<40])
        set.truncate(at: 35)
        expectEqual(set.ranges, [10..<20, 30..<35])
        set.truncate(at: 20)
        expectEqual(set.ranges, [10..<20])
        set.truncate(at: 0)
        #expect(set.ranges.isEmpty)
    }
}
