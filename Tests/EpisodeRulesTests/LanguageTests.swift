import Foundation
import PodcastModel
import TestSupport
import Testing

/// The language of filters, rules and retention as one table: what each text means, or which error it has and where.
///
/// `Fixtures/language.txt` has a block for each text: the canonical form and, for filters, which of the episodes below match.
/// To add a case, add it to a list here and record the table with RECORD=1.
struct LanguageTests {
    /// Episodes that differ in one property each.
    private static let episodes: [(name: String, episode: Episode)] = [
        ("plain", episode()),
        ("other title", episode("Best of: the talks")),
        ("short", episode { $0.announcedDuration = MediaTime(seconds: 90) }),
        ("no duration", episode { ($0.announcedDuration, $0.season) = (nil, nil) }),
        ("old", episode { $0.published = noon.adding(seconds: -40 * 86_400) }),
        ("trailer", episode { $0.kind = .trailer }),
        ("played", episode { $0.state.isPlayed = true }),
        ("starred", episode { $0.state.isStarred = true }),
        ("skipped", episode { $0.state.hiddenReason = .skipped }),
        ("other feed", episode { $0.feed = FeedID(8) }),
    ]

    private static let filters = [
        "", "title:talk", "title:TALK", "title:\"a t*k\"", "title:^talk", "title:^a", "title:lk$", "title:\"^A talk$\"",
        "title:^A*alk$", "title:best,\"a talk\"", "not title:best", "title:talk longer:20m",
        "longer:29m", "longer:30m", "shorter:31m", "shorter:0:30:00", "not longer:1m", "shorter:9h",
        "older:12h", "older:30d", "newer:2d", "newer:1h", "older:4w newer:1y",
        "weekday:wed", "weekday:mon,Wednesday", "weekday:sun",
        "season:2", "season:1,3", "season:1..3", "season:0..99", "not season:2",
        "type:full", "type:trailer,bonus", "feed:7", "feed:8,9", "not feed:8", "feed:\"A show, really\"",
        "tag:news", "not tag:News/World,\"Talk shows\"", "tag:",
        "is:new", "is:played", "is:in-progress,new", "is:unplayed", "is:starred", "is:skipped", "not is:skipped",
        "IS:New",
        "linux \"the kernel\" is:new \"not\" \"back\\\\slash\"", "title:\"say \\\"hi\\\"\"",
        "is:played or is:starred", "not (is:played or is:starred) (feed:7)", "(feed:7 or feed:8) and duration<20m",
        "New or starred title:a", "title:best or (type:trailer and not (is:new OR season:9))", "not (feed:7 is:new)",
        "(live \"or\") \"(\" rock and roll :-)", "title:a) duration>1h",
        // Errors.
        "is:new or", "or is:new", "is:new or or is:played", "(is:new and) is:played", "linux or is:new", "not (linux)",
        "(is:new or is:starred", "is:new or is:starred )", "(is:new or is:old)", "()", "(feed:1 or \"new\")",
        String(repeating: "(", count: 9) + "is:new" + String(repeating: ")", count: 9),
        "(is:new " + String(repeating: "is:new or ", count: 31) + "is:new)",
        "titel:x", "is:new title:", "title:a,,b", "title:\"open", "title:\"a\"b", "title:***", "\"\"", "is:new not",
        "not linux", "a\u{1B}[2Jb", "longer:soon", "longer:1.5", "longer:1m,2m", "older:30", "older:101y", "older:+3d",
        "weekday:mo", "season:3..1", "season:x", "season:1...3", "type:film", "is:new,old",
        String(repeating: "a", count: 2_001), String(repeating: "is:new ", count: 33),
        "season:" + Array(repeating: "1", count: 33).joined(separator: ","),
        "title:" + String(repeating: "x", count: 201),
    ]

    private static let rules = [
        "then keep", "type:trailer then skip", "title:bonus longer:10m weekday:mon then queue",
        "is:new then next download priority=5", "then queue priority=-3", "then download", "then PLAYED",
        "then queue download", "then queue, download and priority=2", "then queue , download",
        "then queue, and download",
        // Errors.
        "title:x", "title:x then", "then skip queue", "then queue next", "then priority=3", "then download priority=3",
        "then queue priority=101", "then and queue", "then queue priority=", "then dance", "then \"skip\"",
        "linux then skip", "(type:trailer or shorter:2m) then skip", "(type:trailer then skip", "is:new or then skip",
        "titel:x then skip",
    ]

    private static let policies = [
        "newest:10", "for:30d", "until:played", "newest:10 for:4w until:played", "all", "ALL",
        // Errors.
        "", "newest:0", "newest:100001", "newest:x", "newest:1,2", "for:ever", "until:monday", "all newest:3", "none",
    ]

    @Test func everyTextMeansWhatTheTableSays() {
        var lines: [String] = []
        func add(_ kind: String, _ text: String, _ meaning: () throws -> [String]) {
            let shown = text.count > 60 ? "\(text.prefix(20))… (\(text.count) characters)" : text
            lines.append("\(kind) \(shown.debugDescription)")
            do {
                lines += try meaning().map { "    \($0)" }
            } catch let error as ExpressionError {
                lines.append("    error at \(error.column): \(error.what); \(error.hint)")
            } catch {
                lines.append("    \(error)")
            }
        }
        for text in Self.filters {
            add("filter", text) {
                let filter = try EpisodeExpression(parsing: text)
                try expectEqual(EpisodeExpression(parsing: filter.description), filter)
                let now = noon.adding(seconds: 86_400)
                let matches = Self.episodes.filter { filter.accepts($0.episode, at: now) }.map(\.name)
                let words = filter.words.isEmpty ? [] : ["search: \(filter.words)"]
                let shown = matches.isEmpty ? "none" : matches.joined(separator: ", ")
                return ["means: \(text.isEmpty ? "everything" : "\(filter)")"] + words
                    + ["matches: \(matches.count == Self.episodes.count ? "all" : shown)"]
            }
        }
        for text in Self.rules {
            add("rule", text) {
                let rule = try RuleText(parsing: text)
                try expectEqual(RuleText(parsing: rule.description), rule)
                return ["means: \(rule)"]
            }
        }
        for text in Self.policies {
            add("retention", text) {
                let policy = try RetentionPolicy(parsing: text)
                try expectEqual(RetentionPolicy(parsing: policy.description), policy)
                return ["means: \(policy)"]
            }
        }
        expectGolden(lines.joined(separator: "\n") + "\n", "language.txt")
    }
}
