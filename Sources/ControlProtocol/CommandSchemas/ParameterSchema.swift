public import ControlLanguage
public import JSON
internal import PodcastModel

extension CommandDeclaration {
    public var parameterSchema: JSONValue {
        JSONValue(omittingNulls: [
            "type": "object", "properties": JSONValue.object(parameters.map { .init($0.name, $0.schema) }),
            "required": parameters.filter(\.isRequired).map(\.name).nonEmpty, "additionalProperties": false,
        ])
    }
}

extension ParameterDeclaration {
    public var schema: JSONValue {
        let isTime = kind.syntax == .time || kind.elements.first?.syntax == .time
        let text = help + (isTime ? " Seconds, or text such as 1:30, 1h2m3s, +30, -15 or 50%." : "")
        return kind.schema.adding("description", text).adding("default", defaultValue)
    }
}

extension ValueKind {
    private static func bound(_ number: Double) -> JSONValue {
        Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }

    fileprivate var schema: JSONValue {
        switch syntax {
        case .choice: JSONValue(members: ["type": "string", "enum": choices])
        case .integer:
            // An integer has 64 bits, whose largest value the bounds of a kind cannot name.
            JSONValue(omittingNulls: [
                "type": "integer", "minimum": minimum.map(Self.bound),
                "maximum": maximum.flatMap { Int64(exactly: $0) } ?? .max,
            ])
        case .number:
            JSONValue(omittingNulls: [
                "type": "number", "minimum": minimum.map(Self.bound), "maximum": maximum.map(Self.bound),
            ])
        case .time:
            ["anyOf": [["type": "number", "minimum": 0], ["type": "string", "minLength": 1, "maxLength": 64]]]
        case .flag: ["type": "boolean"]
        case .what:
            [
                "anyOf": [
                    ["type": "string", "minLength": 1, "maxLength": .integer(Int64(Self.maximumTextBytes))],
                    ["type": "integer", "minimum": 0, "maximum": .integer(.max)],
                ]
            ]
        case .list:
            JSONValue(members: [
                "type": "array", "items": elements.first?.schema ?? [:], "maxItems": Self.maximumCount,
            ])
        case .object: ["type": "object"]
        // `maxLength` counts characters, of which there are never more than bytes.
        default: JSONValue(members: ["type": "string", "maxLength": maximumBytes ?? Self.maximumTextBytes])
        }
    }
}
