internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// What was decided about identities.
extension AnswerPresenter {
    func merges(_ answer: JSONValue, _ name: String) throws(ToolFailure) {
        switch name {
        case ListMerges.name: try mergeList(answer)
        case SplitMerge.name:
            guard let split = EpisodeSplitReply(json: answer) else { return try output.line(answer.text) }
            try output.line("episodes \(split.kept) and \(split.other) are two now; \(split.kept) keeps what you did")
        case JoinEpisodes.name:
            guard let joined = EpisodesJoinedReply(json: answer) else { return try output.line(answer.text) }
            try output.line("joined into episode \(joined.episode); 'podcastctl split \(joined.merge)' takes it back")
        default: try output.line(answer.text)
        }
    }

    private func mergeList(_ answer: JSONValue) throws(ToolFailure) {
        let merges = MergeListReply(json: answer)?.merges ?? []
        if merges.isEmpty { return try output.line("every episode was recognized by its GUID") }
        let layout = ColumnLayout([
            .init("MERGE", .right), .init("TIME"), .init("EPISODE", .right), .init("TITLE", minimum: 12),
            .init("DECISION", minimum: 16), .init("FEED", minimum: 8),
        ])
        try lines(
            layout.lines(
                merges.map { merge in
                    [
                        "\(merge.id)", StatusText.date(merge.time), merge.episode.map { "\($0)" } ?? "",
                        merge.after.title ?? merge.before.title ?? "",
                        (merge.isUndone ? "taken back: " : "") + Self.words(for: merge), merge.feedTitle,
                    ]
                }, width: terminal.width))
    }

    private static func words(for merge: MergeReply) -> String {
        let other = merge.other.map { " \($0)" } ?? ""
        return switch merge.kind {
        case .guid: "known by its GUID alone"
        case .url: "known by its address, has another GUID"
        case .file: "known by its file, has another address"
        case .title: "known by title, date and duration"
        case .reusedGUID: "new, with the GUID of episode\(other)"
        case .repeated: "item said twice, left out"
        case .otherFeed: "another feed at this address"
        case .split: "split from episode\(other)"
        case .joined: "joined with episode\(other)"
        }
    }
}
