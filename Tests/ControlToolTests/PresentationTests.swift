import CommandLineTool
import ControlLanguage
import ControlProtocol
import ControlTool
import Foundation
import JSON
import LineServing
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct PresentationTests {
    private let tool: ToolRun

    init() throws { tool = try ToolRun() }

    @Test func theTimeOfTheQueueIsShownToPeopleOnly() throws {
        tool.reply("queue.list", Samples.queue)
        try expectContains(tool.run("queue", width: 72).output, "\nat least 3:12:05 left\n")
        tool.reply("status.get", StatusReply { $0.player.queueRemaining.time = MediaTime(seconds: 61) }.json)
        try expectContains(tool.run("status --plain").output, "\nqueue left: 1:01\n")
        try #expect(!tool.run("queue").output.contains("left\n"))
        try expectContains(tool.run("queue --json").output, #""remaining":{"time":11525.0,"exact":false}"#)
    }

    @Test func aRefreshSaysWhichImportedEpisodesItFound() throws {
        tool.reply(
            "feeds.refresh", ["refreshed": 3, "newEpisodes": 1, "importedFound": 5, "importedWaiting": 2])
        try expectContains(
            tool.run("refresh").output,
            "3 feeds refreshed, 1 new episode, 5 imported episodes found; 2 still missing, see 'podcastctl doctor'")
    }

    @Test(
        arguments: [
            ("set", 0, "volume", nil, "undid set: volume as before", "redid set: volume"),
            ("clear", 2, nil, nil, "undid clear: 2 entries back in the queue", nil),
            ("remove", 1, nil, nil, "undid remove: 1 entry back in the queue", nil),
            ("played", 1, nil, nil, "undid played: One as before", nil),
            ("add", 3, nil, nil, "undid add: 3 entries removed from the queue", "redid add of One and 2 more"),
            ("subscribe", 1, "A", nil, "undid subscribe of A", "redid subscribe of A"),
            ("output", 0, "null", nil, "undid output: null as before", "redid output: null"),
            ("rule", 0, "type:trailer then skip", "changed", "undid rule: type:trailer then skip as before", nil),
            ("playlist", 0, "Loop", "removed", "undid playlist: Loop is removed", nil),
            ("retention", 0, "all feeds", nil, "undid retention: the policy of all feeds as before", nil),
            (
                "rules", 2, nil, nil, "undid changes by rules: One and 1 other episode as before",
                "redid changes by rules: One and 1 more"
            ),
            ("bookmark", 1, nil, nil, "undid bookmark: the bookmarks of One are as before", "redid bookmark of One"),
            ("unsubscribe", 2, "A and 1 other feed", nil, "undid unsubscribe of A and 1 other feed", nil),
        ] as [(String, Int, String?, String?, String, String?)])
    func whatWasUndoneIsASentence(
        act: String, count: Int, subject: String?, outcome: String?, undone: String, redone: String?
    ) throws {
        let reply: JSONValue = [
            "act": .string(act), "count": .integer(Int64(count)), "title": "One",
            "subject": subject.map { .string($0) } ?? .null, "outcome": outcome.map { .string($0) } ?? .null,
        ]
        for name in ["undo", "redo"] { tool.reply("playback.\(name)", reply) }
        tool.reply("playback.undoable", ["acts": []])
        try expectEqual(tool.run("undo").output, undone + "\n")
        if let redone { try expectEqual(tool.run("redo").output, redone + "\n") }
    }

    @Test(arguments: [40, 60, 80, 120])
    func nothingIsWiderThanTheTerminal(width: Int) throws {
        tool.reply("status.get", Samples.status.json)
        tool.reply("queue.list", Samples.queue)
        tool.reply("feeds.list", Samples.feeds)
        tool.reply("episodes.list", Samples.list)
        for line in ["status", "queue", "feeds", "episodes"] {
            let output = try tool.run(line, width: width).output
            for text in output.split(separator: "\n") {
                #expect(TerminalText.width(of: String(text)) <= width, "\(line): \(text)")
            }
        }
    }

    @Test func aSearchForExcludedWordsHasAHint() throws {
        tool.reply("episodes.list", EpisodeListReply().json)
        try expectContains(tool.run("search -- -crumb -bread").errors, "no episodes, because all words are excluded")
        try expectContains(tool.run("episodes --search=-crumb").errors, "because all words are excluded")
        try expectContains(tool.run("search cake -crumb").errors, "unknown option '-c'")
        try expectContains(tool.run("search -- cake -crumb").errors, "podcastctl: no episodes\n")
        try expectContains(tool.run("search -foo").errors, "for a word that begins with -: podcastctl search -- -foo;")
    }

    @Test func listsStandInColumns() throws {
        tool.reply("queue.list", Samples.queue)
        tool.reply("feeds.list", Samples.feeds)
        tool.reply("episodes.list", Samples.list)
        var text = ""
        for line in ["queue", "feeds", "episodes"] {
            for width in [nil, 72] { text += "$ podcastctl \(line)\n" + (try tool.run(line, width: width).output) }
        }
        expectGolden(text, "lists.txt")
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\u{7}"))
    }

    @Test func aSpeedThatIsNotHeardIsSaid() throws {
        var player = PlayerReply()
        (player.state, player.speed, player.heardSpeed) = (.playing, 1.5, 1)
        (player.position, player.duration) = (MediaTime(seconds: 30), MediaTime(seconds: 150))
        player.episode = PlayerReply.PlayingEpisode { $0.title = "Episode" }
        tool.reply("status.get", StatusReply { $0.player = player }.json)
        try expectContains(tool.run("status").output, "speed 1.5 (the output plays at 1), 2:00 left")
        try expectContains(tool.run("status --plain").output, "remaining: 2:00\nspeed: 1.5 (the output plays at 1)\n")
        tool.reply("playback.speed", SpeedReply(1.5, heardSpeed: 1).json)
        try expectContains(tool.run("speed 1.5").output, "speed 1.5; the output plays at speed 1")
        var radio = OutputReply(OutputSetup("radio", "upnp:Radio"))
        radio.isAtSpeedOne = true
        tool.reply("outputs.list", OutputListReply([radio]).json)
        try expectContains(tool.run("outputs").output, "plays at speed 1")
    }

    @Test func theStatusIsAFewLines() throws {
        tool.reply("status.get", Samples.status.json)
        var text = ""
        for line in ["status", "status --plain", "status --json"] {
            text += "$ podcastctl \(line)\n" + (try tool.run(line, width: 80).output)
        }
        var stopped = PlayerReply()
        stopped.reason = "ended"
        stopped.error = "the file is not there: 404"
        tool.reply(
            "status.get",
            StatusReply {
                ($0.player, $0.queue, $0.outputs, $0.activities) = (
                    stopped, QueueExtent(), [OutputReply(OutputSetup("kitchen", "alsa:hw:1"))],
                    []
                )
            }.json)
        for line in ["status", "status --plain"] {
            text += "$ podcastctl \(line)\n" + (try tool.run(line, width: 80).output)
        }
        expectGolden(text, "status.txt")
    }

    @Test func anEpisodeIsShownInFull() throws {
        var members: [JSONValue.Member] = []
        if case .object(let all) = Samples.episodes[0].json { members = all }
        members.append(
            .init("summary", "First & foremost: notes.\n\none\ntwo \u{1F3A7}\n\u{1B}]0;title\u{7}"))
        members.append(.init("content", nil))
        members.append(.init("chapters", [["start": 0, "title": "Intro"], ["start": 61.5, "title": nil]]))
        tool.reply("episodes.show", .object(members))
        expectGolden(try tool.run("show 812", width: 60).output, "show.txt")
    }

    @Test func styleIsUsedWhereThereIsSome() throws {
        tool.reply("status.get", Samples.status.json)
        #expect(try tool.run("status", width: 80, style: true).output.hasPrefix("\u{1B}[1mEpisode 42"))
        #expect(try !tool.run("status --no-color", width: 80, style: true).output.contains("\u{1B}"))
    }

    @Test func aLongQueueIsReadPageByPage() throws {
        func page(_ indexes: ClosedRange<Int>, more: Bool) -> JSONValue {
            let entries = indexes.map {
                EntryReply(id: EntryID(Int64($0)), index: $0, isCurrent: false, episode: Samples.episodes[0]).json
            }
            return ["entries": .array(entries), "length": 5, "index": nil, "hasAfter": .bool(more)]
        }
        tool.daemon.pages(
            of: "queue.list", [page(1...2, more: true), page(3...4, more: true), page(5...5, more: false)])
        let json = try JSONValue(parsing: try tool.run("queue --json").output)
        expectEqual(json["entries"]?.arrayValue?.compactMap { $0["index"]?.integerValue }, [1, 2, 3, 4, 5])
        expectEqual(json["hasAfter"], false)
        expectEqual(tool.daemon.calls(of: ListQueue.self).map(\.after), [0, 2, 4])
    }

    @Test func aServerThatPagesForEverIsNotFollowed() throws {
        let entry = EntryReply(id: EntryID(1), index: 1, isCurrent: false, episode: Samples.episodes[0]).json
        tool.reply("queue.list", ["entries": [entry], "length": 9, "hasAfter": true])
        try expectEqual(tool.run("queue --json").status, .success)
    }

    @Test func answersThatAreNoListsAreALine() throws {
        tool.reply("playback.volume", ["volume": 35])
        tool.reply("playback.seek", ["position": 754.2])
        tool.reply("queue.add", ["entries": [1, 2], "length": 7])
        tool.reply("queue.clear", ["length": 0])
        tool.reply(
            "episodes.star",
            ["episodes": [1], "named": [["what": "812", "kind": "episode", "title": "The Pilot", "count": 1]]])
        tool.reply("episodes.mark", ["episodes": [1, 2]])
        tool.reply("feeds.export", ["document": "<opml>\n</opml>\n"])
        tool.reply("activities.list", ["activities": []])
        try expectEqual(tool.run("volume +5").output, "volume 35 %\n")
        try expectEqual(tool.run("seek 12:34").output, "12:34\n")
        try expectEqual(tool.run("add a b").output, "queued 2 episodes (7 in queue)\n")
        try expectEqual(tool.run("clear").output, "queue: 0 entries\n")
        try expectEqual(tool.run("star 812").output, "starred: The Pilot\n")
        #expect(tool.daemon.calls(of: ShowEpisode.self).isEmpty)
        try expectEqual(tool.run("mark unplayed 1 2").output, "marked as unplayed: 2 episodes\n")
        try expectEqual(tool.run("export").output, "<opml>\n</opml>\n")
        try expectEqual(tool.run("activities", width: 80).output, "no activity\n")
        #expect(try tool.run("version").output.hasPrefix("podcastctl \(ProductVersion.current)\n"))
    }

    @Test func aQueuedEpisodeIsNamed() throws {
        let named: JSONValue = [
            ["what": "10", "kind": "episode", "id": 10, "title": "Evil\u{1B}[2J second line", "count": 1]
        ]
        tool.reply("queue.insert", ["entries": [42], "length": 3, "named": named])
        try expectEqual(tool.run("insert 10").output, "queued 'Evil[2J second line' (3 in queue)\n")
        // A daemon of an earlier version does not say what was named.
        tool.reply("queue.insert", ["entries": [7], "length": 1])
        try expectEqual(tool.run("insert 10").output, "queued 1 episode (1 in queue)\n")
    }

    @Test func ofSeveralWordsTheAnswerSaysWhatEachBecame() throws {
        let named: JSONValue = [
            ["what": "pilot", "kind": "episode", "id": 3124, "title": "Pilot", "count": 1],
            ["what": "news", "kind": "feed", "id": 5, "title": "News", "count": 3],
            ["what": "filter:is:starred", "kind": "filter", "count": 0],
        ]
        tool.reply("queue.add", ["entries": [1, 2, 3, 4], "length": 9, "named": named])
        tool.reply("episodes.mark", ["episodes": [1, 2, 3, 4], "named": named])
        let rows = "e3124 Pilot\nf5 News: 3 episodes\nfilter:is:starred: 0 episodes\n"
        try expectEqual(tool.run("add pilot news filter:is:starred").output, rows + "queued 4 episodes (9 in queue)\n")
        try expectEqual(
            tool.run("mark played pilot news filter:is:starred").output, rows + "marked as played: 4 episodes\n")
    }

    @Test func whatMatchesSeveralIsAnsweredWithCandidates() throws {
        var error = ControlError(.invalidArgument, "'news' matches several feeds or episodes", hint: "use the id")
        error.candidates = [
            .init(.feed(FeedID(5)), title: "Evening News"),
            .init(
                .episode(EpisodeID(3124)), title: "News\u{1B}[2J", feedTitle: "Evening News",
                published: Timestamp(parsing: "2026-05-04T03:02:01Z")),
        ]
        tool.daemon.refuse("playback.play", error)
        let result = try tool.run("play news")
        expectEqual(result.status, .usage)
        expectEqual(
            result.errors,
            """
            podcastctl: 'news' matches several feeds or episodes
                 f5  Evening News
              e3124  News[2J       Evening News  2026-05-04
            podcastctl: use the id

            """)
        let rows = try JSONValue(parsing: try tool.run("play news --json").errors)["error"]?["candidates"]?.arrayValue
        expectEqual(rows?.map { $0["id"] }, [5, 3124])
        expectEqual(rows?.map { $0["published"] }, [JSONValue.null, "2026-05-04T03:02:01Z"])
    }

    @Test func outsideOfATerminalAPartOfATitleIsNotEnoughToDelete() throws {
        var error = ControlError(.invalidArgument, "'news' is only a part of the title 'News' (f5)", hint: "use f5")
        (error.inexactName, error.candidates) = ("news", [.init(.feed(FeedID(5)), title: "News")])
        tool.daemon.refuse("feeds.unsubscribe", error)
        let result = try tool.run("unsubscribe news")
        expectEqual(result.status, .usage)
        expectEqual(result.errors, "podcastctl: 'news' is only a part of the title 'News' (f5)\npodcastctl: use f5\n")
        expectEqual(tool.daemon.calls.count, 1)
    }

    @Test func showShowsAFeedThatIsNamed() throws {
        var error = ControlError(.invalidArgument, "'news' is a feed: News")
        error.candidates = [.init(.feed(FeedID(5)), title: "News")]
        tool.daemon.refuse("episodes.show", error)
        tool.reply("feeds.show", ["id": 5, "title": "News", "url": "http://host/news"])
        #expect(try tool.run("show news").output.hasPrefix("News\nid: f5\n"))
        expectEqual(tool.daemon.calls(of: ShowFeed.self).map(\.feed), ["f5"])
    }

    @Test func theCauseOfAWaitIsShown() throws {
        for (state, reason) in [("loading", "connecting"), ("buffering", "network"), ("stopped", "ended")] {
            tool.reply("status.get", ["state": .string(state), "reason": .string(reason)])
            #expect(try tool.run("status --plain").output.hasPrefix("state: \(state) (\(reason))\n"))
            #expect(try tool.run("status").output.hasPrefix("\(state) (\(reason))   "))
        }
    }

    @Test func manyDownloadsAreCounted() throws {
        let kept = EpisodeState(isDownloaded: true)
        let episodes = (1...22).map { Samples.episode($0, "One of many", state: $0 < 3 ? kept : EpisodeState()) }
        tool.reply("episodes.download", DownloadsReply { ($0.episodes, $0.hasMore) = (episodes, true) }.json)
        try expectEqual(
            tool.run("download Daily").output,
            """
            20 episodes will be downloaded; 2 already on disk
            there are more; set how many to download of each feed or playlist with --limit N

            """)
        tool.reply("episodes.download", DownloadsReply { ($0.episodes, $0.hasMore) = ([], false) }.json)
        try expectEqual(tool.run("download filter:is:starred").output, "no matching episodes\n")
        tool.reply("episodes.delete", EpisodesMarkedReply([]).json)
        try expectEqual(tool.run("delete Daily").output, "none of these episodes is downloaded\n")
    }

    @Test func aNewerServersMembersArePassedOver() throws {
        tool.reply("status.get", ["state": "playing", "mood": "good", "volume": 1e300, "queue": 5])
        try expectEqual(tool.run("status").status, .success)
        tool.reply("status.get", ["state": "dreaming"])
        try expectEqual(tool.run("status").status, .protocolFault)
    }
}

@Suite(.ownThread) struct FollowTests {
    /// Runs `status --follow` on a separate thread; its output is read from a pipe, line by line.
    private final class Following {
        let tool: ToolRun
        private let reading: FileHandle
        private var buffer: [UInt8] = []

        init(_ tool: ToolRun, _ options: [String], terminal: Terminal) throws {
            self.tool = tool
            let pipe = Foundation.Pipe()
            reading = pipe.fileHandleForReading
            let writing = pipe.fileHandleForWriting
            let socket = tool.socket
            let thread = try DedicatedThread(name: .test) {
                _ = ControlTool.run(
                    ["status", "--follow"] + options,
                    streams: ToolStreams(
                        output: ToolOutput(descriptor: writing.fileDescriptor),
                        errors: ToolOutput(descriptor: writing.fileDescriptor), terminal: terminal),
                    variable: { $0 == "PODCASTD_SOCKET" ? socket : nil })
                try? writing.close()
            }
            thread.detach()
        }

        func line(_ end: Character = "\n") -> String? {
            while true {
                if let index = buffer.firstIndex(of: end.asciiValue!) {
                    defer { buffer.removeSubrange(...index) }
                    return String(decoding: buffer[..<index], as: UTF8.self)
                }
                let data = reading.availableData
                if data.isEmpty { return nil }
                buffer += data
            }
        }

    }

    private let file = Terminal(isInteractive: false, width: nil, usesStyle: false)

    @Test func eachChangeIsOneLine() throws {
        let tool = try ToolRun()
        var player = PlayerReply()
        player.volume = Samples.player.volume
        tool.daemon.set(.player, player.json)
        tool.daemon.set(.activities, [])
        let following = try Following(tool, [], terminal: file)
        expectEqual(following.line(), "stopped")
        tool.daemon.set(.activities, [Samples.buffering.json])
        tool.server.publish(.activities)
        expectEqual(following.line(), "Buffering audio 40 %: Episode 42")
        tool.daemon.set(.player, Samples.player.json)
        tool.server.publish(.player)
        expectEqual(
            following.line(),
            "playing   Episode 42: A title of ordinary length · The Example Podcast   12:34 / 1:02:03 (20 %)")
        tool.daemon.set(.activities, [])
        tool.server.publish(.activities)
        expectEqual(following.line(), "buffered: Episode 42")
        // The position alone is not shown as a change.
        var later = Samples.player
        later.position = MediaTime(milliseconds: 760_000)
        tool.daemon.set(.player, later.json)
        tool.server.publish(.player)
        later.state = .paused
        tool.daemon.set(.player, later.json)
        tool.server.publish(.player)
        expectEqual(following.line()?.hasPrefix("paused"), true)
        tool.server.stop()
        expectEqual(following.line(), "podcastctl: the connection to podcastd has ended; waiting for it to start again")
    }

    @Test func jsonIsOneDocumentALine() throws {
        let tool = try ToolRun()
        tool.reply("status.get", Samples.status.json)
        let following = try Following(tool, ["--json"], terminal: file)
        let first = try JSONValue(parsing: try #require(following.line()))
        expectEqual(first["state"], "playing")
        tool.daemon.set(.queue, ["length": 4])
        tool.server.publish(.queue)
        let event = try JSONValue(parsing: try #require(following.line()))
        expectEqual(event, ["seq": 1, "part": "queue", "value": ["length": 4]])
        tool.server.stop()
    }

    @Test func aTerminalHasOneLiveLine() throws {
        let tool = try ToolRun()
        tool.daemon.set(.player, Samples.player.json)
        tool.daemon.set(.activities, [])
        let following = try Following(tool, [], terminal: Terminal(isInteractive: true, width: 40, usesStyle: true))
        // Each drawing begins with a carriage return and clears the line.
        expectEqual(following.line("K"), "\r\u{1B}[")
        tool.daemon.set(.activities, [Samples.buffering.json])
        var short = Samples.player
        short.episode = nil
        tool.daemon.set(.player, short.json)
        tool.server.publish(.player)
        let first = following.line("\r")
        expectEqual(first?.contains("playing"), true)
        #expect(TerminalText.width(of: first ?? "") <= 39)
        tool.server.stop()
    }
}
