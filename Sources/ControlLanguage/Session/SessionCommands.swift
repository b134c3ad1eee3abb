public import JSON

extension CommandSection {
    public static let session = CommandSection(
        "session", [RestrictSession.self, CallAs.self])
}

public struct RestrictSession: ConnectionCommand {
    public var permission = CommandDeclaration.Permission.read

    public static let form = CommandForm<Self, PermissionReply>(
        Self(), "session.restrict", "Restrict the permission of this connection permanently.", .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("permission", &permission, help: "The highest permission to keep.")
    }
}

/// Calls one command with less permission. The reply is the called command's, not `EmptyReply`.
public struct CallAs: ConnectionCommand {
    public var permission = CommandDeclaration.Permission.read
    public var method = ""
    public var parameters: JSONValue?

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "session.as",
        "Call one command with less permission, for a gateway whose own clients share the connection.",
        .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("permission", &permission, help: "The highest permission to keep.")
        parameters.require(
            "method", &method, help: "The command; not one of `session`, and not a subscription.")
        parameters.declare("params", &self.parameters, help: "Its parameters.")
    }

    public static var result: String { "the result of the command" }
}

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

    public init(version: String) {
        server = "podcastd"
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

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("permission", &permission)
    }
}
