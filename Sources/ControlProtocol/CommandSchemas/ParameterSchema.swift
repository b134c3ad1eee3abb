public import ControlLanguage
public import JSON
internal import PodcastModel

extension CommandDeclaration {
    public var parameterSchema: JSONValue {
        var schema: [JSONValue.Member] = [.init("type", "object")]
        schema.append(.init("properties", .object(parameters.map { .init($0.name, $0.schema) })))
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema.append(.init("required", .array(required))) }
        schema.append(.init("additionalProperties", false))
        return .object(schema)
    }
}

extension ParameterDeclaration {
    public var schema: JSONValue {
        var members = kind.schemaMembers
        let isTime = kind.syntax == .time || kind.elements.first?.syntax == .time
        let text = help + (isTime ? " Seconds, or text such as 1:30, 1h2m3s, +30, -15 or 50%." : "")
        members.append(.init("description", .string(text)))
        if let defaultValue { members.append(.init("default", defaultValue)) }
        return .object(members)
    }
}

extension ValueKind {
    private func bound(_ name: String, _ number: Double?) -> [JSONValue.Member] {
        number.map { [.init(name, Int64(exactly: $0).map(JSONValue.integer) ?? .number($0))] } ?? []
    }

    fileprivate var schemaMembers: [JSONValue.Member] {
        switch syntax {
        case .choice: [.init("type", "string"), .init("enum", .array(choices.map(JSONValue.string)))]
        case .integer:
            // An integer has 64 bits, whose largest value the bounds of a kind cannot name.
            [.init("type", "integer")] + bound("minimum", minimum)
                + [.init("maximum", .integer(maximum.flatMap { Int64(exactly: $0) } ?? .max))]
        case .number: [.init("type", "number")] + bound("minimum", minimum) + bound("maximum", maximum)
        case .time:
            [.init("anyOf", [["type": "number", "minimum": 0], ["type": "string", "minLength": 1, "maxLength": 64]])]
        case .flag: [.init("type", "boolean")]
        case .what:
            [
                .init(
                    "anyOf",
                    [
                        ["type": "string", "minLength": 1, "maxLength": .integer(Int64(Self.maximumTextBytes))],
                        ["type": "integer", "minimum": 0, "maximum": .integer(.max)],
                    ])
            ]
        case .list:
            [
                .init("type", "array"), .init("items", .object(elements.first?.schemaMembers ?? [])),
                .init("maxItems", .integer(Int64(Self.maximumCount))),
            ]
        case .object: [.init("type", "object")]
        // `maxLength` counts characters, of which there are never more than bytes.
        default:
            [
                .init("type", "string"),
                .init("maxLength", .integer(Int64(maximumBytes ?? Self.maximumTextBytes))),
            ]
        }
    }
}
