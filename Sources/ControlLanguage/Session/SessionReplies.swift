public import JSON

/// The first line of a server: the parameters of `hello`.
public struct HelloReply: ReplyObject {
    /// Who serves.
    public var server = VersionReply()
    /// The highest permission of the connection.
    public var permission = CommandDeclaration.Permission.read

    /// A server of which nothing is known.
    public init() {}

    /// A greeting.
    public init(server: VersionReply, permission: CommandDeclaration.Permission) {
        self.server = server
        self.permission = permission
    }

    /// The server's members, then its own.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        server.declareMembers(&members)
        members.declare("permission", &permission)
    }
}

/// What `server.version` answers.
public struct VersionReply: ReplyObject {
    /// The program.
    public var server = ""
    /// Its version.
    public var version = ""
    /// The protocol's version.
    public var `protocol`: Int64 = 0

    /// A server of which nothing is known.
    public init() {}

    /// A server that speaks this protocol.
    public init(server: String, version: String) {
        self.server = server
        self.version = version
        self.protocol = Outgoing.protocolVersion
    }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("server", &server)
        members.declare("version", &version)
        members.declare("protocol", &self.protocol)
    }
}

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

/// What `session.restrict` answers.
public struct PermissionReply: ReplyObject {
    /// The permission that is left.
    public var permission = CommandDeclaration.Permission.read

    /// The least.
    public init() {}
    /// A permission.
    public init(_ permission: CommandDeclaration.Permission) { self.permission = permission }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("permission", &permission, isRequired: true)
    }
}

extension StatusPart: WireScalar {
    static var typeName: String { "text" }
    var json: JSONValue { .string(name) }
    init?(json: JSONValue) {
        guard let name = json.stringValue else { return nil }
        self.init(name: name)
    }
}

extension CommandDeclaration.Permission: WireScalar {
    static var typeName: String { "text" }
    var json: JSONValue { .string(name) }
    init?(json: JSONValue) {
        guard let name = json.stringValue else { return nil }
        self.init(name: name)
    }
}
