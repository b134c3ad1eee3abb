import CommandLineTool
import ControlLanguage
import ControlProtocol
@testable import ControlTool
import Foundation
import JSON
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct ScriptTests {
    private let tool: ToolRun

    init() throws { tool = try ToolRun() }

    private func page(_ ids: ClosedRange<Int64>, next: JSONValue) -> JSONValue {
        [
            "episodes": .array(ids.map { Samples.episode($0, "Title \($0)").json }), "hasBefore": false,
            "hasAfter": JSONValue.bool(next != .null), "next": next, "count": 2500, "countIsExact": true,
        ]
    }

    @Test func aPipeGetsCompleteRowsWithTabsBetweenTheFields() throws {
        tool.reply("feeds.list", Samples.feeds)
        tool.reply("queue.list", Samples.queue)
        tool.reply("episodes.list", Samples.list)
        let feeds = try tool.run("feeds --utc").output.split(separator: "\n")
        expectEqual(feeds[0], "f1\tThe Example Podcast\t12\t240\t2026-11-19T00:00:00Z\t")
        #expect(feeds[2].hasSuffix("\t3\t240\tnever\thost example.test: name not known"))
        let queue = try tool.run("queue").output.split(separator: "\n", omittingEmptySubsequences: false)
        expectEqual(queue[0], "\t#1\tEpisode 42: A title of ordinary length\tThe Example Podcast\t-49:25\tS2 E5")
        let episodes = try tool.run("episodes").output
        expectEqual(episodes.split(separator: "\n").count, 3)
        tool.reply("queue.list", ["entries": [], "length": 0, "index": nil, "hasAfter": false])
        try expectEqual(tool.run("queue").output, "")
        try expectEqual(
            tool.run("queue", width: 80).output, "the queue is empty; to fill it: podcastctl add playlist:new\n")
    }

    @Test func aNarrowTerminalKeepsTitleAndTime() throws {
        tool.reply("queue.list", Samples.queue)
        tool.reply("episodes.list", Samples.list)
        tool.reply("status.get", Samples.status.json)
        for line in ["queue", "episodes"] {
            let output = try tool.run(line, width: 40).output
            expectContains(output, "Episode 42: ")
            expectContains(output, "-49:25")
        }
        let status = try tool.run("status", width: 40, style: true).output
        expectContains(status, "12:34 / 1:02:03")
    }

    @Test func timesAreLocalUnlessUTCIsAskedFor() throws {
        var heard = HeardReply()
        (heard.record.time, heard.record.title) = (Timestamp(year: 2026, month: 11, day: 20, second: 23 * 3600), "One")
        tool.reply("episodes.history", HistoryReply([heard]).json)
        var machine = OtherMachine()
        machine.offset = 5 * 3600 + 1800
        func history(_ words: [String], width: Int? = 80) throws -> String {
            try tool.run(["history"] + words, width: width, machine: machine).output
        }
        try expectContains(history([]), "2026-11-21 04:30  ")
        try expectContains(history(["--utc"]), "2026-11-20 23:00Z  ")
        #expect(try history([], width: nil).hasPrefix("2026-11-21T04:30:00+05:30\t"))
        #expect(try history(["--utc"], width: nil).hasPrefix("2026-11-20T23:00:00Z\t"))
        try expectContains(history(["--json"]), "2026-11-20T23:00:00Z")
        machine.offset = -3600
        #expect(try history([], width: nil).hasPrefix("2026-11-20T22:00:00-01:00\t"))
    }

    @Test func outputAddAloneListsDevicesWithTheLinesToType() throws {
        tool.reply(
            "outputs.find",
            [
                "found": [
                    ["title": "Mary's TV", "name": "mary-s-tv", "specification": "upnp:Mary's TV"],
                    ["title": "Hall", "name": "hall", "specification": "snapcast:10.0.0.1", "output": "den"],
                ], "failures": ["pulse: no server answers"],
            ])
        let listed = try tool.run("output add")
        expectEqual(
            listed.output,
            "Mary's TV\tpodcastctl output add mary-s-tv 'upnp:Mary'\\''s TV'\nHall\tis the output den\n")
        expectEqual(listed.errors, "podcastctl: pulse: no server answers\n")
        try expectEqual(
            tool.run(["output", "add", "--format", "{specification}"]).output, "upnp:Mary's TV\nsnapcast:10.0.0.1\n")
        let half = try tool.run("output add kitchen")
        #expect(half.status == .usage && half.errors.contains("podcastctl output add kitchen pulse:DEVICE"), "\(half)")
    }

    @Test func quietPrintsNoConfirmationButDataAndErrors() throws {
        tool.reply("queue.clear", ["length": 0])
        tool.reply("queue.list", Samples.queue)
        tool.reply("episodes.mark", ["episodes": [1, 2]])
        try expectEqual(tool.run("clear --quiet").output, "")
        try expectEqual(tool.run("-q mark played 1 2").output, "")
        try expectEqual(tool.run("clear --quiet --json").output, "{\"length\":0}\n")
        try expectEqual(tool.run("queue --quiet").output.split(separator: "\n").count, 3)
        tool.daemon.refuse("queue.clear", ControlError(.conflict, "no"))
        try expectEqual(tool.run("clear --quiet").errors, "podcastctl: no\n")
    }

    @Test(arguments: [
        ("queue", "{index} {episode.title}", "#1 Episode 42: A title of ordinary length"),
        ("queue", "{episode.id}\\t{episode.feedTitle}", "e812\tThe Example Podcast"),
        ("queue", "{id}", "#1"),
        ("queue", "{{{index}}} {episode.season}.", "{#1} 2."), ("queue", "a\\\\b\\n", "a\\b\n"),
        ("status", "{state} {volume}", "playing 80"),
        ("status", "{episode.title}", "Episode 42: A title of ordinary length"),
    ])
    func aTemplateIsPrintedForEachRow(command: String, template: String, first: String) throws {
        tool.reply("queue.list", Samples.queue)
        tool.reply("status.get", Samples.status.json)
        let result = try tool.run([command, "--format", template])
        expectEqual(result.status, .success)
        #expect(result.output.hasPrefix(first + "\n"), "\(result)")
    }

    @Test(arguments: ["{title", "{}", "{"])
    func aTemplateThatCannotBeReadIsAUsageError(template: String) throws {
        try expectEqual(tool.run(["clear", "--format", template]).status, .usage)
        try expectEqual(tool.run(["clear", "--json", "--format", "{id}"]).status, .usage)
        #expect(tool.daemon.calls.isEmpty)
    }

    @Test(arguments: [
        ("queue", "{titel}", "{titel}", "id, index, current, episode.…"),
        ("queue", "{episode.titel}", "{episode.titel}", "episode.id, episode.feed, episode.feedTitle, episode.title,"),
        ("mark played 1", "{id}", "{id}", "episodes, named"),
        ("unsubscribe 1", "{title}", "{title}", "removed"),
        ("subscribe x.example", "{title}", "{title}", "url, feed.…"),
        ("volume 5", "{level}", "{level}", "volume"), ("history", "{name}", "{name}", "time, event, episode,"),
        ("version", "{name}", "{name}", "server, version, protocol, client"),
        ("commands", "{help}", "{help}", "name, synopsis, summary,"), ("note 1 x", "{id}", "{id}", "episode"),
        ("status", "{figures}", "{figures}", "state, reason, episode.…"),
        ("undo --list", "{nosuch}", "{nosuch}", "act, count,"),
    ])
    func aNameThatNoRowHasIsRefusedBeforeAnythingIsDone(
        line: String, template: String, name: String, names: String
    ) throws {
        let result = try tool.run(line.split(separator: " ").map(String.init) + ["--format", template])
        #expect(result.status == .usage && result.output.isEmpty)
        expectContains(result.errors, "podcastctl: --format: unknown name \(name)\n", "\(result)")
        expectContains(result.errors, "the names are \(names)", "\(result)")
        let changes = tool.daemon.calls.filter { type(of: $0).declaration.permission != .read }
        #expect(changes.isEmpty)
    }

    @Test(arguments: [
        ("queue", "{index.x}", "nothing is within {index}"), ("star 1", "{episodes.x}", "nothing is within {episodes}"),
        ("explain 5", "{nope}", "the names are url, fetch"),
        ("explain 5", "{fetch.nope}", "the names are fetch.status"),
    ])
    func aNameWithinAValueOrAnExplanationIsRefused(line: String, template: String, hint: String) throws {
        tool.reply("feeds.explain", ["explanation": ["url": "http://x/", "fetch": ["status": 200]]])
        try expectOutcome(
            tool.run(line.split(separator: " ").map(String.init) + ["--format", template]), .usage,
            errors: "unknown name \(template)\n", hint)
    }

    @Test func anExcerptIsPrintedAsText() throws {
        var place = SpokenReply()
        (place.episode, place.excerpt) = (EpisodeID(1), ["The ", "ferry", " leaves."])
        tool.reply("episodes.said", SpokenListReply([place], hasAfter: false).json)
        try expectEqual(
            tool.run(["said", "ferry", "--format", "{episode} {excerpt}"]).output, "e1 The ferry leaves.\n")
    }

    @Test func aTemplatePrintsIdsAsCommandsTakeThem() throws {
        tool.reply("episodes.list", Samples.list)
        tool.reply("feeds.list", Samples.feeds)
        tool.reply("episodes.star", ["episodes": [1, 2]])
        tool.reply(
            "rules.list",
            RuleListReply([
                RuleReply { ($0.id, $0.index, $0.feed, $0.feedTitle, $0.rule) = (RuleID(3), 1, FeedID(5), nil, "x") }
            ]).json)
        #expect(try tool.run(["episodes", "--format", "{id} {feed}"]).output.hasPrefix("e812 f"))
        try expectEqual(tool.run(["feeds", "--format", "{id}"]).output, "f1\nf2\nf3\n")
        try expectEqual(tool.run(["star", "1", "2", "--format", "{episodes}"]).output, "e1 e2\n")
        try expectEqual(tool.run(["rules", "--format", "{id} {feed}"]).output, "3 f5\n")
        try expectContains(tool.run(["episodes", "--json"]).output, "\"id\":812")
    }

    @Test func whatNeverTakesEffectIsSaidBesideTheRows() throws {
        var rule = RuleReply {
            ($0.id, $0.index, $0.feed, $0.feedTitle, $0.rule) = (RuleID(3), 2, nil, nil, "title:x then skip")
        }
        rule.coveredBy = RuleID(1)
        tool.reply("rules.list", RuleListReply([rule]).json)
        try expectEqual(
            tool.run("rules").errors,
            "podcastctl: rule 3 never decides: rule 1 comes first and matches all its episodes; "
                + "to put it first: podcastctl rule move 3 1\n")
        var policy = RetentionReply { ($0.feed, $0.feedTitle, $0.keep) = (nil, nil, "newest:3") }
        policy.isUnused = true
        tool.reply("retention.list", RetentionListReply([policy]).json)
        let retention = try tool.run("retention")
        expectEqual(retention.output, "all\tnewest:3\n")
        expectEqual(
            retention.errors,
            "podcastctl: the policy for all feeds applies to no feed, because each has its own; to remove one: "
                + "podcastctl retention set --feed FEED off\n")
        var page = PlaylistPageReply { ($0.name, $0.title, $0.list) = ("Mine", "Mine", EpisodeListReply()) }
        page.missingFeeds = [
            MissingFeed(id: FeedID(5), title: "News"), MissingFeed(id: FeedID(6), title: nil),
        ]
        tool.reply("playlists.show", page.json)
        let missing = try tool.run("playlist Mine").errors
        expectContains(
            missing, "no such feed \"News\": the filter of 'Mine' names it; save the playlist with another filter\n")
        expectContains(missing, "no such feed f6:")
    }

    @Test func whatWasDoneLongAgoIsNamedAndUndoneWithYesOnly() throws {
        tool.reply("playback.undo", ["act": "star", "title": "One"])
        func hasActs(minutesAgo: Int64) {
            let time = JSONValue.string(Timestamp.now.adding(seconds: -60 * minutesAgo).description)
            tool.reply(
                "playback.undoable", ["acts": [["act": "star", "count": 1, "title": "One", "id": 7, "time": time]]])
        }
        hasActs(minutesAgo: 22)
        let refused = try tool.run("undo")
        expectEqual(refused.status, .usage)
        #expect(
            refused.errors.contains(/the last change is 'star One' of \d{4}-\d\d-\d\d \d\d:\d\dZ?; nothing was changed/)
        )
        try expectEqual(tool.run("undo --yes").output, "undid star: One without a star again\n")
        hasActs(minutesAgo: 5)
        try expectEqual(tool.run("undo").output, "undid star: One without a star again\n")
    }

    @Test func quietSilencesConfirmationsAndNotQuestions() throws {
        tool.reply("playback.volume", ["volume": 35])
        tool.reply(
            "playback.undoable",
            [
                "acts": [["act": "star", "count": 1, "title": "One"]],
                "undone": [["act": "note", "count": 1, "title": "Two"]],
            ])
        try expectEqual(tool.run("volume -q").output, "volume 35 %\n")
        try expectEqual(tool.run("volume 35 -q").output, "")
        try expectEqual(tool.run("undo --list -q").output, "star\t1\tOne\tundo\nnote\t1\tTwo\tredo\n")
        let none = try tool.run("feeds -q")
        #expect(none.output == "" && none.errors == "")
    }

    @Test(arguments: [
        ("feeds", "no feeds; subscribe to one with 'podcastctl subscribe URL'"),
        ("queue", "the queue is empty; to fill it: podcastctl add playlist:new"),
        ("episodes", "no episodes"), ("history", "history is empty"), ("downloads", "no downloads"),
        ("activities", "no activity"), ("said x", "no match in the transcripts fetched so far"),
        ("find x", "no podcast found"), ("playlists", "no playlists"),
        ("undo --list", "nothing to undo or redo"),
        ("rules", "no rules; add one with 'podcastctl rule add'"), ("outputs", "no outputs"),
    ])
    func nothingToListIsSaidOnStderrInAPipe(line: String, text: String) throws {
        let piped = try tool.run(line)
        #expect(piped.status == .success && piped.output == "")
        expectEqual(piped.errors, "podcastctl: \(text)\n")
        let shown = try tool.run(line, width: 100)
        #expect(shown.output == text + "\n" && shown.errors == "")
    }

    @Test func theHistoryGoesOnPageByPage() throws {
        func heard(_ key: String) -> HeardReply {
            var row = HeardReply()
            (row.record.title, row.key) = (key, key)
            return row
        }
        tool.daemon.pages(
            of: "episodes.history",
            [HistoryReply([heard("5.u2")], hasAfter: true).json, HistoryReply([heard("4.u1")]).json])
        try expectEqual(tool.run(["history", "--limit", "all", "--format", "{title}"]).output, "5.u2\n4.u1\n")
        expectEqual(tool.daemon.calls(of: ListHistory.self).map(\.after), [nil, "5.u2"])
        tool.reply("episodes.history", HistoryReply([heard("5.u2")], hasAfter: true).json)
        try expectEqual(tool.run("history --limit 1").errors, "podcastctl: there are more: --limit all\n")
    }

    @Test func subscriptionsAreNoJSON() throws {
        try expectOutcome(tool.run("export --json"), .usage, errors: "use 'export --state'")
        tool.reply("feeds.export", ["document": "{}\n"])
        try expectEqual(tool.run("export --state --json").output, "{}\n")
    }

    @Test func theCommandsAreDescribedInJSON() throws {
        let text = try tool.run(["commands", "--json"], socket: tool.folder.path + "/none").output
        let rows = try #require(try JSONValue(parsing: text)["commands"]?.arrayValue)
        let move = try #require(rows.first { $0["name"] == "move" })
        expectEqual(move["call"], "queue.move")
        expectEqual(move["arguments"]?.arrayValue?.map { $0["name"] }, ["FROM", "TO"])
        let mark = try #require(rows.first { $0["name"] == "mark" })
        expectEqual(mark["arguments"]?.arrayValue?[0]["choices"], ["played", "unplayed"])
        expectEqual(mark["options"]?.arrayValue?.map { $0["name"] }, ["--older-than"])
        #expect(rows.contains { $0["name"] == "search" && $0["call"] == .null })
        try expectContains(tool.run(["commands", "--format", "{name}"]).output, "rule add\n")
    }

    @Test func allRowsAreFetchedPageByPage() throws {
        let pages = [page(1...1000, next: "a"), page(1001...2000, next: "b"), page(2001...2500, next: nil)]
        tool.daemon.pages(of: "episodes.list", pages)
        try expectEqual(tool.run("episodes --limit all").output.split(separator: "\n").count, 2500)
        expectEqual(tool.daemon.calls(of: ListEpisodes.self).map(\.page.limit), [1000, 1000, 1000])
        tool.daemon.pages(of: "episodes.list", Array(pages[0...1]))
        try expectEqual(tool.run("episodes --limit 1500 --format {id}").status, .success)
        expectEqual(tool.daemon.calls(of: ListEpisodes.self).map(\.page.limit).suffix(2), [1000, 500])
    }

    @Test func listsOfDownloadsRetentionAndWhatIsSaidHaveNoEndThatTheyCannotShow() throws {
        let episode = Samples.episodes[0].episode
        tool.daemon.pages(
            of: "episodes.downloads",
            [(1, true), (2, false)].map { page, hasAfter in
                let rows = (1...1000).map { DownloadReply(episode, .downloaded, key: "\(page).\($0)") }
                return DownloadListReply(rows, hasAfter: hasAfter).json
            })
        try expectEqual(tool.run("downloads --limit all").output.split(separator: "\n").count, 2000)
        expectEqual(tool.daemon.calls(of: ListDownloads.self).map(\.after), [nil, "1.1000"])

        let trial = TrialReply(episode, action: "archive", why: "played")
        tool.daemon.pages(
            of: "retention.try",
            [true, false].map { hasAfter in
                let rows = [TrialReply](repeating: trial, count: 1000)
                return RetentionTrialListReply { ($0.episodes, $0.count, $0.hasAfter) = (rows, 2000, hasAfter) }.json
            })
        try expectEqual(tool.run("retention try --limit all").output.split(separator: "\n").count, 2000)
        expectEqual(tool.daemon.calls(of: TryRetention.self).map(\.after), [nil, episode.id.rawValue])

        var place = SpokenReply()
        (place.episode, place.key, place.excerpt) = (episode.id, "1.2.3", ["word"])
        tool.daemon.pages(
            of: "episodes.said",
            [true, false].map {
                SpokenListReply([SpokenReply](repeating: place, count: 1000), hasAfter: $0).json
            })
        try expectEqual(tool.run("said word --limit all").output.split(separator: "\n").count, 2000)
        expectEqual(tool.daemon.calls(of: FindSpoken.self).map(\.after), [nil, "1.2.3"])
    }

    @Test func theCommandsArePrintedWithTheirParametersWithoutADaemon() throws {
        let rows = try tool.run(["commands"], socket: tool.folder.path + "/none").output.split(separator: "\n")
        expectContains(rows, "move FROM TO\tMove entries to another index.")
        #expect(rows.contains { $0.hasPrefix("play [--") && $0.contains(" [WHAT…]\t") })
        let narrow = try tool.run("commands", width: 60).output.split(separator: "\n")
        #expect(narrow.allSatisfy { TerminalText.width(of: String($0)) <= 60 })
    }

    @Test func downloadsAreListedWithTheirState() throws {
        let episode = Samples.episodes[0].episode
        var begun = DownloadReply(episode, .downloading, key: "a")
        begun.progress = 0.425
        var failed = DownloadReply(episode, .failed, key: "b")
        (failed.reason, failed.nextTry) = (
            "not found (HTTP 404)", Timestamp(year: 2026, month: 11, day: 20, second: 3600)
        )
        let rows = [
            begun, DownloadReply(episode, .waiting, key: "c"), failed, DownloadReply(episode, .downloaded, key: "d"),
        ]
        tool.reply("episodes.downloads", DownloadListReply(rows, hasAfter: false).json)
        let lines = try tool.run("downloads --utc").output.split(separator: "\n").map { $0.split(separator: "\t") }
        try #require(lines.map { $0[1] } == ["42 %", "waiting", "failed", "on disk"])
        expectEqual(lines[2].last, "next try 2026-11-20 01:00Z: not found (HTTP 404)")
    }

    @Test func aRetentionPolicyIsTriedBeforeItIsSet() throws {
        let trial = TrialReply(Samples.episodes[0].episode, action: "archive", why: "played")
        tool.reply(
            "retention.try",
            RetentionTrialListReply { ($0.episodes, $0.count, $0.hasAfter) = ([trial], 7, true) }.json)
        let output = try tool.run("retention set --feed 5 until:played --try", width: 80).output
        #expect(output.hasSuffix("7 episodes would be hidden, 1 shown; more: --limit all\n"), "\(output)")
        #expect(tool.daemon.calls(of: SetRetention.self).isEmpty)
        let asked = try #require(tool.daemon.calls(of: TryRetention.self).first)
        #expect(asked.feed == "5" && asked.keep == "until:played")
        var list = RetentionListReply([])
        list.hidden = 7
        tool.reply("retention.set", list.json)
        #expect(
            try tool.run("retention set newest:3", width: 80).output.hasSuffix("7 episodes hidden from lists by this\n")
        )
    }

    @Test func anExplanationIsTextOrJSON() throws {
        tool.reply("feeds.explain", ["text": "One\n  two\u{1B}[2J\n"])
        try expectEqual(tool.run("explain 5").output, "One\n  two[2J\n")
        tool.reply("feeds.explain", ["explanation": ["url": "http://x/"]])
        try expectEqual(tool.run("explain 5 --json").output, "{\"url\":\"http://x/\"}\n")
        expectEqual(tool.daemon.calls(of: ExplainFeed.self).map(\.isStructured), [false, true])
    }
}
