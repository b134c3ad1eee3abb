public import JSON

/// A change of a part that the connection watches: the parameters of `event`.
public struct EventReply: ReplyObject {
    /// The number of the event: numbers rise, and a gap means that values between were left out.
    public var sequence: UInt64 = 0
    /// What has changed.
    public var part = StatusPart.player
    /// Its value now; null for parts of which only the change is told.
    public var value = JSONValue.null

    /// An event of which nothing is known.
    public init() {}

    /// An event.
    public init(sequence: UInt64, part: StatusPart, value: JSONValue) {
        self.sequence = sequence
        self.part = part
        self.value = value
    }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("seq", &sequence)
        members.declare("part", &part, isRequired: true)
        members.declare("value", &value)
    }
}

/// What `status.subscribe` answers.
public struct SnapshotReply: ReplyObject {
    /// The number of the last event before the snapshot.
    public var sequence: UInt64 = 0
    /// The values of the parts that are watched now.
    public var parts = Parts()

    /// Values of parts, under their names.
    public struct Parts: ReplyObject {
        private var values: [StatusPart: JSONValue] = [:]

        /// No part.
        public init() {}

        /// The value of a part; nil when it is not among them.
        public subscript(part: StatusPart) -> JSONValue? {
            get { values[part] }
            set { values[part] = newValue }
        }

        /// Those that are there.
        public mutating func declareMembers(_ members: inout MemberExchange) {
            for part in StatusPart.allCases { members.declareIfAny(part.name, &values[part]) }
        }
    }

    /// An empty snapshot.
    public init() {}

    /// A snapshot.
    public init(sequence: UInt64, parts: Parts) {
        self.sequence = sequence
        self.parts = parts
    }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("seq", &sequence)
        members.declare("parts", &parts)
    }
}

/// What `status.unsubscribe` answers.
public struct WatchedReply: ReplyObject {
    /// The parts that are still watched.
    public var parts: [StatusPart] = []

    /// None.
    public init() {}
    /// Some parts.
    public init(_ parts: [StatusPart]) { self.parts = parts }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("parts", &parts) }
}
