import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// What moves on the screen with the sound, and keys of episodes on rows that only name one.
@Suite struct PlaybackOnScreenTests {
    @Test func aFailedDownloadIsTriedAgainByTheKeyOfEpisodes() {
        let daemon = SampleDaemon()
        daemon.downloads = [["id": 299, "title": "Episode 299", "state": "failed", "reason": "not found"]]
        let window = SampleWindow(daemon, first: .downloads)
        window.press("D")
        expectContains(window.daemon.asked, "episodes.download {\"what\":[\"e299\"],\"limit\":50}")
    }

    @Test func theCursorFollowsTheTranscriptFromTheLineThatIsHeard() {
        let daemon = SampleDaemon()
        daemon.transcript = (590..<640).map { second in
            ["start": .integer(second), "end": .integer(second + 1), "text": .string("said at \(second)")]
        }
        let window = SampleWindow(daemon, first: .nowPlaying)
        func shows(_ second: Int) -> Bool { window.lines.contains { $0.contains("said at \(second)") } }
        window.press(Array(repeating: "j", count: 14).joined(separator: " "))
        #expect(shows(600))
        for _ in 0..<20 {
            window.pass(.seconds(1))
            _ = window.lines
        }
        #expect(shows(620))
        // Elsewhere the cursor stays.
        window.press("k k")
        for _ in 0..<10 {
            window.pass(.seconds(1))
            _ = window.lines
        }
        #expect(!shows(630))
    }

    @Test func theFailureOfAnotherEpisodeIsOnlyInTheLastLine() {
        let window = SampleWindow(first: .nowPlaying, columns: 100)
        guard case .object(let members) = SampleWindow.playing else { return }
        window.change(.player, .object(members + [.init("error", "'Broken': cannot play this file")]))
        expectEqual(window.lines.count { $0.contains("cannot play this file") }, 1)
    }

    @Test func aBookmarkIsAtThePlaceOfTheKey() {
        let window = SampleWindow()
        window.press("'")
        window.pass(.seconds(8))
        window.type("here")
        window.press("enter")
        expectContains(window.daemon.asked.last ?? "", "\"at\":600.999")
    }

    @Test func aStarOfAnEntryIsShownInTheQueue() {
        let daemon = SampleDaemon()
        let window = SampleWindow(daemon, columns: 100)
        func isStarred() -> Bool { window.lines.contains { $0.contains("★") && $0.contains("Episode 299") } }
        #expect(!isStarred())
        var episode = SampleDaemon.episode(299, feed: 2).episode
        episode.state.isStarred = true
        daemon.queue[1].episode = EpisodeReply(episode, key: "k299")
        window.change(.episodes, rows: [299])
        #expect(isStarred(), "\(window.text)")
    }

    @Test func theSleepTimerCountsDown() throws {
        let window = SampleWindow(columns: 100)
        var player = try #require(PlayerReply(json: SampleWindow.playing))
        player.sleep = SleepTimerReply { $0.remaining = MediaTime(seconds: 100) }
        window.change(.player, player.json)
        expectEqual(window.lines.last?.contains("sleep: 1:39"), true)
        window.pass(.seconds(10))
        expectEqual(window.lines.last?.contains("sleep: 1:29"), true)
    }
}
