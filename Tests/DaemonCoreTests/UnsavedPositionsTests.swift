@testable import DaemonCore
import PodcastModel
import TestSupport
import Testing

struct UnsavedPositionsTests {
    private let episode = EpisodeID(1)
    private let early = MediaTime(seconds: 10)
    private let late = MediaTime(seconds: 60)

    private func unsaved(_ position: MediaTime) -> UnsavedPositions.Unsaved {
        UnsavedPositions.Unsaved(position: position, time: Timestamp(seconds: 0), stored: .zero)
    }

    @Test func anUnsavedPositionCountsUntilTheLibraryHasAnotherOne() {
        var positions = UnsavedPositions()
        positions.add(unsaved(late), of: episode)
        expectEqual(positions.position(of: episode, stored: .zero), late)
        expectEqual(positions.position(of: episode, stored: early), early)
    }

    @Test func aLaterPositionReplacesTheAttemptsOfAnEarlierOne() {
        var positions = UnsavedPositions()
        positions.add(unsaved(early), of: episode)
        positions.add(unsaved(late), of: episode)
        #expect(!positions.isCurrent(unsaved(early), of: episode))
        positions.settle(unsaved(early), of: episode)
        expectEqual(positions.position(of: episode, stored: .zero), late)
        positions.settle(unsaved(late), of: episode)
        expectEqual(positions.position(of: episode, stored: .zero), .zero)
    }
}
