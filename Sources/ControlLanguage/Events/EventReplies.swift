public import JSON

/// A change of a part that the connection watches: the parameters of `event`.
public struct EventReply: ReplyObject {
    public var sequence: UInt64 = 0
    public var part = StatusPart.player
    public var value = JSONValue.null
    public var since: UInt64?
    public var revision: UInt64?
    public var changes: [RowChange] = []
    public var needsReload: Bool?

    public init() {}

    public init(sequence: UInt64, part: StatusPart, value: JSONValue) {
        self.sequence = sequence
        self.part = part
        self.value = value
    }

    /// The event for a client whose copy of the part's list has revision `since`.
    init(sequence: UInt64, part: StatusPart, _ update: PartUpdate, since: UInt64) {
        self.init(sequence: sequence, part: part, value: update.value)
        guard let newest = update.revision else { return }
        self.since = since
        revision = newest
        if let known = update.changes { changes = known } else { needsReload = true }
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("seq", &sequence, "Rises with each event; a gap means that values between were left out.")
        members.require("part", &part, "The part that has changed.")
        members.declare("value", &value, "Its value now; null for lists that another command reads.")
        members.declareIfAny("since", &since, "The revision of the list to which `changes` apply.")
        members.declareIfAny("revision", &revision, "The revision of the list after them.")
        members.declareIfAny("changes", &changes, "What changed in the list, in order; left out if nothing did.")
        members.declareIfAny(
            "reload", &needsReload, "true if the changes are unknown or too many: read the list again.")
    }
}

public struct SnapshotReply: ReplyObject {
    public var sequence: UInt64 = 0
    public var parts = Parts()

    public struct Parts: ReplyObject {
        private var values: [StatusPart: JSONValue] = [:]

        public init() {}

        public subscript(part: StatusPart) -> JSONValue? {
            get { values[part] }
            set { values[part] = newValue }
        }

        public mutating func declareMembers(_ members: inout MemberExchange) {
            for part in StatusPart.allCases { members.declareIfAny(part.rawValue, &values[part]) }
        }
    }

    public init() {}

    public init(sequence: UInt64, parts: Parts) {
        self.sequence = sequence
        self.parts = parts
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("seq", &sequence, "The number of the last event before the snapshot.")
        members.declare("parts", &parts)
    }
}

public struct SubscribeStatus: ConnectionCommand {
    public var parts: [StatusPart]?

    public static let form = CommandForm<Self, SnapshotReply>(
        Self(), "status.subscribe",
        "Watch parts of the status: the answer is a snapshot, `event` notifications follow.", .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("parts", &parts, help: "Which parts (default: all).")
    }
}
