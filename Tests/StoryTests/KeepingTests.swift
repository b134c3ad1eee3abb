import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Undo, backups and the check, from the command line.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct KeepingTests {
    private func titles(_ daemon: RunningDaemon) throws -> [String?] {
        let queue = try daemon.connect().call(ListQueue()).entries
        return queue.map { $0.episode?.episode.title }
    }

    @Test func aFeedThatWasUnsubscribedFromComesBackWithItsState() throws {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Second", audio), ("First", audio)])
        let scratch = try Scratch()
        var daemon = try RunningDaemon(in: scratch)
        try expectEqual(daemon.ctl("subscribe", published.feed.url).status, 0)
        try expectEqual(daemon.ctl("add", "First", "Second").status, 0)
        try expectEqual(daemon.ctl("star", "Second").status, 0)
        try expectEqual(daemon.ctl("note", "First", "remember").status, 0)
        try expectEqual(daemon.ctl("set", "Test feed", "tags", "news").status, 0)
        let gone = try daemon.ctl("unsubscribe", published.feed.url).output
        #expect(gone.contains("unsubscribed from Test feed") && gone.contains("kept for 30 days"))
        try expectEqual(titles(daemon), [])
        try expectContains(daemon.ctl("undo", "--list").output, "unsubscribe")
        daemon.kill()
        daemon = try RunningDaemon(in: scratch)
        try expectEqual(daemon.ctl("undo").output, "undid unsubscribe of Test feed\n")
        try expectEqual(titles(daemon), ["First", "Second"])
        try expectEqual(daemon.ctl("redo").output, "redid unsubscribe of Test feed\n")
        try expectEqual(titles(daemon), [])
        let again = try daemon.ctl("subscribe", published.feed.url).output
        #expect(again.contains("subscribed to Test feed again (2 episodes)") && again.contains("it was kept"))
        try expectContains(daemon.ctl("episodes", "--starred").output, "Second")
        try expectContains(daemon.ctl("feeds").output, "Test feed")
    }

    @Test func aSeekIsUndoneDuringPlayback() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(Play { ($0.what, $0.position) = ("Long", .absolute(MediaTime(seconds: 5))) })
        try client.player(.playing)
        try client.call(Pause())
        // Whether an episode counts as heard depends on its duration, which the file tells while it is read.
        while try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.duration == nil {}
        let before = try #require(try client.call(GetStatus()).player.position?.seconds)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 30)) })
        let undone = try client.call(Undo())
        expectEqual(undone.act, .seek)
        expectEqual(undone.title, "Long")
        let position = try #require(try client.call(GetStatus()).player.position?.seconds)
        #expect(abs(position - before) < 0.05, "\(position) after \(before)")
        let saved = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
        #expect(abs(saved - before) < 0.05)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 20)) })
        try client.call(Stop())
        let history = try daemon.ctl("history", "--format", "{event}")
        expectEqual(history.output, "heard\n", "one sitting; \(history)")
        let all = try daemon.ctl("history", "--all", "--format", "{event}").output.split(separator: "\n")
        #expect(all.count { $0 == "heard" } == 2 && all.contains("left"), "the pause and the stop; \(all)")
    }

    @Test func theCheckRefusesALibraryInUseAndNamesTheDaemon() throws {
        let daemon = try RunningDaemon()
        try expectOutcome(
            Programs.run("podcastd", RunningDaemon.places(daemon.scratch) + ["check"]), 69,
            errors: "process \(daemon.process.processID)")
        expectEqual(daemon.stop(), .exited(0))
        let fine = try Programs.run("podcastd", RunningDaemon.places(daemon.scratch) + ["check", "--json"])
        expectEqual(fine.status, 0)
        let report = try JSONValue(parsing: fine.output)
        let outcomes = report["checks"]?.arrayValue?.map { $0["outcome"]?.stringValue }
        expectEqual(outcomes, Array(repeating: "ok", count: 12))
    }

    @Test func aDamagedLibraryIsReportedAndRepaired() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        _ = daemon.stop()
        let arguments = RunningDaemon.places(scratch) + ["check"]
        // The check also writes the daemon's WAL into the file.
        try expectEqual(Programs.run("podcastd", arguments).status, 0)
        let path = scratch.path + "/data/library.db"
        var bytes = try Data(contentsOf: URL(filePath: path))
        let pages = 3 * 4096..<8 * 4096
        bytes.replaceSubrange(pages, with: Data(repeating: 9, count: pages.count))
        try bytes.write(to: URL(filePath: path))
        let damaged = try Programs.run("podcastd", arguments)
        expectEqual(damaged.status, 65)
        #expect(damaged.output.hasPrefix("damaged   structure"))
        expectContains(damaged.output, "run 'podcastd check --repair'")
        try expectOutcome(Programs.run("podcastd", arguments + ["--repair"]), 0)
        try expectEqual(Programs.run("podcastd", arguments).status, 0)
        let again = try RunningDaemon(in: scratch)
        try expectEqual(again.connect().call(ListQueue()).extent.length, 0)
    }

    @Test func withoutALibraryTheCheckReportsThat() throws {
        let scratch = try Scratch()
        try expectOutcome(Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"]), 66, errors: "--data-dir")
    }
}
