import ControlProtocol
import ControlLanguage
import JSON
import PodcastModel
import TerminalScreens
import Testing
import TestSupport

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

    @Test func theSleepTimerCountsDown() throws {
        let window = SampleWindow(columns: 100)
        var player = try #require(PlayerReply(json: SampleWindow.playing))
        player.sleep = SleepTimerReply(.time, remaining: MediaTime(seconds: 100))
        window.change(.player, player.json)
        expectEqual(window.lines.last?.contains("sleep: 1:39"), true)
        window.pass(.seconds(10))
        expectEqual(window.lines.last?.contains("sleep: 1:29"), true)
    }
}
