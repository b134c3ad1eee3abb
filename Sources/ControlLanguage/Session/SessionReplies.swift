public import JSON

/// The first line of a server: the parameters of `hello`.
public struct HelloReply: ReplyObject {
    public var server = VersionReply()
    public var permission = CommandDeclaration.Permission.read

    public init() {}

    public init(server: VersionReply, permission: CommandDeclaration.Permission) {
        self.server = server
        self.permission = permission
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        server.declareMembers(&members)
        members.declare("permission", &permission)
    }
}

public struct VersionReply: ReplyObject {
    public var server = ""
    public var version = ""
    public var `protocol`: Int64 = 0

    public init() {}

    public init(server: String, version: String) {
        self.server = server
        self.version = version
        self.protocol = Outgoing.protocolVersion
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("server", &server)
        members.declare("version", &version)
        members.declare("protocol", &self.protocol)
    }
}

public struct PermissionReply: ReplyObject {
    public var permission = CommandDeclaration.Permission.read

    public init() {}
    public init(_ permission: CommandDeclaration.Permission) { self.permission = permission }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("permission", &permission, isRequired: true)
    }
}

extension CommandDeclaration.Permission: WireScalar {
    public static var typeName: String { "text" }
    public var json: JSONValue { .string(name) }
    public init?(json: JSONValue) {
        guard let name = json.stringValue else { return nil }
        self.init(name: name)
    }
}
