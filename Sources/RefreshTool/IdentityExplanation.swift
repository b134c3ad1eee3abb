internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import Library
internal import PodcastModel

/// Which stored episode each item of the fetched document matches, and why; nothing is stored.
struct IdentityExplanation {
    private static let shownItems = 40

    let preview: MergePreview
    private let feed: Feed?
    private let conflict: String?

    /// Compares a fetched document with the library; nil without a document.
    init?(
        of result: FeedFetchResult, _ feed: Feed?, _ session: LibrarySession, at now: Timestamp
    ) throws(ToolFailure) {
        guard case .document(let document) = result.outcome else { return nil }
        self.feed = feed
        preview = try session.perform { store in
            try store.identity.previewMerge(
                document.contents,
                DocumentExtent(of: document.contents.channel, isTruncated: document.isTruncated), into: feed?.id,
                at: now)
        }
        if let rival = feed?.conflict {
            let title = try session.result(of: session.store.feeds.feed(rival.feed).title)
            let claim =
                switch rival.reason {
                case .guid: "has the same podcast:guid"
                case .description: "has the same description"
                }
            conflict = "\(title) (\(rival.feed.label)) \(claim); the two are not merged"
        } else {
            conflict = nil
        }
    }

    /// For people: the number of known and new items, and a line for each other item.
    var lines: [String] {
        var lines = ["Identity"]
        if let conflict { lines.append("  \(conflict)") }
        if preview.isOtherFeed {
            lines.append("  a different feed: it contains none of the stored episodes, and its title differs")
        }
        let known = preview.rows.count { $0.outcome == .known }
        let new = preview.rows.count { $0.outcome == .new }
        lines.append(
            "  \(counted(known, "item")) known by GUID, \(new) new, \(counted(preview.gone, "stored episode")) no longer listed"
        )
        lines += preview.leftOut.lines.map { "  not stored: \($0)" }
        // If the feed is not stored every item is new; list only items that would be skipped.
        let notable = preview.rows.filter { $0.outcome != .known && (feed != nil || $0.outcome != .new) }
        for row in notable.prefix(Self.shownItems) {
            lines.append("  item \(row.item + 1), \(row.title): \(row.outcome.explanation)")
        }
        if notable.count > Self.shownItems {
            lines.append("  and \(notable.count - Self.shownItems) more; --json lists all")
        }
        return lines
    }

    /// For programs: every item but those known by their GUIDs.
    var json: JSONValue {
        let others = preview.rows.filter { $0.outcome != .known }
        return JSONValue(members: [
            "otherFeed": preview.isOtherFeed, "conflict": feed?.conflict?.feed.rawValue,
            "known": preview.rows.count - others.count, "gone": preview.gone, "leftOut": preview.leftOut.json,
            "items": others.map { row in
                JSONValue(members: [
                    "item": row.item, "title": row.title, "decision": row.outcome.name,
                    "why": row.outcome.explanation, "episode": row.outcome.episode?.rawValue,
                ])
            },
        ])
    }
}

extension MergePreview.Outcome {
    fileprivate var name: String {
        switch self {
        case .new, .newDespiteGUID: "new"
        case .known: "known"
        case .matched: "matched"
        case .skipped: "skipped"
        }
    }

    fileprivate var episode: EpisodeID? {
        switch self {
        case .newDespiteGUID(let episode), .matched(_, let episode): episode
        case .new, .known, .skipped: nil
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .new: "new"
        case .newDespiteGUID(let episode):
            "new, although episode \(episode.label) has the same GUID: title, file and date differ"
        case .known: "known by GUID"
        case .matched(let kind, let episode): "episode \(episode.label), \(kind.explanation)"
        case .skipped(let reason): "skipped: \(reason.explanation)"
        }
    }
}

extension IdentityDecision.Kind {
    var explanation: String {
        switch self {
        case .matchedByGUIDAlone: "matched by GUID only: title and file differ"
        case .matchedByURL: "matched by URL; the GUID differs"
        case .matchedByFile: "matched by file; prefix or query of the URL differ"
        case .matchedByTitle: "matched by title, date and duration"
        case .reusedGUID: "new, although another episode has the same GUID"
        case .repeatedItem: "repeats another item"
        case .otherFeed: "a different feed at this address"
        }
    }
}

extension SkipReason {
    fileprivate var explanation: String {
        switch self {
        case .noEnclosure: "it has no media file"
        case .notFetchable: "its media file has no http or https URL"
        case .notPlayable: "its file is an image or a document"
        case .beyondShare: "the feed has used its share of the library"
        case .repeats(let item): "it repeats item \(item + 1)"
        }
    }
}
