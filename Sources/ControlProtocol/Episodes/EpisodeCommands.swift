public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// Episodes and what the user did with them.
    public static let episodes = CommandSection(
        "episodes",
        [
            ListEpisodes.self, GetEpisodes.self, ShowEpisode.self, MarkEpisodes.self, StarEpisodes.self,
            UnstarEpisodes.self, NoteEpisode.self, SetPosition.self, DownloadEpisodes.self, ListDownloads.self,
            DeleteDownloads.self, ListHistory.self, ListChapters.self, ShowTranscript.self, FetchTranscripts.self,
            FindSpoken.self,
            HandOverFile.self, ReadEpisode.self, GetPicture.self,
        ])
}

enum EpisodesSection {
    static let episode = "An episode: its id, index in the queue such as #3, 'current', URL or words of its title."
    static let episodes =
        "Episodes or feeds: ids, ranges of ids, indexes in the queue such as #3, 'current' for the one that plays, URLs, words of "
        + "a title, playlist:NAME or filter:CONDITIONS"
    static let since = "Only from this day, month or year on: 2026-11-22, 2026-11 or 2026."
    fileprivate static let wholeFeed = "\(episodes); a feed means all its episodes."
}

public struct ListEpisodes: PagedCommand {
    public var feed: String?
    public var isUnplayed = false
    public var isStarred = false
    public var isDownloaded = false
    public var isInProgress = false
    public var isGone = false
    public var search: String?
    public var searchesFeedTitles = false
    public var filter: String?
    public var order: EpisodeOrder?
    public var page = PageRequest()

    public static let form = CommandForm<Self, EpisodeListReply>(
        Self(), "episodes.list", "List episodes, newest first.", .read, verb: "episodes")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
        parameters.declare("unplayed", &isUnplayed, help: "Not played yet.")
        parameters.declare("starred", &isStarred, help: "Starred.")
        parameters.declare("downloaded", &isDownloaded, help: "Downloaded.")
        parameters.declare(
            "inProgress", &isInProgress, help: "Heard to 30 seconds or 1 % of the duration, and not finished.")
        parameters.declare("gone", &isGone, help: "No longer listed by their feed.")
        parameters.declareSearch(&search, inFeedTitles: &searchesFeedTitles)
        parameters.declareFilter(&filter)
        parameters.declare(
            "order", &order, spelling: .option,
            help:
                "Sort order; heard lists what was heard, the last first, length the shortest first, position what was heard furthest. "
                + "Default: best with --search, heard with --in-progress, else newest.")
        page.declareParameters(&parameters)
    }
}

extension EpisodeOrder: ParameterChoice {}

/// Reads rows of episodes and does nothing else.
public struct GetEpisodes: Command {
    /// The rows of more episodes may be longer than a line.
    public static let mostEpisodes = 500

    public var ids: [EpisodeID] = []

    public static let form = CommandForm<Self, EpisodeRowsReply>(
        Self(), "episodes.get", "Read episodes as lists show them.", .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("ids", &ids, help: "Their ids, at most \(Self.mostEpisodes).")
    }
}

/// Makes a file that the client has open an episode of the feed of single files.
public struct HandOverFile: Command {
    public var path = ""

    public static let form = CommandForm<Self, EpisodeReply>(
        Self(), "episodes.file",
        "Make a local file an episode of the feed \(Feed.singleFilesTitle), to be played or queued by its id. The file's "
            + "descriptor is sent with the request: SCM_RIGHTS, see Files.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "path", &path, .text(maximumBytes: 4096),
            help: "The file's absolute path. It only names the file: the daemon reads the descriptor.")
    }
}

public struct ShowEpisode: Command {
    public var episode = ""
    public var fetches = false

    public static let form = CommandForm<Self, EpisodeDetailReply>(
        Self(), "episodes.show", "Show everything about an episode.", .read, verb: "show")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireEpisode(&episode)
        parameters.declare(
            "fetch", &fetches, spelling: .wireOnly,
            help:
                "Afterwards fetch its chapters and transcript if that has not been done; an event of `episodes` follows. For "
                + "programs in which a person has opened the episode.")
    }
}

