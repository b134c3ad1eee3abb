internal import ControlLanguage
public import JSON
internal import PodcastModel

/// JSON Schemas of replies. Objects with a name become definitions, to which the other schemas refer.
public struct ResultSchemas {
    private let prefix: String
    /// The named objects so far, in the order of their first use.
    public private(set) var definitions: [JSONValue.Member] = []

    /// - Parameter prefix: what `$ref` begins with: `#/$defs/` in a separate document.
    public init(referringTo prefix: String = "#/$defs/") { self.prefix = prefix }

    /// The schema of one reply; what it refers to is added to `definitions`.
    mutating func schema<Reply: ReplyObject>(of type: Reply.Type) -> JSONValue {
        object(named: Reply.objectName) { Reply.members }
    }

    /// The schema of a member's value; nil for a type that no schema is known for.
    ///
    /// The declaration's type in words is the only place where it says whether a value may be null.
    mutating func schema(of member: ObjectMember) -> JSONValue? {
        var words = Substring(member.type)
        let isNullable = words.hasSuffix(Self.nullable)
        if isNullable { words.removeLast(Self.nullable.count) }
        if member.isList { words.removeFirst(Self.list.count) }
        let value: JSONValue
        if let nested = member.nested {
            value = object(named: String(words), nested)
        } else if let scalar = Self.scalar(words) {
            value = scalar
        } else {
            return nil
        }
        var schema: JSONValue = member.isList ? ["type": "array", "items": value] : value
        if isNullable, schema != [:] { schema = schema.orNull }
        return schema.adding("description", member.help.nonEmpty)
    }

    private static let nullable = " or null"
    private static let list = "list of "

    private mutating func object(named name: String, _ members: () -> [ObjectMember]) -> JSONValue {
        // `object` is the name of lists, which do not hold themselves.
        if name == "object" { return properties(members()) }
        let reference: JSONValue = ["$ref": .string(prefix + name)]
        if definitions.contains(where: { $0.name == name }) { return reference }
        let place = definitions.count
        definitions.append(.init(name, ["type": "object"]))
        definitions[place].value = properties(members())
        return reference
    }

    /// Members that are missing are unknown ones, so none is required, and later versions may add some.
    private mutating func properties(_ members: [ObjectMember]) -> JSONValue {
        let properties = members.map { JSONValue.Member($0.name, schema(of: $0) ?? [:]) }
        return ["type": "object", "properties": .object(properties)]
    }

    private static func scalar(_ words: Substring) -> JSONValue? {
        switch words {
        case "text": ["type": "string"]
        case "true or false": ["type": "boolean"]
        case "number", "seconds": ["type": "number"]
        case "integer": ["type": "integer"]
        case "instant": ["type": "string", "format": "date-time"]
        case "any": [:]
        default: nil
        }
    }
}

extension JSONValue {
    fileprivate var orNull: JSONValue {
        if case .string(let type)? = self["type"] { return replacing("type", with: [.string(type), "null"]) }
        return ["anyOf": [self, ["type": "null"]]]
    }
}
