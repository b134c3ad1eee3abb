import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// `merges`, `split` and `join`, from the command line and over the socket.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct MergeCommandsTests {
    private func serve(_ items: [(guid: String, title: String, day: Int)], on server: LoopbackServer) -> String {
        let text = items.map { item in
            """
            <item><title>\(item.title)</title><guid>\(item.guid)</guid>
            <pubDate>Mon, \(10 + item.day) Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="https://cdn.example/\(item.day).mp3" type="audio/mpeg" length="1"/></item>
            """
        }.joined()
        let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Show</title>\(text)</channel></rss>"
        let etag = "\"\(items.map(\.guid).joined(separator: "-"))\""
        let answer = Answer.resource(Resource(Array(feed.utf8), contentType: "application/rss+xml", etag: etag))
        server.serveOtherwise { _ in answer }
        return server.url("/feed.xml")
    }

    private func titles(_ client: DaemonConnection) throws -> [String] {
        try client.call(ListEpisodes()).episodes.map(\.episode.title)
    }

    @Test func aMergeIsListedUndoneAndMadeByHand() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try expectEqual(daemon.ctl("subscribe", serve([("a", "First", 1), ("b", "Second", 2)], on: server)).status, 0)
        try expectEqual(daemon.ctl("merges").output, "")
        try expectEqual(daemon.ctl("star", "First").status, 0)
        _ = serve([("renewed", "First", 1), ("b", "Second", 2)], on: server)
        try expectEqual(daemon.ctl("refresh", "--force").status, 0)
        let merge = try #require(try client.call(ListMerges()).merges.first)
        #expect(merge.kind == .url && !merge.isUndone)
        #expect(merge.before.guid == "a" && merge.after.guid == "renewed")
        let id = merge.id
        let ofShow = try daemon.ctl("merges", "Show")
        expectContains(ofShow.output, "matched by address", "\(ofShow)")

        let split = try client.call(SplitMerge { $0.merge = id })
        expectEqual(split.kept, merge.episode)
        try expectEqual(titles(client), ["Second", "First", "First"])
        let again = try daemon.ctl("split", "\(id)")
        #expect(again.status != 0 && again.errors.contains("already undone"), "\(again)")
        try expectContains(daemon.ctl("merges").output, "undone: ")

        let (kept, other) = (split.kept, split.other)
        try expectOutcome(daemon.ctl("join", "\(other)", "\(kept)"), 0, output: "joined into episode \(other.label)")
        try expectEqual(titles(client), ["Second", "First"])
        try expectContains(daemon.ctl("episodes", "--starred").output, "First")
        try expectEqual(daemon.ctl("refresh", "--force").status, 0)
        try expectEqual(titles(client), ["Second", "First"])
        #expect(throws: ClientFailure.self) {
            try client.call(JoinEpisodes { ($0.episode, $0.other) = ("\(other)", "\(other)") })
        }
    }

    @Test func episodesThatLeftTheirFeedAreMarked() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let url = serve([("a", "First", 1), ("b", "Second", 2)], on: server)
        try expectOutcome(daemon.ctl("subscribe", url), 0)
        _ = serve([("b", "Second", 2)], on: server)
        try expectEqual(daemon.ctl("refresh", "--force").status, 0)
        let gone = try daemon.ctl("episodes", "--gone").output
        #expect(gone.contains("First") && !gone.contains("Second"), "\(gone)")
        try expectContains(daemon.ctl("show", "First").output, "no longer")
    }
}
