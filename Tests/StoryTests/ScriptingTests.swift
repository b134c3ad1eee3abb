import ControlLanguage
import Foundation
import JSON
import LoopbackServer
import Testing
import TestSupport

/// The command line as a script uses it, with the installed programs.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ScriptingTests: DaemonStory {
    let daemon: RunningDaemon
    private let published: PublishedFeed

    init() throws {
        daemon = try RunningDaemon()
        published = try PublishedFeed(episodes: [
            ("Third", try fixture("forty-seconds.mp3")), ("Second", []), ("First", []),
        ])
    }

    @Test func aScriptReadsRowsTimesAndErrorsWithoutParsingWords() throws {
        try expectEqual(ctl("--quiet", "subscribe", published.feed.url).output, "")
        let rows = try daemon.ctl("episodes", environment: ["TZ=XYZ-5:30"]).output.split(separator: "\n")
        try #require(rows.count == 3)
        #expect(rows[0].contains("\t2026-09-28T12:30:00+05:30\tn\tThird\tTest feed"), "\(rows)")
        let several = try daemon.ctl("show", "ir", environment: ["TZ=XYZ-18"])
        expectContains(several.errors, "Third  Test feed  2026-09-29\n")
        try expectEqual(ctl("episodes", "--format", "{title}").output, "Third\nSecond\nFirst\n")
        try expectEqual(ctl("search", "sec", "--format", "{title}").output, "Second\n")
        let first = try ctl("episodes", "--limit", "1", "--format", "{id}").output.dropLast()
        expectEqual(first, "e1")
        #expect(
            try ctl("mark", "played", String(first)).status == 0 && ctl("mark", "unplayed", String(first)).status == 0)
        let history = try JSONValue(parsing: try ctl("history", "--all", "--limit", "1", "--json").output)
        expectEqual(history["hasAfter"], true)
        let missing = try ctl("show", "nosuch", "--json")
        #expect(missing.status == 66 && missing.output == "")
        try expectEqual(JSONValue(parsing: missing.errors)["error"]?["status"], 66)
        try expectEqual(ctl("subscribe", published.server.url("/none")).status, 69)
        let gone = published.server.serve("/feed.xml", .status(404))
        try expectOutcome(ctl("refresh", "f1"), 69, errors: "404")
        let busy = published.server.serve("/feed.xml", .status(503))
        try expectEqual(ctl("refresh", "f1").status, 75)
        withExtendedLifetime((gone, busy)) {}
        let stopped = try ctl()
        #expect(stopped.status == 0 && stopped.output.hasPrefix("stopped"), "\(stopped)")
    }

    @Test func aFeedIsExplainedThroughTheDaemon() throws {
        try expectEqual(ctl("subscribe", published.feed.url).status, 0)
        let text = try ctl("explain", "Test feed")
        expectEqual(text.status, 0, "\(text)")
        #expect(text.output.hasPrefix("Test feed (f") && text.output.contains("Fetched now"), "\(text)")
        let json = try JSONValue(parsing: try ctl("explain", "Test feed", "--json").output)
        #expect(json["url"] == .string(published.feed.url) && json["library"] != nil)
        try expectEqual(ctl("explain", "nosuch").status, 66)
    }

    @Test func aFeedIsExplainedInTheTimeZoneOfTheDaemon() throws {
        let daemon = try RunningDaemon(environment: ["TZ=XYZ-18"])
        try expectOutcome(daemon.ctl("subscribe", published.feed.url), 0)
        let text = try daemon.ctl("explain", "Test feed").output
        let times = text.split(separator: "\n").filter { $0.contains("last success") || $0.contains("next due") }
        #expect(times.count == 2 && times.allSatisfy { $0.contains("+18:00") }, "\(times)")
        expectContains(text, "    2026-09-29  -  Third\n")
    }
}
