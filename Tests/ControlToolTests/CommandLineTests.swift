import CommandLineTool
import ControlLanguage
import ControlProtocol
@testable import ControlTool
import Foundation
import JSON
import Testing
import TestSupport

@Suite(.ownThread) struct CommandLineTests {
    private let tool: ToolRun

    init() throws { tool = try ToolRun() }

    @Test(
        arguments: [
            ("play", "playback.play", nil),
            ("play --position 1:30 title", "playback.play", ["what": "title", "position": "1:30"]),
            ("seek -15", "playback.seek", ["time": "-15"]), ("seek +1m", "playback.seek", ["time": "+1m"]),
            ("volume 30", "playback.volume", ["level": 30]), ("volume +5", "playback.volume", ["change": 5]),
            ("volume -5", "playback.volume", ["change": -5]),
            ("add a b", "queue.add", ["what": ["a", "b"]]), ("add --at 2 a", "queue.add", ["what": ["a"], "at": 2]),
            ("add --next a", "queue.insert", ["what": ["a"]]),
            ("move 3 1", "queue.move", ["from": "3", "to": 1]),
            ("subscribe http://x/", "feeds.subscribe", ["urls": ["http://x/"]]),
            ("play some words of a title", "playback.play", ["what": "some words of a title"]),
            ("show some words", "episodes.show", ["episode": "some words", "fetch": true]),
            ("feed some words", "feeds.show", ["feed": "some words"]),
            (
                "mark played f5 --older-than e3124", "episodes.mark",
                ["as": "played", "what": ["f5"], "olderThan": "e3124"]
            ),
            ("unsubscribe --yes words", "feeds.unsubscribe", ["feeds": ["words"], "yes": true]),
            ("delete --yes words", "episodes.delete", ["what": ["words"], "yes": true]),
            ("refresh --force 1 2", "feeds.refresh", ["feeds": ["1", "2"], "force": true]),
            ("sleep 90", "playback.sleep", ["when": "90"]), ("seek +10%", "playback.seek", ["time": "+10%"]),
            ("chapter next", "playback.chapter", ["chapter": "next"]),
            ("bookmarks remove 3", "bookmarks.remove", ["bookmarks": [3]]),
            ("bookmarks play 3", "bookmarks.play", ["bookmark": 3]),
            ("set 1 speed 1.5", "feeds.set", ["feed": "1", "key": "speed", "value": "1.5"]),
            ("set 1 speed", "feeds.settings", ["feed": "1"]),
            ("set 1 speed --reset", "feeds.set", ["feed": "1", "key": "speed"]),
            (
                "episodes 1 --unplayed --in-progress --search x --limit 5 --order oldest", "episodes.list",
                ["feed": "1", "unplayed": true, "inProgress": true, "search": "x", "limit": 5, "order": "oldest"]
            ), ("episodes --starred --downloaded", "episodes.list", ["starred": true, "downloaded": true]),
            (
                "download playlist:Long filter:is:starred --limit 9", "episodes.download",
                ["what": ["playlist:Long", "filter:is:starred"], "limit": 9]
            ),
            ("note 1 several words of it", "episodes.note", ["episode": "1", "text": "several words of it"]),
            ("playlist x save is:new longer:1h", "playlists.save", ["name": "x", "filter": "is:new longer:1h"]),
            (
                "playlist x save --order oldest words", "playlists.save",
                ["name": "x", "filter": "words", "order": "oldest"]
            ), ("playlist x remove", "playlists.remove", ["name": "x"]),
            ("playlist x delete", "playlists.remove", ["name": "x"]),
            ("playlist x add e1 Talk --again", "playlists.add", ["name": "x", "what": ["e1", "Talk"], "again": true]),
            ("playlist x insert 3 e1", "playlists.add", ["name": "x", "what": ["e1"], "at": 3]),
            ("playlist x move e1 2", "playlists.move", ["name": "x", "from": "e1", "to": 2]),
            ("playlist x remove 1-2 Talk", "playlists.drop", ["name": "x", "what": ["1-2", "Talk"]]),
            ("playlist x rename y", "playlists.rename", ["name": "x", "to": "y"]),
            ("playlist x clear", "playlists.clear", ["name": "x"]),
            ("playlist x --limit 3", "playlists.show", ["name": "x", "limit": 3]),
            ("episodes --filter is:new", "episodes.list", ["filter": "is:new"]),
            ("rules 7", "rules.list", ["feed": "7"]),
            ("rule add --feed 7 type:bonus then skip", "rules.add", ["rule": "type:bonus then skip", "feed": "7"]),
            ("rule move 3 1", "rules.move", ["rule": 3, "to": 1]),
            ("rules try 7 --limit 9", "rules.try", ["feed": "7", "limit": 9]),
            ("rules apply --yes", "rules.apply", nil),
            (
                "retention set --feed 7 newest:3 until:played", "retention.set",
                ["keep": "newest:3 until:played", "feed": "7"]
            ),
            ("output enable a", "outputs.enable", ["name": "a"]),
            ("settings", "settings.list", nil), ("settings k", "settings.get", ["key": "k"]),
            ("settings k v", "settings.set", ["key": "k", "value": "v"]),
            ("settings --reset k", "settings.reset", ["key": "k"]),
            ("", "status.get", nil),
            ("search two words --unplayed", "episodes.list", ["search": "two words", "unplayed": true]),
            ("feeds merge 1 2", "feeds.merge", ["feed": "1", "other": "2"]),
            ("feeds --tag News", "feeds.list", ["tag": "News"]),
            ("playlist --limit 3 new", "playlists.show", ["name": "new", "limit": 3]),
            ("rule set 3 type:bonus then skip", "rules.set", ["rule": 3, "text": "type:bonus then skip"]),
            ("--json rules", "rules.list", nil),
        ] as [(String, String, JSONValue?)])
    func aCommandLineBecomesACall(line: String, name: String, params: JSONValue?) throws {
        tool.reply("status.get", Samples.status.json)
        try expectEqual(tool.run(line).status, .success)
        let call = try #require(tool.daemon.calls.first)
        let type = try #require(CommandTable.section(ofCommand: name)?.types.first { $0.name == name })
        expectEqual(Swift.type(of: call).name, name)
        try expectEqual(type.init(params: params).params, call.params)
    }

