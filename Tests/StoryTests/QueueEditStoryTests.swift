import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Edits of the queue, and lists of what is new and what was heard, as they are typed.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct QueueEditStoryTests {
    @Test func aRangeIsMovedHeardEntriesAreRemovedAndTheHistoryListsWhatWasHeard() throws {
        let bytes = try minutesOfSpeech()
        let published = try PublishedFeed(episodes: (1...5).map { ("Part \($0)", bytes) })
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        func tool(_ words: String...) throws -> String {
            let run = try Programs.run("podcastctl", ["--socket", daemon.socketPath] + words)
            expectEqual(run.status, 0, "\(words): \(run.errors)")
            return run.output
        }
        func queue() throws -> [String] {
            try client.call(ListQueue()).entries.compactMap { $0.episode?.episode.title }
        }
        for part in 1...5 { _ = try tool("add", "Part \(part)") }
        try expectEqual(tool("move", "1-2", "3"), "moved 'Part 1' and 1 more to #3\n")
        try expectEqual(queue(), ["Part 3", "Part 4", "Part 1", "Part 2", "Part 5"])
        _ = try tool("undo")
        try expectEqual(queue(), ["Part 1", "Part 2", "Part 3", "Part 4", "Part 5"])
        _ = try tool("mark", "played", "Part 2", "Part 4")
        _ = try tool("remove", "heard")
        try expectEqual(queue(), ["Part 1", "Part 3", "Part 5"])
        try client.play("Part 3")
        _ = try tool("pause")
        _ = try tool("mark", "played", "Part 3", "Part 5")
        try client.play("Part 3")
        try expectContains(tool("remove", "heard"), "Part 5")
        try expectEqual(queue(), ["Part 1", "Part 3"])
        try expectOutcome(
            daemon.ctl("remove", "heard"), 66, errors: "no entry, other than the one that plays, was heard"
        )
        try client.player(.playing)
        try expectEqual(tool("crop"), "queue: 1 entry\n")
        try expectEqual(queue(), ["Part 3"])
        #expect(try !tool("history").contains("marked"))
        try expectContains(tool("history", "--all"), "marked")
        #expect(try !tool("new").contains("Part 2"))
    }
}
