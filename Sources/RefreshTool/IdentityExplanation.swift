internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

/// What a merge of the fetched document would decide about each item, and why; nothing is stored.
struct IdentityExplanation {
    /// Items that are named one by one.
    private static let shownItems = 40

    /// What would become of the document.
    let preview: MergePreview
    private let feed: Feed?
    private let conflict: String?

    /// Holds a fetched document against the library; nil when none came.
    init?(of result: FeedFetchResult, _ feed: Feed?, _ session: LibrarySession) throws(ToolFailure) {
        guard case .document(let document) = result.outcome else { return nil }
        self.feed = feed
        preview = try session.perform { store throws(LibraryError) in
            try store.identity.previewMerge(
                document.contents,
                DocumentExtent(of: document.contents.channel, isTruncated: document.isTruncated), into: feed?.id)
        }
        if let rival = feed?.conflict {
            let title = try session.perform { store throws(LibraryError) in try store.feeds.feed(rival.feed).title }
            let claim =
                switch rival.reason {
                case .guid: "has the same podcast:guid"
                case .description: "says the same of itself"
                }
            conflict = "\(title) (feed \(rival.feed)) \(claim); nothing is merged between the two"
        } else {
            conflict = nil
        }
    }

    /// For people: how many items are plain, and all others one by one.
    var lines: [String] {
        var lines = ["Identity"]
        if let conflict { lines.append("  \(conflict)") }
        if preview.isOtherFeed {
            lines.append("  none of the stored episodes is in it, and it calls itself otherwise: another feed")
        }
        let known = preview.rows.count { $0.outcome == .known }
        let new = preview.rows.count { $0.outcome == .new }
        lines.append(
            "  \(known) items known by their GUIDs, \(new) new, \(preview.gone) stored episodes not listed any more")
        lines += preview.leftOut.lines.map { "  not stored: \($0)" }
        // Of a feed that is not stored, every item is new; only what would be left out is worth a line.
        let notable = preview.rows.filter { $0.outcome != .known && (feed != nil || $0.outcome != .new) }
        for row in notable.prefix(Self.shownItems) {
            lines.append("  item \(row.item + 1), \(row.title): \(Self.words(for: row.outcome))")
        }
        if notable.count > Self.shownItems {
            lines.append("  and \(notable.count - Self.shownItems) more; --json has all")
        }
        return lines
    }

    /// For programs: every item that is not plain.
    var json: JSONValue {
        [
            "otherFeed": .bool(preview.isOtherFeed),
            "conflict": JSONValue(feed?.conflict.map { $0.feed.rawValue }.map(Int.init)),
            "known": JSONValue(preview.rows.count { $0.outcome == .known }), "gone": JSONValue(preview.gone),
            "leftOut": preview.leftOut.json,
            "items": .array(
                preview.rows.filter { $0.outcome != .known }.map { row in
                    [
                        "item": JSONValue(row.item), "title": .string(row.title),
                        "decision": .string(Self.name(of: row.outcome)), "why": .string(Self.words(for: row.outcome)),
                        "episode": Self.episode(of: row.outcome).map { .integer($0.rawValue) } ?? .null,
                    ]
                }),
        ]
    }

    private static func name(of outcome: MergePreview.Outcome) -> String {
        switch outcome {
        case .new, .newDespiteGUID: "new"
        case .known: "known"
        case .matched: "matched"
        case .skipped: "skipped"
        }
    }

    private static func episode(of outcome: MergePreview.Outcome) -> EpisodeID? {
        switch outcome {
        case .newDespiteGUID(let episode), .matched(_, let episode), .skipped(.joined(let episode)): episode
        case .new, .known, .skipped: nil
        }
    }

    private static func words(for outcome: MergePreview.Outcome) -> String {
        switch outcome {
        case .new: "new"
        case .newDespiteGUID(let episode):
            "new, although its GUID is that of episode \(episode): title, file and date differ"
        case .known: "known by its GUID"
        case .matched(let kind, let episode): "episode \(episode), \(words(for: kind))"
        case .skipped(let reason): "skipped: \(words(for: reason))"
        }
    }

    private static func words(for kind: IdentityDecision.Kind) -> String {
        switch kind {
        case .matchedByGUIDAlone: "known by its GUID alone: title and file differ"
        case .matchedByURL: "known by its address; the GUID differs"
        case .matchedByFile: "known by its file; prefix or query of the address differ"
        case .matchedByTitle: "known by title, date and duration"
        case .reusedGUID, .repeatedItem, .otherFeed, .split, .joined: "known"
        }
    }

    private static func words(for reason: SkipReason) -> String {
        switch reason {
        case .noEnclosure: "it announces no media file"
        case .notFetchable: "its media file has no address that can be fetched (http or https)"
        case .notPlayable: "its file is a picture or a paper"
        case .beyondShare: "the feed has used its share of the library"
        case .repeats(let item): "it says item \(item + 1) again"
        case .joined(let episode): "you joined it with episode \(episode), which is listed too"
        }
    }
}