    @Test(arguments: [
        (["title:best of", "then", "skip"], "title:\"best of\" then skip"),
        (["title:best of then skip"], "title:best of then skip"),
        (["title:\"best of\" then skip"], "title:\"best of\" then skip"),
        (["is:new longer:1h", "then", "queue"], "is:new longer:1h then queue"),
        (["not", "feed:A show, really", "then", "keep"], "not feed:\"A show, really\" then keep"),
        (["feed:f1,f20 Fog", "then", "skip"], "feed:f1,f20 Fog then skip"),
        (["feed:f1 or", "then", "skip"], "feed:f1 or then skip"),
        (["title:G or new", "then", "skip"], "title:G or new then skip"),
        (["tag:x OR Starred", "then", "skip"], "tag:x OR Starred then skip"),
        (["title:a and starred", "then", "skip"], "title:a and starred then skip"),
        (["title:trick or treat", "then", "skip"], "title:\"trick or treat\" then skip"),
    ])
    func aFilterGetsItsQuotesBackFromTheShell(words: [String], rule: String) throws {
        try expectEqual(tool.run(["rule", "add"] + words).status, .success)
        expectEqual(tool.daemon.calls(of: AddRule.self).map(\.rule), [rule])
    }

    @Test func aPlaylistMayHaveAStateBesideOr() throws {
        try expectEqual(tool.run(["playlist", "t2", "save", "title:G or new"]).status, .success)
        expectEqual(tool.daemon.calls(of: SavePlaylist.self).map(\.filter), ["title:G or new"])
    }

    @Test func aTimeOfDayNeedsNoQuotes() throws {
        for words in [["until 7:00"], ["until", "7:00"]] {
            try expectEqual(tool.run(["sleep"] + words).status, .success)
        }
        let times = tool.daemon.calls(of: SetSleepTimer.self).map(\.when)
        #expect(times.count == 2 && times[0] != nil && times[0] == times[1])
        try expectOutcome(tool.run("sleep end-of-episode 7:00"), .usage)
    }

