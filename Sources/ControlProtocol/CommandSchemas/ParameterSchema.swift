public import ControlLanguage
public import JSON

extension CommandDeclaration {
    /// The JSON Schema of `params` as an object.
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
    /// The JSON Schema of its value, with help and default.
    public var schema: JSONValue {
        var members = kind.schemaMembers
        var text = help
        if let note = kind.note { text += (text.isEmpty ? "" : " ") + note }
        if !text.isEmpty { members.append(.init("description", .string(text))) }
        if let defaultValue { members.append(.init("default", defaultValue)) }
        return .object(members)
    }
}

extension ParameterDeclaration.Kind {
    /// What the schema's keywords cannot say.
    fileprivate var note: String? {
        switch self {
        case .time: "Seconds, or text such as 1:30, 1h2m3s, +30, -15 or 50%."
        case .list(let kind): kind.note
        case .string, .text, .choice, .integer, .number, .flag, .what, .object: nil
        }
    }

    fileprivate var schemaMembers: [JSONValue.Member] {
        switch self {
        case .string: text(Self.maximumTextBytes)
        case .text(let maximumBytes): text(maximumBytes)
        case .choice(let words):
            [.init("type", "string"), .init("enum", .array(words.map(JSONValue.string)))]
        case .integer(let range):
            [.init("type", "integer")]
                + (range.lowerBound == .min ? [] : [.init("minimum", .integer(range.lowerBound))])
                + [.init("maximum", .integer(range.upperBound))]
        case .number(let range):
            [
                .init("type", "number"), .init("minimum", JSONValue(range.lowerBound)),
                .init("maximum", JSONValue(range.upperBound)),
            ]
        case .time:
            [
                .init(
                    "anyOf",
                    [["type": "number", "minimum": 0], ["type": "string", "minLength": 1, "maxLength": 64]])
            ]
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
        case .list(let kind):
            [
                .init("type", "array"), .init("items", .object(kind.schemaMembers)),
                .init("maxItems", .integer(Int64(Self.maximumListCount))),
            ]
        case .object: [.init("type", "object")]
        }
    }

    /// `maxLength` counts characters, of which there are never more than bytes.
    private func text(_ maximumBytes: Int) -> [JSONValue.Member] {
        [.init("type", "string"), .init("maxLength", .integer(Int64(maximumBytes)))]
    }
}
