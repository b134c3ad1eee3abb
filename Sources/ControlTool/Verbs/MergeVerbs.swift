internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ListMerges: ContinuedList {
    static let columns: [ColumnLayout.Column] = [
        .init("MERGE", .right, says: "merge {}"), .init("TIME", dropRank: 2), .init("EPISODE", .right, dropRank: 1),
        .init("TITLE", minimum: 12), .init("DECISION", minimum: 16), .init("FEED", minimum: 8, dropRank: 3),
    ]

    static let afterHelp = "Show the merges that follow the one with this id."

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        // The name on the wire; on a command line it is an older name of --after.
        for index in subcommand.options.indices where subcommand.options[index].name == "before" {
            subcommand.options[index].isHidden = true
        }
        subcommand.options.append(after)
    }

    mutating func begin(after word: String, _ view: View) throws(ToolFailure) {
        guard let id = Int64(word), id > 0 else {
            throw ToolFailure(.usage, "--after must be the id of a merge, not '\(SafeText.line(word))'")
        }
        before = id
    }
    mutating func continueAfter(_ reply: MergeListReply) { before = reply.merges.last?.id }
    static func rowCount(_ reply: MergeListReply) -> Int { reply.merges.count }
    static func hasAfter(_ reply: MergeListReply) -> Bool { reply.hasAfter }
    static func append(_ page: MergeListReply, to reply: inout MergeListReply) {
        reply.merges += page.merges
        reply.hasAfter = page.hasAfter
    }

    static func show(_ reply: MergeListReply, _ view: View) throws(ToolFailure) {
        let rows: [[String]] = reply.merges.map { merge in
            [
                "\(merge.id)", view.date(merge.time), merge.episode.map(\.label) ?? "",
                merge.after.title ?? merge.before.title ?? "", (merge.isUndone ? "undone: " : "") + merge.explanation,
                merge.feedTitle,
            ]
        }
        try view.table(columns, rows, empty: "no merges")
        if reply.hasAfter, let last = reply.merges.last {
            try view.more("there are more: --limit all, --after \(last.id)")
        }
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