    @Test func aPageThatEndsEarlyIsFilledUp() throws {
        func page(_ ids: [Int64], next: JSONValue) -> JSONValue {
            [
                "episodes": .array(ids.map { ["id": .integer($0), "title": "Title"] }), "hasBefore": false,
                "hasAfter": JSONValue.bool(next != .null), "next": next, "count": 0, "countIsExact": false,
            ]
        }
        tool.daemon.pages(
            of: "playlists.show", [page([1], next: "9.9"), page([], next: "5.5"), page([2, 3], next: .null)])
        let result = try tool.run("playlist rare --limit 3 --json")
        expectEqual(result.status, .success)
        try expectEqual(JSONValue(parsing: result.output)["episodes"]?.arrayValue?.count, 3)
        expectEqual(tool.daemon.calls(of: ShowPlaylist.self).map(\.page.after), [nil, "9.9", "5.5"])
        expectEqual(tool.daemon.calls(of: ShowPlaylist.self).map(\.page.limit), [3, 2, 2])
    }

    @Test func everyDeclaredVerbIsFound() throws {
        for command in CommandTable.all {
            guard let words = command.commandLine?.words else { continue }
            let parsed = try? ControlProgram.declaration.parse(words + ["--help"])
            expectEqual(parsed?.subcommand?.words, words)
            expectEqual(parsed?.subcommand?.summary, command.summary)
            var name: String?
            if case .command(let verb)? = Verb.named(words[...]) { name = verb.name }
            expectEqual(name, command.name)
        }
    }

    @Test(
        arguments: [
            ("pasue", "unknown command 'pasue'; did you mean pause?", "see 'podcastctl pause --help'"),
            ("xyzzy", "unknown command 'xyzzy'", "see 'podcastctl --help'"),
            ("seek soon", nil, "see 'podcastctl seek --help'"), ("--json move 1", nil, nil),
            ("rule add", "RULE missing", "see 'podcastctl rule add --help'"),
            (
                "queue clear", "unexpected argument 'clear'; did you mean the command clear?",
                "see 'podcastctl clear --help'"
            ),
            ("play --at 1:30 word", "unknown option '--at'; did you mean --position?", "see 'podcastctl play --help'"),
        ] as [(String, String?, String?)])
    func aMistakeLeadsToTheHelpOfOneCommand(line: String, message: String?, hint: String?) throws {
        let lines = try ToolRun().run(line).errors.split(separator: "\n")
        if let message { expectEqual(lines.first, "podcastctl: \(message)") }
        if let hint { expectEqual(lines.last, "podcastctl: \(hint)") }
    }

    @Test func theVersionNeedsNoDaemon() throws {
        let away = try tool.run(["version"], socket: tool.folder.path + "/none")
        expectEqual(away.status, .success)
        #expect(away.output.hasPrefix("podcastctl \(ProductVersion.current)\npodcastd: podcastd is not running at "))
        let json = try JSONValue(
            parsing: tool.run(["version", "--json"], socket: tool.folder.path + "/none").output)
        expectEqual(json, ["server": nil, "client": .string(ProductVersion.current)])
        tool.reply("server.version", ["server": "podcastd", "version": "9.9.9", "protocol": 1])
        #expect(try tool.run("version").output.hasSuffix("\npodcastd 9.9.9, protocol 1\n"))
        try expectEqual(
            JSONValue(parsing: tool.run("version --json").output)["client"], .string(ProductVersion.current))
    }

    @Test func aDocumentIsReadAndHandedOver() throws {
        let file = tool.folder.appendingPathComponent("list.opml")
        try Data("<opml/>".utf8).write(to: file)
        tool.reply("feeds.import", ["added": 2, "known": 1, "errors": []])
        tool.reply("feeds.refresh", ["refreshed": 2, "failed": 0, "newEpisodes": 3, "errors": []])
        tool.reply("feeds.list", Samples.feeds)
        let result = try tool.run("import \(file.path)")
        expectEqual(result.status, .success)
        expectEqual(result.output, "2 feeds added, 1 already present\n2 feeds refreshed, 3 new episodes\n")
        try expectOutcome(tool.run("import \(file.path).none"), .noInput, errors: "No such file")
    }

