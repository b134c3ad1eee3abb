import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SQLite
import SystemCalls
import Testing
import TestSupport

/// Another process holds the write lock of the library, like a refresh that was stopped with Ctrl-Z.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct HeldLockTests {
    @Test func readsAreAnsweredAndEditsFailWithTheCause() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let feed = try PublishedFeed(episodes: [("One", try fixture("one-and-a-half-seconds.mp3"))], on: server)
        try client.call(Subscribe { $0.urls = [feed.feed.url] })
        let episode = "\(try #require(try client.call(ListEpisodes()).episodes.first?.episode.id))"
        try client.call(AddToQueue { ($0.what, $0.again) = ([episode], true) })

        let other = try Connection(
            path: daemon.scratch.path + "/data/library.db", busyTimeout: .seconds(60), cacheKiB: 256)
        try other.beginImmediate()
        // Several edits wait for the lock by the time of the first question.
        let editors = try (0..<4).map { _ in try daemon.connect() }
        var failures: [ClientFailure] = []
        for editor in editors {
            editor.begin(StarEpisodes { $0.what = [episode] }) {
                if case .failure(let error) = $0 { failures.append(error) }
            }
        }
        let reads: [any Command] = [
            ListFeeds(), ShowFeed { $0.feed = feed.feed.url }, ListEpisodes(), ListEpisodes { $0.search = "One" },
            ShowEpisode { $0.episode = episode }, ListHistory(), FindSpoken { $0.text = "x" }, ListQueue(), GetStatus(),
            ListPlaylists(), ShowPlaylist { $0.name = "new" }, ListRules(), ListRetention(),
        ]
        for command in reads { #expect(throws: Never.self, "\(command)") { _ = try client.call(command) } }
        // The edits are refused after all of that was answered.
        expectEqual(failures, [])
        for (count, editor) in editors.enumerated() { while failures.count <= count { try editor.process() } }
        for failure in failures {
            expectEqual(failure.code, .unavailable, "\(failure)")
            expectEqual(failure.refusal?.hint?.contains("podcast-refresh"), true, "\(failure)")
        }
        other.rollback()
        try client.call(StarEpisodes { $0.what = [episode] })
        expectEqual(daemon.stop(), .exited(0))
    }
}
