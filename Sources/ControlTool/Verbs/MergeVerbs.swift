internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListMerges: CommandVerb {
    static func show(_ reply: MergeListReply, _ view: View) throws(ToolFailure) {
        let rows: [[String]] = reply.merges.map { merge in
            [
                "\(merge.id)", view.date(merge.time), merge.episode.map(\.label) ?? "",
                merge.after.title ?? merge.before.title ?? "", (merge.isUndone ? "undone: " : "") + merge.explanation,
                merge.feedTitle,
            ]
        }
        try view.table(
            [
                .init("MERGE", .right), .init("TIME", dropRank: 2), .init("EPISODE", .right, dropRank: 1),
                .init("TITLE", minimum: 12), .init("DECISION", minimum: 16), .init("FEED", minimum: 8, dropRank: 3),
            ], rows, empty: "no merges")
    }
}

extension MergeReply {
    fileprivate var explanation: String {
        let other = other.map { " \($0.label)" } ?? ""
        return switch kind {
        case .guid: "matched by GUID only"
        case .url: "matched by address; the GUID differs"
        case .file: "matched by file; the address differs"
        case .title: "matched by title, date and duration"
        case .reusedGUID: "new, with the GUID of episode\(other)"
        case .repeated: "duplicate item, not stored"
        case .otherFeed: "another feed at this address"
        case .split: "split from episode\(other)"
        case .joined: "joined with episode\(other)"
        }
    }
}

extension SplitMerge: CommandVerb {
    static func show(_ reply: EpisodeSplitReply, _ view: View) throws(ToolFailure) {
        let (kept, other) = (reply.kept.label, reply.other.label)
        try view.line("split into episodes \(kept) and \(other); \(kept) keeps position, marks and note")
    }
}

extension JoinEpisodes: CommandVerb {
    static func show(_ reply: EpisodesJoinedReply, _ view: View) throws(ToolFailure) {
        try view.line("joined into episode \(reply.episode.label); 'podcastctl split \(reply.merge)' undoes it")
    }
}
