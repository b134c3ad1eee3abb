public import ControlProtocol
internal import PodcastModel

/// What `undo` and `redo` did, in a line.
public enum UndoText {
    public static func undone(_ reply: UndoneReply) -> String { "undid \(result(of: reply))" }

    public static func redone(_ reply: UndoneReply) -> String {
        let others = reply.count > 1 ? " and \(reply.count - 1) more" : ""
        let subject = (reply.subject ?? reply.title.map { $0 + others }).map { $0 + outcome(of: reply) }
        let fetching = reply.fetching > 0 ? "; downloading again" : ""
        let name: String
        switch reply.act {
        case .ruled: name = "changes by rules: "
        case .set, .output, .rule, .retention, .playlist: name = "\(reply.act.rawValue): "
        default: name = "\(reply.act.rawValue) of "
        }
        return "redid \(subject.map { name + $0 } ?? reply.act.rawValue)\(fetching)"
    }

    private static func subject(of reply: UndoneReply) -> String { reply.subject.map { " of \($0)" } ?? "" }

    /// ` is removed`, or nothing.
    private static func outcome(of reply: UndoneReply) -> String { reply.outcome.map { " is \($0.rawValue)" } ?? "" }

    private static func result(of reply: UndoneReply) -> String {
        let title = reply.title ?? ""
        let titles = title + (reply.count > 1 ? " and \(counted(reply.count - 1, "other episode"))" : "")
        let entries = counted(reply.count, "entry", "entries")
        let position = reply.position ?? .zero
        return switch reply.act {
        case .seek: "seek: \(title) is at \(position) again"
        case .markedPlayed:
            "played: \(titles) as before\(reply.count == 1 && position > .zero ? " at \(position)" : "")"
        case .bookmarked: "bookmark: the bookmarks of \(titles) are as before"
        case .imported: "import\(subject(of: reply)): what the import added is removed, what it changed is as before"
        case .synced: "sync: what \(reply.subject ?? title) sent is as before, \(counted(reply.count, "episode"))"
        case .markedUnplayed: "\(reply.act.rawValue): \(titles) as before"
        case .removed, .cleared: "\(reply.act.rawValue): \(entries) back in the queue"
        case .moved:
            reply.count > 1
                ? "move: \(title) and \(counted(reply.count - 1, "other entry", "other entries")) are back in their places"
                : "move: \(title) is back in its place"
        case .shuffled: "shuffle: the queue has its former order"
        case .starred: "star: \(titles) without a star again"
        case .unstarred: "unstar: \(titles) starred again"
        case .noted: "note: \(title) has its former note, or none"
        case .set, .output: "\(reply.act.rawValue): \(reply.subject ?? title) as before"
        case .retention:
            "retention: the policy of \(reply.subject ?? title) as before"
                + (reply.fetching > 0 ? "; \(counted(reply.fetching, "file")) downloading again" : "")
        case .rule, .playlist:
            "\(reply.act.rawValue): \(reply.subject ?? title)\(reply.outcome == .changed ? " as before" : outcome(of: reply))"
        case .subscribed, .unsubscribed, .feedsMerged, .speed: reply.act.rawValue + subject(of: reply)
        case .downloaded: "download: \(titles) no longer kept"
        case .deleted: "delete: \(titles) \(reply.fetching > 0 ? "downloading again" : "as before")"
        case .added: "add: \(reply.count == 1 ? title : entries) removed from the queue"
        case .ruled: "changes by rules: \(titles) as before"
        }
    }
}
