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

/// What names and numbers mean, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct NamesStoryTests: DaemonStory {
    private static let titles = [
        "Große Straße", "News of the year 2024", "News in brief", "2", "The end", "Twice told", "Twice read",
    ]

    let daemon: RunningDaemon
    private let published: PublishedFeed

    /// Feed 1 has the episodes 1 to 7 in the order of `titles`.
    init() throws {
        let audio = [UInt8](repeating: 0, count: 100)
        published = try PublishedFeed(title: "Evening News", episodes: Self.titles.map { ($0, audio) })
        daemon = try RunningDaemon()
        _ = try daemon.connect(subscribing: published.feed.url)
    }

    /// The id of an episode with its kind.
    private func label(_ title: String) throws -> String {
        let list = try daemon.connect().call(ListEpisodes()).episodes.map(\.episode)
        return try #require(list.first { $0.title == title }).id.label
    }

    private func number(_ title: String) throws -> String { String(try label(title).dropFirst()) }

    private func queued() throws -> [String] {
        try daemon.connect().call(ListQueue()).entries.compactMap { $0.episode?.episode.title }
    }

    private func played() throws -> Set<String> {
        let list = try daemon.connect().call(ListEpisodes()).episodes.map(\.episode)
        return Set(list.filter(\.state.isPlayed).map(\.title))
    }

    @Test func aNumberMeansWhatTheCommandIsAboutAndNeverATitle() throws {
        try expectEqual(ctl("add", try number("The end"), try label("2")).status, 0)
        try expectEqual(queued(), ["The end", "2"])
        try expectEqual(ctl("move", "2", "1").status, 0)
        try expectEqual(queued(), ["2", "The end"])
        try expectEqual(ctl("remove", try label("2")).status, 0)
        try expectOutcome(ctl("remove", "2"), 66, errors: "no queue entry matches '2'")
        try expectContains(ctl("play", "2").errors, "no queue entry matches '2'")
        try expectContains(ctl("star", "2024").errors, "no feed or episode matches '2024'")
        #expect(try ctl("show", "#1").output.hasPrefix("The end\n"))
        #expect(try ctl("feed", "1").output.hasPrefix("Evening News\nid: f1\n"))
    }

    @Test func aTitleIsFoundByItsWordsAndSeveralAreListed() throws {
        #expect(try ctl("show", "GROSSE", "strasse").output.hasPrefix("Große Straße\n"))
        #expect(try ctl("show", "brief", "news").output.hasPrefix("News in brief\n"))
        #expect(try ctl("show", "evening", "news").output.hasPrefix("Evening News\n"), "the feed of that title")
        try expectOutcome(
            ctl("show", "twice"), 64, errors: "'twice' matches several episodes\n",
            "  \(try label("Twice told"))  Twice told  Evening News  2026-09-23\n",
            "  \(try label("Twice read"))  Twice read  Evening News  2026-09-22\n")
        let json = try JSONValue(parsing: try ctl("show", "twice", "--json").errors)
        expectEqual(json["error"]?["candidates"]?.arrayValue?.first?["feedTitle"], "Evening News")
        try expectOutcome(ctl("feed", "weather"), 66, errors: "no feed matches 'weather'")
    }

    @Test func whatMeansTheSameToEveryCommand() throws {
        let result = try ctl("add", "f1", "The end", "filter:title:twice", "playlist:played")
        let last = try label("The end")
        expectEqual(
            result.output,
            """
            f1 Evening News: 7 episodes
            \(last) The end
            filter:title:twice: 2 episodes
            playlist:played: 0 episodes
            queued 7 episodes, 3 queued already (7 in queue)

            """)
        try expectEqual(ctl("star", "filter:title:twice").output, "starred: 2 episodes\n")
        try expectEqual(ctl("mark", "played", "f1", "--older-than", last).output, "marked as played: 2 episodes\n")
        try expectEqual(played(), ["Twice told", "Twice read"])
        let second = try label("Twice read")
        try expectEqual(ctl("mark", "unplayed", "Twice told").output, "marked as unplayed: Twice told\n")
        try expectEqual(ctl("mark", "played", "f1", "--older-than", last).output, "marked as played: 1 episode\n")
        try expectEqual(ctl("mark", "played", second).output, "already played: Twice read\n")
        try expectEqual(ctl("mark", "unplayed", "playlist:played").output, "marked as unplayed: 2 episodes\n")
        try expectEqual(played(), [])
        try expectEqual(ctl("mark", "played", "e1-e7").output, "marked as played: 7 episodes\n")
        let removed = try ctl("remove", "2-7").output
        #expect(removed.hasPrefix("#2 ") && removed.hasSuffix("removed 6 entries (1 in queue)\n"), "\(removed)")
        try expectEqual(ctl("download", "e1-e2", "--limit", "1").status, 0)
        try expectEqual(ctl("mark", "played", "filter:nonsense:1").status, 64)
    }

    @Test func aNoteIsNeverWrittenToAnEpisodeThatWasNotMeant() throws {
        func note(_ title: String) throws -> String? {
            try JSONValue(parsing: try ctl("show", label(title), "--json").output)["note"]?.stringValue
        }
        let part = try ctl("note", "Große", "Straße", "was", "good")
        expectEqual(part.status, 64)
        expectEqual(
            part.errors,
            """
            podcastctl: 'Große' is only a part of the title 'Große Straße' (\(try label("Große Straße")))
            podcastctl: write the episode's id, quote its title, or put -- between the title and the note

            """)
        try expectOutcome(ctl("note", "News", "of", "the", "year"), 64, errors: "News in brief")
        try expectEqual(note("Große Straße"), nil)
        try expectEqual(ctl("note", "große", "straße", "--", "was", "good").status, 0)
        try expectEqual(note("Große Straße"), "was good")
        try expectEqual(ctl("note", "news in brief", "too", "short").status, 0)
        try expectEqual(note("News in brief"), "too short")
        try expectEqual(ctl("note", "brief", "a quoted note").status, 0)
        try expectEqual(note("News in brief"), "a quoted note")
        try expectEqual(ctl("note", label("2"), "-5", "of", "10").status, 0)
        try expectEqual(note("2"), "-5 of 10")
    }

    @Test func wordsThatTogetherAreATitleAreThatTitle() throws {
        try expectEqual(ctl("add", "News", "in", "brief").output, "queued 'News in brief' (1 in queue)\n")
        try expectEqual(ctl("remove", "news", "in", "brief").output, "removed 'News in brief' (0 in queue)\n")
        let other = try PublishedFeed(title: "Other", episodes: [("News in brief", [])])
        try expectEqual(ctl("subscribe", other.feed.url).status, 0)
        try expectOutcome(ctl("add", "news", "in", "brief"), 64, errors: "'news in brief' matches several episodes")
        try expectOutcome(
            ctl("star", "news", "told"), 64, errors: "each word is a separate name; quote a title of several words")
        #expect(try ctl("unsubscribe", "evening", "news").output.hasPrefix("unsubscribed from Evening News\n"))
    }

    @Test func aRangeThatIsReversedIsRefused() throws {
        try expectOutcome(
            ctl("mark", "played", "e7-e2"), 64, errors: "'e7-e2' is not a range: its end comes before its beginning\n")
        try expectEqual(played(), [])
        try expectEqual(ctl("add", "The end", "2", "e2-e1").status, 64)
        try expectEqual(queued(), [])
    }

    @Test func whatCannotBeUndoneActsOnExactNames() throws {
        let refused = try ctl("unsubscribe", "evening")
        expectEqual(refused.status, 64)
        expectEqual(
            refused.errors,
            """
            podcastctl: 'evening' is only a part of the title 'Evening News' (f1)
            podcastctl: use f1, the whole title, or --yes

            """)
        try expectContains(ctl("delete", "end").errors, "'end' is only a part of the title 'The end'")
        try expectEqual(ctl("delete", "--yes", "end").output, "none of these episodes is downloaded\n")
        try expectContains(ctl("unsubscribe", "e1").errors, "'e1' does not name a feed")
        try expectContains(ctl("feeds").output, "Evening News")
        #expect(try ctl("unsubscribe", "EVENING NEWS").output.hasPrefix("unsubscribed from Evening News\n"))
    }

    @Test(arguments: [("n\n", "nothing was changed", 64), ("y\n", "unsubscribed from Evening News", 0)])
    func onATerminalAPartOfATitleIsAskedAbout(answer: String, result: String, status: Int32) throws {
        let terminal = try PseudoTerminal()
        terminal.type(answer)
        let process = try terminal.start("podcastctl", ["--socket", daemon.socketPath, "unsubscribe", "evening"])
        let shown = terminal.shown(until: result)
        expectContains(shown, "unsubscribe from 'Evening News' (f1)? [y/N] ")
        expectEqual(process.wait(), .exited(status), "\(shown)")
    }

    @Test(arguments: [
        (["add", "twice"], "7\n2\n", "queued '", 0), (["play", "twice"], "\u{4}", "nothing was chosen", 64),
        (["star", "The end", "twice"], "\n", "nothing was chosen", 64),
        (["star", "twice"], "1\n", "starred", 0), (["show", "twice"], "2\n", "feed:", 0),
        (["note", "twice", "--", "twice"], "1\n", "note saved for: Twice", 0),
    ])
    func onATerminalOneOfSeveralMatchesIsChosenByItsNumber(
        words: [String], answer: String, result: String, status: Int32
    ) throws {
        let terminal = try PseudoTerminal()
        terminal.type(answer)
        let process = try terminal.start("podcastctl", ["--socket", daemon.socketPath] + words)
        let shown = terminal.shown(until: result)
        expectContains(shown, "matches several")
        expectContains(shown, "1) e")
        expectContains(shown, "number (Enter cancels): ")
        expectEqual(process.wait(), .exited(status), "\(shown)")
        if words[0] == "note" { expectContains(shown, ": twice") }
        if words[0] == "add" {
            let queued = try #require(queued().first)
            #expect(shown.contains("queued '\(queued)'") && queued.hasPrefix("Twice"), "\(shown)")
        }
    }

    @Test(arguments: [(["episodes", "Evening News"], "Other"), (["set", "Evening News"], "speed")])
    func oneOfSeveralFeedsIsChosenByItsNumber(words: [String], result: String) throws {
        let second = try PublishedFeed(title: "Evening News", episodes: [("Other", [0])])
        _ = try daemon.connect(subscribing: second.feed.url)
        let terminal = try PseudoTerminal()
        let process = try terminal.start("podcastctl", ["--socket", daemon.socketPath] + words)
        let question = terminal.shown { $0.hasSuffix("cancels): ") }
        terminal.type(question.contains("1) f2") ? "1\n" : "2\n")
        let shown = terminal.shown(until: result)
        expectContains(shown, result)
        expectEqual(process.wait(), .exited(0), "\(shown)")
    }

    @Test func aConversationOnATerminalOffersTheChoiceToo() throws {
        let terminal = try PseudoTerminal()
        terminal.resize(columns: 80, lines: 24, cell: (8, 16))
        let process = try terminal.start(
            "podcastctl", ["--socket", daemon.socketPath, "shell"], ["TERM=xterm", "LANG=C.UTF-8"])
        expectContains(terminal.shown { $0.hasSuffix("> ") }, "type a command")
        terminal.press("add Twice\r".utf8)
        expectContains(terminal.shown { $0.hasSuffix("cancels): ") }, "1) e")
        terminal.type("2\r")
        expectContains(terminal.shown { $0.hasSuffix("> ") }, "queued 'Twice")
        terminal.press("quit\r".utf8)
        expectContains(terminal.shown(until: "quit"), "quit")
        expectEqual(process.wait(), .exited(0))
        try expectEqual(queued().count, 1)
    }

    @Test func aFeedThatIsNotRefreshedSaysSo() throws {
        try expectEqual(ctl("set", "f1", "refresh", "off").status, 0)
        try expectContains(ctl("feed", "f1").output, "never, as set by the user")
    }

    @Test func currentNamesTheEpisodeThatPlaysAndItsFeed() throws {
        let nothing = try ctl("star", "current")
        #expect(nothing.status != 0 && nothing.errors.contains("no episode is playing, so 'current' names none"))
        try expectEqual(ctl("add", "The end").status, 0)
        _ = try ctl("play", "The end")
        let id = try label("The end")
        try expectEqual(ctl("star", "current").status, 0)
        try expectContains(ctl("show", "current", "--json").output, "\"id\":\(id.dropFirst()),")
        try expectEqual(ctl("note", "current", "hello").status, 0)
        try expectContains(ctl("set", "current", "volume", "80%").output, "80")
        try expectEqual(ctl("set", "current", "volume", "+10").status, 64)
        try expectEqual(ctl("remove", "current").status, 0)
        try expectEqual(queued(), [])
    }
}
