internal import CommandSchemas
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// A command as a tool.
struct GatewayTool: Sendable {
    private let command: OfferedCommand

    /// The tools that a permission allows, in the order of the manual.
    static func all(upTo permission: CommandDeclaration.Permission) -> [GatewayTool] {
        OfferedCommand.all(upTo: permission).map { GatewayTool(command: $0) }
    }

    /// The command's name with `_` instead of the point, which several clients do not allow.
    var name: String { command.declaration.section + "_" + command.declaration.verb }
    /// The command's name on the control socket.
    var method: String { command.declaration.name }

    /// Its entry in `tools/list`.
    var json: JSONValue {
        let declaration = command.declaration
        let isReading = declaration.permission == .read
        return [
            "name": .string(name), "title": .string(declaration.summary), "description": .string(description),
            "inputSchema": declaration.parameterSchema, "outputSchema": command.resultSchema,
            "annotations": [
                "title": .string(declaration.summary), "readOnlyHint": .bool(isReading),
                "destructiveHint": .bool(declaration.isDestructive),
                // Commands that wait may ask publishers' servers.
                "openWorldHint": .bool(declaration.isLong),
            ],
        ]
    }

    private var description: String {
        let declaration = command.declaration
        return
            ([declaration.summary] + (declaration.commandLine?.details ?? [])
            + ["Result: \(declaration.result)."]).joined(separator: "\n")
    }

    /// A result as content and as structured content. A picture is content of its kind, and its bytes are not repeated as text.
    func content(of value: JSONValue) -> [JSONValue.Member] {
        guard method == GetPicture.name, case .object(let members) = value, let data = value["data"],
            let type = value["type"]
        else {
            return [
                .init("content", [["type": "text", "text": .string(value.text)]]), .init("structuredContent", value),
            ]
        }
        return [
            .init("content", [["type": "image", "data": data, "mimeType": type]]),
            .init("structuredContent", .object(members.filter { $0.name != "data" })),
        ]
    }

    /// What a model reads about a failed call.
    static func text(of failure: ClientFailure) -> String {
        guard case .refused(let error) = failure else { return failure.message }
        let choices = error.candidates.map { "\($0.kind) \($0.id): \($0.title)" }
        return ([error.what, error.hint].compactMap(\.self) + choices).joined(separator: "\n")
    }
}
