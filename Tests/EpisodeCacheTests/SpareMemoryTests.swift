import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import EpisodeCache

struct SpareMemoryTests {
    private func makeSpare(_ range: Range<Int64>) -> SpareMemory {
        var spare = SpareMemory(capacity: 800)
        _ = spare.makeRoom(for: range.upperBound - range.lowerBound, at: range.lowerBound, wanted: 0)
        spare.took(range.upperBound - range.lowerBound)
        return spare
    }

    @Test func bytesThatFitReplaceNone() {
        var spare = makeSpare(1000..<1500)
        #expect(spare.makeRoom(for: 300, at: 1500, wanted: 1400).isEmpty)
        spare.took(300)
        expectEqual(spare.window, MemoryWindow(1000..<1800, capacity: 800))
    }

    @Test func playedBytesAreDroppedInLargePieces() {
        var spare = makeSpare(1000..<1800)
        expectEqual(spare.makeRoom(for: 10, at: 1800, wanted: 1700), 1000..<1100)
        spare.took(10)
        expectEqual(spare.window.range, 1100..<1810)
        #expect(spare.makeRoom(for: 10, at: 1810, wanted: 1700).isEmpty)
    }

    @Test func unplayedBytesAreDroppedOnlyAsNeeded() {
        var spare = makeSpare(1000..<1800)
        expectEqual(spare.makeRoom(for: 10, at: 1800, wanted: 1000), 1000..<1010)
    }

    @Test func bytesFromAnotherPlaceReplaceAll() {
        var spare = makeSpare(1000..<1800)
        expectEqual(spare.makeRoom(for: 10, at: 5000, wanted: 5000), 1000..<1800)
        spare.took(10)
        expectEqual(spare.window.range, 5000..<5010)
    }

    @Test func theDiskIsRetriedAfterTheDelay() {
        var spare = SpareMemory(capacity: 800)
        #expect(spare.triesDisk(now: start) && !spare.mayTryDisk(now: start))
        spare.diskRefused("full", until: start + second * 5)
        #expect(!spare.triesDisk(now: start + second * 4) && !spare.mayTryDisk(now: start + second * 4))
        #expect(spare.triesDisk(now: start + second * 5) && spare.mayTryDisk(now: start + second * 5))
        spare.diskTook()
        #expect(spare.shortage == nil && spare.window.range.isEmpty)
    }

    @Test func bytesAreRemovedFromRanges() {
        var ranges = ByteRanges([0..<100, 200..<300])
        ranges.remove(50..<60)
        ranges.remove(90..<210)
        expectEqual(ranges.ranges, [0..<50, 60..<90, 210..<300])
        ranges.remove(0..<1000)
        #expect(ranges.ranges.isEmpty)
    }
}
