import ChildProcess
import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing

/// Undo, backups and the check, from the command line.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct KeepingTests {
    private func ctl(
        _ daemon: RunningDaemon, _ arguments: String...
    ) throws -> (status: Int32?, output: String, errors: String) {
        try Programs.run("podcastctl", ["--socket", daemon.socketPath] + arguments)
    }

    private func titles(_ daemon: RunningDaemon) throws -> [String?] {
        let queue = try daemon.connect().call(ListQueue()).entries
        return queue.map { $0.episode?.episode.title }
    }

    @Test func actionsAreUndoneOneByOneAlsoAfterARestart() throws {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Third", audio), ("Second", audio), ("First", audio)])
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            #expect(try ctl(daemon, "undo").status == 65)
            #expect(try ctl(daemon, "undo").errors.contains("there is nothing to undo"))
            #expect(try ctl(daemon, "subscribe", published.feed.url).status == 0)
            #expect(try ctl(daemon, "add", "First", "Second", "Third").status == 0)
            #expect(try ctl(daemon, "mark", "played", "Second").status == 0)
            #expect(try ctl(daemon, "remove", "2").status == 0)
            #expect(try ctl(daemon, "clear").status == 0)
            daemon.kill()
        }
        let daemon = try RunningDaemon(in: scratch)
        #expect(try ctl(daemon, "undo").output == "undid clear: 2 entries back in the queue\n")
        #expect(try ctl(daemon, "undo", "--list").output.hasSuffix("clear\t2\tFirst\tredo\n"))
        #expect(try titles(daemon) == ["First", "Third"])
        #expect(try ctl(daemon, "undo").output == "undid remove: 1 entry back in the queue\n")
        #expect(try titles(daemon) == ["First", "Second", "Third"])
        #expect(try ctl(daemon, "undo").output == "undid played: Second as before\n")
        #expect(try ctl(daemon, "undo").output == "undid add: 3 entries removed from the queue\n")
        #expect(try titles(daemon) == [])
        #expect(try ctl(daemon, "undo").output == "undid subscribe of Test feed\n")
        #expect(try ctl(daemon, "undo").status == 65)
        for act in ["subscribe of Test feed", "add of First and 2 more"] {
            #expect(try ctl(daemon, "redo").output == "redid \(act)\n")
        }
        #expect(try titles(daemon) == ["First", "Second", "Third"])
        // Another act ends what can be done again.
        #expect(try ctl(daemon, "remove", "1").status == 0)
        #expect(try ctl(daemon, "redo").errors.contains("there is nothing to redo"))
    }

    @Test func aFeedThatWasUnsubscribedFromComesBackWithEverything() throws {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Second", audio), ("First", audio)])
        let scratch = try Scratch()
        var daemon = try RunningDaemon(in: scratch)
        #expect(try ctl(daemon, "subscribe", published.feed.url).status == 0)
        #expect(try ctl(daemon, "add", "First", "Second").status == 0)
        #expect(try ctl(daemon, "star", "Second").status == 0)
        #expect(try ctl(daemon, "note", "First", "remember").status == 0)
        #expect(try ctl(daemon, "set", "Test feed", "tags", "news").status == 0)
        let gone = try ctl(daemon, "unsubscribe", published.feed.url).output
        #expect(gone.contains("unsubscribed from Test feed") && gone.contains("kept for 30 days"))
        #expect(try titles(daemon) == [])
        #expect(try ctl(daemon, "undo", "--list").output.contains("unsubscribe"))
        daemon.kill()
        daemon = try RunningDaemon(in: scratch)
        #expect(try ctl(daemon, "undo").output == "undid unsubscribe of Test feed\n")
        #expect(try titles(daemon) == ["First", "Second"])
        #expect(try ctl(daemon, "redo").output == "redid unsubscribe of Test feed\n")
        #expect(try titles(daemon) == [])
        let again = try ctl(daemon, "subscribe", published.feed.url).output
        #expect(again.contains("subscribed to Test feed again (2 episodes)") && again.contains("it was kept"))
        #expect(try titles(daemon) == ["First", "Second"])
        #expect(try ctl(daemon, "episodes", "--starred").output.contains("Second"))
        #expect(try ctl(daemon, "feeds").output.contains("Test feed"))
    }

    @Test func undoingAnAdditionKeepsTheEntryThatPlays() throws {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: ["Fourth", "Third", "Second", "First"].map { ($0, audio) })
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.watch([.player])
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.call(AddToQueue { $0.what = ["First", "Second", "Third"] })
        try client.call(Play { $0.what = "Second" })
        try client.player(.playing)
        try client.call(InsertIntoQueue { $0.what = ["Fourth"] })
        #expect(try titles(daemon) == ["First", "Second", "Fourth", "Third"])
        #expect(try ctl(daemon, "undo").output == "undid add: Fourth removed from the queue\n")
        #expect(try titles(daemon) == ["First", "Second", "Third"])
        #expect(try ctl(daemon, "undo").output == "undid add: 2 entries removed from the queue\n")
        #expect(try titles(daemon) == ["Second"])
        #expect(try client.call(GetStatus()).player.state == .playing)
        #expect(try ctl(daemon, "undo").output == "undid subscribe of Test feed\n")
        #expect(try client.call(GetStatus()).player.state == .stopped)
        #expect(try ctl(daemon, "undo").errors.contains("there is nothing to undo"))
    }

    @Test func aSeekIsUndoneDuringPlayback() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.watch([.player])
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.call(Play { ($0.what, $0.position) = ("Long", .absolute(MediaTime(seconds: 5))) })
        try client.player(.playing)
        try client.call(Pause())
        let before = try #require(try client.call(GetStatus()).player.position?.seconds)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 30)) })
        let undone = try client.call(Undo())
        #expect(undone.act == .seek)
        #expect(undone.title == "Long")
        let position = try #require(try client.call(GetStatus()).player.position?.seconds)
        #expect(abs(position - before) < 0.05, "\(position) after \(before)")
        let saved = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
        #expect(abs(saved - before) < 0.05)
        #expect(try ctl(daemon, "history").output.contains("Long"))
    }

    @Test func aBackupIsWrittenWhileTheDaemonRuns() throws {
        let daemon = try RunningDaemon()
        let backup = try ctl(daemon, "backup")
        #expect(backup.status == 0)
        let path = backup.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(path.hasPrefix(daemon.scratch.path + "/data/backups/library-1-"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func theCheckRefusesALibraryInUseAndNamesTheDaemon() throws {
        let daemon = try RunningDaemon()
        let refused = try Programs.run("podcastd", RunningDaemon.places(daemon.scratch) + ["check"])
        #expect(refused.status == 69)
        #expect(refused.errors.contains("process \(daemon.process.processID)"))
        #expect(daemon.stop() == .exited(0))
        let fine = try Programs.run("podcastd", RunningDaemon.places(daemon.scratch) + ["check", "--json"])
        #expect(fine.status == 0)
        let report = try JSONValue(parsing: fine.output)
        #expect(report["outcome"]?.stringValue == "fine")
        #expect(report["checks"]?.arrayValue?.count == 11)
    }

    @Test func aDamagedLibraryIsReportedAndRepaired() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        _ = daemon.stop()
        let arguments = RunningDaemon.places(scratch) + ["check"]
        // It also takes the daemon's log into the file.
        #expect(try Programs.run("podcastd", arguments).status == 0)
        let path = scratch.path + "/data/library.db"
        var bytes = try Data(contentsOf: URL(filePath: path))
        let pages = 3 * 4096..<8 * 4096
        bytes.replaceSubrange(pages, with: Data(repeating: 9, count: pages.count))
        try bytes.write(to: URL(filePath: path))
        let damaged = try Programs.run("podcastd", arguments)
        #expect(damaged.status == 65)
        #expect(damaged.output.hasPrefix("damaged   structure"))
        #expect(damaged.output.contains("run 'podcastd check --repair'"))
        let repaired = try Programs.run("podcastd", arguments + ["--repair"])
        #expect(repaired.status == 0, "\(repaired)")
        #expect(try Programs.run("podcastd", arguments).status == 0)
        let again = try RunningDaemon(in: scratch)
        #expect(try again.connect().call(ListQueue()).extent.length == 0)
    }

    @Test func withoutALibraryTheCheckReportsThat() throws {
        let scratch = try Scratch()
        let result = try Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"])
        #expect(result.status == 66)
        #expect(result.errors.contains("--data-dir"))
    }
}