    @Test(arguments: ["", " --json"])
    func feedsOfAListThatFailAreNamedAndDecideTheStatus(option: String) throws {
        let file = tool.folder.appendingPathComponent("list.opml")
        try Data("<opml/>".utf8).write(to: file)
        tool.reply("feeds.import", ["added": 1, "known": 1, "errors": []])
        tool.reply("feeds.list", Samples.feeds)
        tool.reply(
            "feeds.refresh", ["failed": 1, "errors": [["what": "not found", "url": "http://a/", "status": 69]]])
        try expectOutcome(
            tool.run("subscribe \(file.path)\(option)"), .unavailable, errors: "http://a/: not found")
        // The feeds that were never tried are those of the list.
        expectEqual(tool.daemon.calls(of: RefreshFeeds.self).map(\.feeds), [["f1", "f2", "f3"]])
        tool.reply(
            "feeds.refresh",
            [
                "failed": 2,
                "errors": [
                    ["what": "no answer", "url": "http://a/", "status": 75],
                    ["what": "a page", "url": "http://b/", "status": 65],
                ],
            ])
        try expectOutcome(
            tool.run("subscribe \(file.path)\(option)"), .badData, errors: "http://a/: no answer", "http://b/: a page")
        tool.reply("feeds.refresh", ["refreshed": 2, "failed": 0, "errors": []])
        try expectEqual(tool.run("subscribe \(file.path)\(option)").status, .success)
    }

    @Test(arguments: [
        "volume loud", "volume 101", "volume +101", "volume %", "seek soon", "sleep soon", "sleep 30m 2", "move 1",
        "move 1 x", "mark heard 1",
        "mark played", "add --next --at 1 x", "episodes --limit 0", "episodes --order random", "nonsense",
        "status --fast",
        "output up x", "rule add", "rule move 1", "rule remove x", "playlist x save",
        "playlist x rename y z", "playlist x move 1", "playlist x insert one e2", "retention set",
        "help nonsense", "completion tcsh",
    ])
    func whatDoesNotFitIsAUsageErrorBeforeAnythingIsAsked(line: String) throws {
        let result = try tool.run(line)
        expectEqual(result.status, .usage)
        #expect(result.errors.hasPrefix("podcastctl: "))
        expectEqual(result.output, "")
        #expect(tool.daemon.calls.isEmpty)
    }

    @Test(arguments: [
        (ControlError.Code.notFound, CommandLineTool.ExitStatus.noInput), (.notPermitted, .noPermission),
        (.invalidArgument, .usage),
        (.invalidParameters, .usage), (.conflict, .badData), (.unavailable, .tryAgain), (.mediaFailed, .ioError),
        (.feedFailed, .badData), (.storageFailed, .ioError), (.internalError, .software),
        (.methodNotFound, .unavailable),
    ])
    func aRefusalEndsWithItsStatus(code: ControlError.Code, status: CommandLineTool.ExitStatus) throws {
        tool.daemon.refuse("playback.pause", ControlError(code, "what\u{1B} happened", hint: "do this"))
        let result = try tool.run("pause")
        expectEqual(result.status, status)
        expectEqual(result.errors, "podcastctl: what happened\npodcastctl: do this\n")
        expectEqual(result.output, "")
    }

    @Test func aRefusalMayNameItsStatus() throws {
        tool.daemon.refuse("feeds.subscribe", ControlError(.feedFailed, "http://a/: not found (HTTP 404)", status: 69))
        try expectEqual(tool.run("subscribe http://a/").status, .unavailable)
        tool.daemon.refuse("feeds.subscribe", ControlError(.feedFailed, "what", status: 9999))
        try expectEqual(tool.run("subscribe http://a/").status, .badData)
    }

    @Test func aScriptGetsErrorsAsJSON() throws {
        tool.daemon.refuse("episodes.show", ControlError(.notFound, "no \"x\\y\"\u{1B}[2J", hint: "look"))
        let refused = try tool.run("show x --json")
        expectEqual(refused.output, "")
        try expectEqual(
            JSONValue(parsing: refused.errors), ["error": ["what": "no \"x\\y\"[2J", "hint": "look", "status": 66]])
        let away = try tool.run(["--json", "status"], socket: tool.folder.path + "/none")
        try expectEqual(JSONValue(parsing: away.errors)["error"]?["status"], 69)
        let unknown = try tool.run("nonsense --json")
        try expectEqual(JSONValue(parsing: unknown.errors)["error"]?["status"], 64)
        expectEqual(unknown.status, .usage)
        #expect(try tool.run("show -- --json").errors.hasPrefix("podcastctl: "))
    }

    @Test func aDaemonThatDoesNotRunIsSaidSo() throws {
        try expectOutcome(
            tool.run(["status"], socket: tool.folder.path + "/none"), .unavailable, errors: "podcastd is not running")
    }

    @Test func theSocketCanBeNamed() throws {
        try expectEqual(
            tool.run(["--socket", tool.socket, "pause", "--json"], socket: "/nonexistent").status, .success)
    }