public struct MarkEpisodes: Command {
    public enum Mark: String, ParameterChoice {
        case played
        /// Not played.
        case unplayed
    }

    public var mark = Mark.played
    public var what: [String] = []
    public var olderThan: String?

    public static let form = CommandForm<Self, EpisodesMarkedReply>(
        Self(), "episodes.mark", "Mark episodes as played or unplayed.", .control, verb: "mark",
        details: [
            "'mark played f5' marks all episodes of feed 5, 'mark played f5 --older-than e3124' those that were "
                + "published before that episode, 'mark unplayed filter:newer:7d' those of the last seven days."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("as", &mark, placeholder: "STATE", help: "played or unplayed.")
        parameters.requireWhat(&what, EpisodesSection.wholeFeed)
        parameters.declare(
            "olderThan", &olderThan, .episode, spelling: .option, placeholder: "EPISODE",
            help: "Only those published before EPISODE: its id, URL or words of its title.")
    }
}

public struct StarEpisodes: Command {
    public var what: [String] = []

    public static let form = CommandForm<Self, EpisodesMarkedReply>(
        Self(), "episodes.star", "Star episodes.", .control, verb: "star")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(&what, EpisodesSection.wholeFeed)
    }
}

public struct UnstarEpisodes: Command {
    public var what: [String] = []

    public static let form = CommandForm<Self, EpisodesMarkedReply>(
        Self(), "episodes.unstar", "Remove stars from episodes.", .control, verb: "unstar")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(&what, EpisodesSection.wholeFeed)
    }
}

public struct NoteEpisode: Command {
    public var episode = ""
    public var text = ""
    public var isExact = false

    public static let form = CommandForm<Self, EpisodeNotedReply>(
        Self(), "episodes.note", "Write a note about an episode.", .control, verb: "note",
        details: [
            "EPISODE is one word, so quote a title of several words, or write -- between the title and the note: "
                + "'note e12 worth a second time', 'note The Pilot -- worth a second time'. A single unquoted word must be the "
                + "whole title."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireEpisode(&episode)
        parameters.require(
            "text", &text, .text(maximumBytes: Episode.maximumNoteBytes), help: "The note; an empty one removes it.")
        parameters.declare("exact", &isExact, spelling: .wireOnly, help: "Refuse a part of a title.")
    }
}

public struct ListHistory: Command {
    public var limit = 50
    public var after: String?
    public var heardOnly = false
    public var feed: String?
    public var since: String?

    public static let form = CommandForm<Self, HistoryReply>(
        Self(), "episodes.history", "Show the listening history, newest first.", .read, verb: "history")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
        parameters.declare("since", &since, spelling: .option, help: EpisodesSection.since)
        parameters.declare(
            "heardOnly", &heardOnly, spelling: .wireOnly,
            help: "Leave out marks, seeks, what rules queued, and what was heard for less than 30 s and 1 %; list an "
                + "episode once if it was continued within an hour.")
    }
}

extension ParameterExchange {
    mutating func requireEpisode(_ episode: inout String) {
        require("episode", &episode, .episode, help: EpisodesSection.episode)
    }

    mutating func requireWhat(_ what: inout [String], _ help: String) {
        require("what", &what, .list(.title), help: help)
    }

    mutating func declareSearch(_ search: inout String?, inFeedTitles: inout Bool) {
        declare(
            "search", &search, spelling: .option, placeholder: "TEXT",
            help: "Words, \"phrases\" and -words that must not occur, in title, notes or transcript.")
        declare(
            "feedTitles", &inFeedTitles, spelling: .wireOnly,
            help: "Also find episodes whose titles have the words of `search` together with the feed's title.")
    }

    mutating func declareFilter(_ filter: inout String?) {
        declare(
            "filter", &filter, spelling: .option,
            help: "Conditions such as 'is:unplayed longer:30m' or 'is:new or is:starred', see podcastd-rules(7).")
    }

    /// For commands that remove something: they act on exact names unless this is given.
    mutating func declareYes(_ acceptsPart: inout Bool) {
        declare("yes", &acceptsPart, help: "Act on a part of a title too, if it matches exactly one; do not ask.")
    }
}
