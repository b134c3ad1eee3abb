public import ControlLanguage
public import PodcastModel

public struct ListChapters: Command {
    /// The episode's id, URL or words of its title; nil for the current one.
    public var episode: String?

    public static let form = CommandForm<Self, ChapterListReply>(
        Self(), "episodes.chapters",
        "List the chapters of an episode, from the feed, its chapters document and the file.",
        .read, isLong: true, verb: "chapters",
        details: [
            "Without EPISODE, those of the current episode. Chapters from the feed or a chapters document take precedence, "
                + "except over those of a file with another length or other times for the same titles; times in show notes are chapters if there are "
                + "no others. The beginning of a file that was not played yet is fetched "
                + "for its chapters. 'podcastctl chapter N' jumps to one. "
                + "STATE: 'skipped' if 'skip_chapters', another setting or a marked part leaves all of a chapter out."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("episode", &episode, .episode, help: EpisodesSection.episode)
    }
}

public struct ChapterListReply: ReplyObject {
    public var episode = EpisodeID(0)
    public var title = ""
    public var chapters: [ChapterReply] = []

    public init() {}

    public static let listMember: String? = "chapters"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode)
        members.declare("title", &title)
        members.declare("chapters", &chapters, "Those that belong in a table of contents, in the order of their times.")
    }
}
