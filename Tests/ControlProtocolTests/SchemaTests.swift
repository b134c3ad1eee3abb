import ControlLanguage
import ControlProtocol
import JSON
import TestSupport
import Testing

@Suite struct SchemaTests {
    private func command(_ name: String) throws -> OfferedCommand {
        try #require(OfferedCommand.all(upTo: .admin).first { $0.declaration.name == name })
    }

    @Test func aPermissionOffersItsCommandsAndThoseBelow() {
        let read = OfferedCommand.all(upTo: .read)
        #expect(read.allSatisfy { $0.declaration.permission == .read })
        #expect(read.contains { $0.declaration.name == "queue.list" })
        let all = OfferedCommand.all(upTo: .admin).map(\.declaration.name)
        #expect(Set(all).isSuperset(of: ["queue.list", "playback.play", "feeds.subscribe"]))
    }

    @Test func commandsOfTheConnectionAndOfDescriptorsAreNotOffered() {
        let names = OfferedCommand.all(upTo: .admin).map(\.declaration.name)
        let missing = Set(CommandTable.all.map(\.name)).subtracting(names)
        expectEqual(
            missing,
            ["session.restrict", "session.as", "status.subscribe", "episodes.file"])
    }

    @Test func parametersHaveTheirBoundsDefaultsAndHelp() throws {
        let schema = try command("episodes.picture").declaration.parameterSchema
        expectEqual(schema["type"], "object")
        expectEqual(schema["required"], ["what"])
        expectEqual(schema["additionalProperties"], false)
        let size = try #require(schema["properties"]?["size"])
        #expect(size["type"] == "integer" && size["minimum"] == 16 && size["maximum"] == 2048)
        expectEqual(size["default"], 600)
        let ids = try command("episodes.get").declaration.parameterSchema["properties"]?["ids"]
        expectEqual(ids?["items"]?["maximum"], .integer(.max), "a larger integer would be refused")
        expectEqual(size["description"]?.stringValue?.hasPrefix("Pixels"), true)
    }

    @Test func timesListsAndChoicesAreDescribed() throws {
        let seek = try command("playback.seek").declaration.parameterSchema["properties"]?["time"]
        expectEqual(seek?["anyOf"]?.arrayValue?.count, 2)
        expectEqual(seek?["description"]?.stringValue?.contains("1h2m3s"), true)
        let add = try command("queue.add").declaration.parameterSchema["properties"]
        #expect(add?["what"]?["type"] == "array" && add?["what"]?["maxItems"] == 1000)
        #expect(add?["what"]?["items"]?["anyOf"] != nil)
    }

    @Test func aResultRefersToItsObjects() throws {
        var schemas = ResultSchemas()
        let result = try command("status.get").resultSchema(in: &schemas)
        expectEqual(result["$ref"], "#/$defs/Status")
        let status = schemas.definitions.first { $0.name == "Status" }?.value["properties"]
        expectEqual(status?["state"]?["type"], "string")
        expectEqual(status?["reason"]?["type"], ["string", "null"])
        expectEqual(status?["outputs"]?["items"]?["$ref"], "#/$defs/Output")
        #expect(schemas.definitions.contains { $0.name == "Output" })
    }

    @Test func everyTypeOfEveryMemberIsKnown() {
        var schemas = ResultSchemas()
        let results = OfferedCommand.all(upTo: .admin).map { $0.resultSchema(in: &schemas) }
        for object in results + schemas.definitions.map(\.value) {
            let unknown = emptySchemas(object["properties"] ?? [:]).filter { !Self.anything.contains($0) }
            #expect(unknown.isEmpty, "\(unknown)")
        }
    }

    /// Members that may hold any value.
    private static let anything: Set<String> = [
        "value", "default", "minimum", "maximum", "step", "details", "feedDetails", "explanation", "labels", "settings",
    ]

    private func emptySchemas(_ properties: JSONValue) -> [String] {
        guard case .object(let members) = properties else { return [] }
        return members.filter { $0.value["type"] == nil && $0.value["$ref"] == nil && $0.value["anyOf"] == nil }
            .map(\.name)
    }

    @Test func objectsOfOneNameAreTheSame() {
        var schemas = ResultSchemas()
        var seen: [String: JSONValue] = [:]
        for command in OfferedCommand.all(upTo: .admin) {
            _ = command.resultSchema(in: &schemas)
            var own = ResultSchemas()
            _ = command.resultSchema(in: &own)
            for definition in own.definitions {
                if let known = seen[definition.name] {
                    expectEqual(known, definition.value, "\(definition.name)")
                }
                seen[definition.name] = definition.value
            }
        }
        expectEqual(schemas.definitions.count, seen.count)
        expectEqual(Set(schemas.definitions.map(\.name)).count, seen.count)
    }

    @Test func whatRemovesSomethingIsDeclaredDestructive() throws {
        for name in ["queue.clear", "queue.remove", "feeds.unsubscribe", "episodes.delete", "rules.remove"] {
            #expect(try command(name).declaration.isDestructive)
        }
        let all = OfferedCommand.all(upTo: .admin).map(\.declaration)
        #expect(!all.contains { $0.permission == .read && $0.isDestructive })
    }
}