    @Test func someFeedsThatFailMeanTryAgain() throws {
        tool.reply(
            "feeds.refresh",
            ["refreshed": 1, "failed": 1, "newEpisodes": 3, "errors": [["feed": "Some Feed", "what": "no answer"]]])
        let result = try tool.run("refresh")
        expectEqual(result.status, .tryAgain)
        expectEqual(result.output, "1 refreshed, 1 failed; 3 new episodes\n")
        expectEqual(result.errors, "podcastctl: Some Feed: no answer\n")
        try expectEqual(tool.run("refresh --json").status, .tryAgain)
    }

    @Test func theSubscriptionWithTheMostLastingFailureDecidesTheStatus() throws {
        func failure(_ status: JSONValue) -> JSONValue {
            ["url": "http://b/", "error": ["what": "no", "status": status]]
        }
        for (failures, status) in [
            ([75, 69], .unavailable), ([69, 75], .unavailable), ([75, 65, 69], .badData), ([75, 75], .tryAgain),
        ] as [([JSONValue], CommandLineTool.ExitStatus)] {
            tool.reply("feeds.subscribe", ["feeds": .array(failures.map(failure))])
            try expectEqual(tool.run("subscribe http://a/ http://b/").status, status)
            try expectEqual(tool.run("subscribe http://a/ http://b/ --json").status, status)
        }
    }

    @Test func feedsAreListedWithWhatTellsThemApart() throws {
        tool.reply(
            "feeds.list",
            [
                "feeds": [["id": 1, "title": "Tides", "mark": "one.example/a"], ["id": 2, "title": "Ebb"]],
                "hasAfter": false,
            ])
        let rows = try tool.run("feeds").output.split(separator: "\n").map { $0.split(separator: "\t")[1] }
        expectEqual(rows, ["Tides (one.example/a)", "Ebb"])
    }

    @Test func someSubscriptionsThatFailMeanTryAgain() throws {
        let feed = try #require(Samples.feeds["feeds"]?.arrayValue?.first)
        tool.reply(
            "feeds.subscribe",
            [
                "feeds": [
                    ["url": "http://a/", "feed": feed],
                    ["url": "http://b/", "error": ["what": "not a feed", "hint": "look at it"]],
                ]
            ])
        let result = try tool.run("subscribe http://a/ http://b/")
        expectEqual(result.status, .tryAgain)
        expectEqual(result.output, "subscribed to The Example Podcast (240 episodes)\n")
        expectEqual(result.errors, "podcastctl: http://b/: not a feed\npodcastctl: look at it\n")
    }
}

@Suite(.ownThread) struct GeneratedManualTests {
    @Test func helpManualAndCompletionsAreMadeFromTheDeclarations() throws {
        let tool = try ToolRun()
        expectGolden(try tool.run("--help", width: 80).output, "help.txt")
        expectGolden(try tool.run("help episodes", width: 80).output, "help-episodes.txt")
        expectGolden(try tool.run("help play", width: 60).output, "help-play.txt")
        expectGolden(try tool.run("--generate man").output, "podcastctl.1")
        for shell in Shell.allCases {
            expectGolden(try tool.run("completion \(shell.rawValue)").output, "completion.\(shell.rawValue)")
        }
        try expectEqual(tool.run("--version").output, "podcastctl \(ProductVersion.current)\n")
        try expectEqual(tool.run("--generate=zsh").output, tool.run("completion zsh").output)
    }

    @Test func helpOfACommandIsTheSameEitherWay() throws {
        let tool = try ToolRun()
        let enable = try tool.run("output enable --help").output
        try expectEqual(enable, tool.run("help output enable").output)
        let all = try ["enable", "disable", "only", "volume", "delay", "add", "remove"].map {
            try tool.run("help output \($0)").output
        }
        try expectEqual(tool.run("help output").output, all.joined(separator: "\n"))
    }

    @Test func theShellsReadTheirCompletions() throws {
        let tool = try ToolRun()
        // zsh and fish are checked where they are installed; bash is there everywhere.
        for (shell, command) in [("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish -n")] {
            let script = tool.folder.appendingPathComponent("script")
            try Data(try tool.run("completion \(shell)").output.utf8).write(to: script)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "command -v \(shell) >/dev/null || exit 0; \(command) '\(script.path)'"]
            try process.run()
            process.waitUntilExit()
            expectEqual(process.terminationStatus, 0, "\(shell)")
        }
    }
}
