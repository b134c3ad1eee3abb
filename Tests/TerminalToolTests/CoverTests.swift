import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// Covers beside rows, on a terminal with cells of 8 by 16 pixels.
@Suite struct CoverTests {
    private let daemon = SampleDaemon()

    init() { daemon.cover = (160, 160) }

    private func window(
        _ first: ScreenName = .nowPlaying, columns: Int = 100, lines: Int = 30, cell: CellSize? = .usual
    ) -> SampleWindow {
        SampleWindow(daemon, first: first, columns: columns, lines: lines, pictureCell: cell)
    }

    private var asked: [String] { daemon.asked.filter { $0.hasPrefix("episodes.picture") } }

    @Test(arguments: [ScreenName.nowPlaying, .episode(EpisodeID(300))])
    func theCoverIsAtTheUpperRightAndRowsLeaveItRoom(_ screen: ScreenName) throws {
        let window = window(screen)
        let picture = try #require(window.picture)
        expectEqual(picture.size, Size(columns: 20, lines: 10))
        #expect(picture.column == 80 && picture.line == 1)
        #expect(window.lines[1...].dropLast().allSatisfy { !$0.contains { $0 != "\u{A0}" } || $0.count <= 100 })
        expectEqual(asked, ["episodes.picture {\"what\":\"e300\",\"size\":208,\"encoding\":\"ppm\"}"])
    }

    @Test func aCoverIsAskedForOnce() {
        let window = window()
        for _ in 0..<5 { window.press("j 2 1") }
        expectEqual(asked.count, 1)
    }

    @Test(arguments: [(60, 30), (100, 11), (20, 5), (0, 0)])
    func aSmallScreenHasNoCover(_ columns: Int, _ lines: Int) {
        expectEqual(window(columns: columns, lines: lines).picture, nil)
    }

    @Test func aTerminalWithoutPicturesAsksForNone() {
        expectEqual(window(cell: nil).picture, nil)
        #expect(asked.isEmpty)
    }

    @Test func anEpisodeWithoutACoverHasItsWholeWidth() {
        daemon.cover = nil
        let window = window()
        expectEqual(window.picture, nil)
        expectEqual(window.text, SampleWindow(first: .nowPlaying, columns: 100, lines: 30).text)
        expectEqual(asked.count, 1)
    }

    @Test func aCoverThatIsLargerThanWasAskedForIsNotShown() {
        daemon.cover = (800, 800)
        expectEqual(window().picture, nil)
    }

    @Test func textOverTheCoverTakesItAwayUntilItIsGone() {
        let window = window()
        window.press("w")
        expectEqual(window.picture, nil)
        window.press("w")
        #expect(window.picture != nil)
    }

    @Test func theNextEpisodeHasItsOwnCover() {
        let window = window()
        #expect(window.picture != nil)
        daemon.isSlow = true
        window.change(
            .player, ["state": "playing", "position": 0, "episode": ["id": 299, "entry": 41, "title": "Episode 299"]])
        expectEqual(window.picture, nil, "the former cover is not shown for another episode")
        daemon.cover = (80, 160)
        daemon.answer()
        _ = window.picture
        daemon.answer()
        expectEqual(window.picture?.size, Size(columns: 10, lines: 10))
        expectEqual(asked.last?.contains("e299"), true)
    }

    @Test func thePlayingPositionLeavesTheCoverAlone() {
        let window = window()
        let before = window.picture
        window.pass(.seconds(1))
        expectEqual(window.picture, before)
    }
}
