public import ControlLanguage
public import JSON

/// A command that a gateway offers to its own clients.
public struct OfferedCommand: Sendable {
    let type: any Command.Type
    public let declaration: CommandDeclaration

    /// All commands that a caller with a permission may use, in the order of the manual. Commands about a connection of
    /// the control socket and those that need a file's descriptor are not among them.
    public static func all(upTo permission: CommandDeclaration.Permission) -> [OfferedCommand] {
        CommandTable.sections.flatMap(\.types).compactMap { type in
            guard !type.isOfConnection, type.name != HandOverFile.name else { return nil }
            let declaration = type.declaration
            return declaration.permission <= permission ? OfferedCommand(type: type, declaration: declaration) : nil
        }
    }

    /// The schema of the command's result, whose named objects are collected with the named objects of other results.
    public func resultSchema(in schemas: inout ResultSchemas) -> JSONValue { type.replySchema(in: &schemas) }
}

extension Command {
    fileprivate static func replySchema(in schemas: inout ResultSchemas) -> JSONValue { schemas.schema(of: Reply.self) }
}
