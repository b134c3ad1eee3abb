public import ControlLanguage
public import PodcastModel

/// The change that `playback.undo` undid, or `playback.redo` did again.
public struct UndoneReply: ReplyObject {
    public var act = Act.seek
    public var count = 0
    public var title: String?
    public var position: MediaTime?
    public var subject: String?
    public var fetching = 0
    public var outcome: Act.Outcome?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require(
            "act", &act, "The act that was undone or redone: \(Act.all).")
        members.declare(
            "count", &count,
            "Number of restored episodes or queue entries; of add, the number of entries removed from the queue.")
        members.declare("title", &title, "Title of the first of them.")
        members.declare("position", &position, "Its saved position; null for an edit of the queue.")
        members.declare(
            "subject", &subject,
            "What it was done to, if that is not an episode: a feed, setting, rule, playlist or file.")
        members.declare("fetching", &fetching, "Number of files that are being downloaded again.")
        members.declare(
            "outcome", &outcome,
            "Effect on the playlist, rule or bookmark: removed, restored or changed; null for other acts.")
    }
}

extension Act: WireScalar {
    fileprivate static let all = allCases.map(\.rawValue).joinedText(", ")
}

extension Act.Outcome: WireScalar {}

public struct UndoableListReply: ReplyObject {
    public var acts: [UndoableAct] = []
    public var undone: [UndoableAct] = []

    public init() {}

    public init(_ acts: [UndoableAct], undone: [UndoableAct] = []) {
        self.acts = acts
        self.undone = undone
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("acts", &acts, "The acts, the last one first.")
        members.declare("undone", &undone, "The acts that `redo` would do again, in its order.")
    }
}

extension UndoableAct: ReplyObject {
    public static let objectName = "Undoable"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require(
            "act", &act, "The act that would be undone or redone: \(Act.all).")
        members.declare("count", &count, "Number of its episodes, queue entries or feeds.")
        members.declare(
            "title", &title, "Title of the first of them; of the others the setting, rule, playlist or file.")
        members.declare("reason", &obstacle, "Why it cannot be undone or redone; null if it can.")
        members.declare("id", &id, "Its id, for the parameter `act` of `playback.undo`.")
        members.declare("time", &time, "When it was done.")
    }
}
