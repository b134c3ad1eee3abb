import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Testing
import TestSupport

@Suite struct MergeViewTests {
    private static var merges: MergeListReply {
        var list: [MergeReply] = []
        for (place, kind) in MergeReply.Kind.allCases.enumerated() {
            var merge = MergeReply()
            merge.id = Int64(20 - place)
            merge.time = Timestamp(year: 2026, month: 11, day: 19)
            merge.kind = kind
            merge.feed = FeedID(1)
            merge.feedTitle = "The Example Podcast"
            merge.episode = kind == .otherFeed ? nil : EpisodeID(Int64(800 + place))
            merge.other = [.reusedGUID, .split, .joined].contains(kind) ? EpisodeID(77) : nil
            merge.before = PublishedNamesReply(guid: "a", url: "https://example.test/a.mp3", title: "Before")
            merge.after = PublishedNamesReply(guid: "b\u{7}", url: nil, title: place == 1 ? nil : "A\u{1B}[1m title")
            merge.isUndone = place == 2
            list.append(merge)
        }
        return MergeListReply(list)
    }

    @Test func decisionsStandInColumnsWithTheirReasons() throws {
        let tool = try ToolRun()
        tool.daemon.reply(to: "merges.list", Self.merges.json)
        tool.daemon.reply(to: "merges.split", EpisodeSplitReply(kept: EpisodeID(1), other: EpisodeID(2)).json)
        tool.daemon.reply(to: "merges.join", EpisodesJoinedReply(merge: 3, episode: EpisodeID(1)).json)
        var text = ""
        for line in ["merges", "split 3", "join 1 2"] {
            text += "$ podcastctl \(line)\n" + (try tool.run(line, width: 100).output)
        }
        tool.daemon.reply(to: "merges.list", MergeListReply().json)
        text += "$ podcastctl merges\n" + (try tool.run("merges", width: 100).output)
        expectGolden(text, "merges.txt")
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
    }

    @Test func programsGetTheAnswerAsItIs() throws {
        let tool = try ToolRun()
        tool.daemon.reply(to: "merges.list", Self.merges.json)
        let json = try JSONValue(parsing: try tool.run("merges --json").output)
        let read = MergeListReply(json: json)?.merges ?? []
        expectEqual(read.map(\.kind), MergeReply.Kind.allCases)
        expectEqual(read.map(\.isUndone), Self.merges.merges.map(\.isUndone))
        expectEqual(read.map(\.other), Self.merges.merges.map(\.other))
    }
}
