public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let library = CommandSection(
        "library", [BackUpLibrary.self, GetStatistics.self, CompleteName.self])
}

public struct BackUpLibrary: Command {
    public static let form = CommandForm<Self, BackupReply>(
        Self(), "library.backup", "Back up the library while the daemon runs.", .admin, isLong: true, verb: "backup",
        details: [
            "The copy is consistent. The setting library.backups_kept says how many are kept. To restore one, stop the daemon, copy it over library.db, "
                + "copy its .settings and .session files, if any, over settings and session, remove library.db-wal and "
                + "library.db-shm if they exist, and start the daemon."
        ])
}

public struct BackupReply: ReplyObject {
    public var path = ""
    public var bytes: Int64 = 0

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("path", &path, "The path of the copy, in a folder next to the library.")
        members.declare("bytes", &bytes)
    }
}

/// What a title belongs to when it is completed.
public enum CompletedKind: String, ParameterChoice {
    case feed, episode
    case any
}

public struct CompleteName: Command {
    public var beginning = ""
    public var kind = CompletedKind.any
    public var limit = 50

    public static let form = CommandForm<Self, CompletionsReply>(
        Self(), "library.complete", "Complete a title that is being typed, for shells and clients.", .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("beginning", &beginning, help: "What is typed so far. Titles that begin with it come first.")
        parameters.declare("kind", &kind, spelling: .option, help: "What the title may belong to.")
        parameters.declareLimit(&limit)
    }
}

public typealias CompletionsReply = ListReply<CompletionReply>

/// A title that may be meant.
public struct CompletionReply: RowReply {
    public var title = ""
    public var label = ""
    public var feedTitle: String?

    public init() {}
    public static let rowsMember = "names"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("title", &title)
        members.require("label", &label, "The id with its kind: `f5`, `e3124`.")
        members.declare("feedTitle", &feedTitle, "The title of an episode's feed.")
    }
}

public struct GetStatistics: Command {
    public var since: String?

    public static let form = CommandForm<Self, StatisticsReply>(
        Self(), "library.stats", "Show the hours heard by feed, month and year, and the time saved.", .read,
        verb: "stats",
        group: "Episodes",
        details: [
            "Counts the time that sounded, not pauses. What is saved is the additional time that normal speed, or the silence "
                + "that was shortened, would have taken. Feeds that were removed are included. The figures are kept by day of "
                + "the daemon's time zone, stay when episodes are removed, and begin with this version of the library."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("since", &since, spelling: .option, help: EpisodesSection.since)
    }
}

public struct StatisticsReply: ReplyObject {
    public var since: String?
    public var total = ListeningReply()
    public var feeds: [ListeningReply] = []
    public var months: [ListeningReply] = []
    public var years: [ListeningReply] = []
    public var libraryDuration = MediaTime.zero

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("since", &since, "The first day that counts.")
        members.declare("heard", &total.heard)
        members.declare("savedBySpeed", &total.savedBySpeed)
        members.declare("savedBySilence", &total.savedBySilence)
        members.declare("feeds", &feeds, "Those with the most time first.")
        members.declare("months", &months)
        members.declare("years", &years)
        members.declare(
            "libraryDuration", &libraryDuration, "Seconds of all episodes of subscriptions, as far as they are known.")
    }
}

public struct ListeningReply: ReplyObject {
    public var name = ""
    public var feed: FeedID?
    public var heard = MediaTime.zero
    public var savedBySpeed = MediaTime.zero
    public var savedBySilence = MediaTime.zero

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "Title of the feed, or the month or year such as 2026-11.")
        members.declareIfAny("feed", &feed, "The feed's id; left out for a month or year.")
        members.declare("heard", &heard, "Playing time in seconds.")
        members.declare("savedBySpeed", &savedBySpeed, "Seconds that normal speed would have taken in addition.")
        members.declare("savedBySilence", &savedBySilence, "Seconds of silence that were left out.")
    }
}
