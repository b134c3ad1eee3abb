public import JSON

extension CommandSection {
    public static let session = CommandSection(
        "session", [RestrictSession.self, CallAs.self])
}

/// Gives up permissions for the rest of the connection.
public struct RestrictSession: ConnectionCommand {
    public var permission = CommandDeclaration.Permission.read

    public static let form = CommandForm<PermissionReply>(
        "session.restrict", "Restrict the permission of this connection permanently.",
        result: "`permission`", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("permission", &permission, isRequired: true, help: "The highest permission to keep.")
    }
}

/// Calls one command with less permission. The reply is the called command's, not `EmptyReply`.
public struct CallAs: ConnectionCommand {
    public var permission = CommandDeclaration.Permission.read
    public var method = ""
    public var parameters: JSONValue?

    public static let form = CommandForm<EmptyReply>(
        "session.as", "Call one command with less permission, for a gateway whose own clients share the connection.",
        result: "the result of the command", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("permission", &permission, isRequired: true, help: "The highest permission to keep.")
        parameters.declare(
            "method", &method, isRequired: true, help: "The command; not one of `session`, and not a subscription.")
        parameters.declare("params", object: &self.parameters, help: "Its parameters.")
    }
}

extension CommandDeclaration.Permission: ParameterChoice {
    public var word: String { name }
}
