public import JSON

extension CommandDeclaration {
    /// The declaration as `server.commands` lists it.
    public var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("section", JSONValue(section?.rawValue)),
            .init("help", .string(summary)),
            .init("parameters", .array(parameters.map(\.json))), .init("result", .string(result)),
            .init("permission", .string(permission.name)), .init("long", .bool(isLong)),
        ]
        if let commandLine { members.append(.init("commandLine", .string(commandLine.words.joined(separator: " ")))) }
        return .object(members)
    }
}

extension ParameterDeclaration {
    /// The parameter as `server.commands` lists it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name))]
        members += kind.members
        members.append(.init("required", .bool(isRequired)))
        if let defaultValue { members.append(.init("default", defaultValue)) }
        members.append(.init("help", .string(help)))
        return .object(members)
    }
}

extension ParameterDeclaration.Kind {
    /// `type`, and what bounds it.
    var members: [JSONValue.Member] {
        switch self {
        case .string: [.init("type", "string"), .init("maximumBytes", .integer(Int64(Self.maximumTextBytes)))]
        case .text(let maximum): [.init("type", "string"), .init("maximumBytes", .integer(Int64(maximum)))]
        case .choice(let words): [.init("type", "choice"), .init("choices", .array(words.map(JSONValue.string)))]
        case .integer(let range):
            [.init("type", "integer")]
                + (range.lowerBound == .min ? [] : [.init("minimum", .integer(range.lowerBound))])
                + (range.upperBound == .max ? [] : [.init("maximum", .integer(range.upperBound))])
        case .number(let range):
            [
                .init("type", "number"), .init("minimum", JSONValue(range.lowerBound)),
                .init("maximum", JSONValue(range.upperBound)),
            ]
        case .time: [.init("type", "time")]
        case .flag: [.init("type", "flag")]
        case .what: [.init("type", "what")]
        case .list(let kind):
            [
                .init("type", "list"), .init("of", .object(kind.members)),
                .init("maximumCount", .integer(Int64(Self.maximumListCount))),
            ]
        case .object: [.init("type", "object")]
        }
    }

    /// The type as a manual writes it: `integer 0–100`, `list of what`.
    var words: String {
        switch self {
        case .string: return "text"
        case .text(let maximum): return "text of at most \(maximum) bytes"
        case .choice(let words): return words.map { "`\($0)`" }.joined(separator: ", ")
        case .integer(let range):
            switch (range.lowerBound == .min, range.upperBound == .max) {
            case (false, false): return "integer \(range.lowerBound)…\(range.upperBound)"
            case (false, true): return "integer from \(range.lowerBound)"
            case (true, false): return "integer up to \(range.upperBound)"
            case (true, true): return "integer"
            }
        case .number(let range): return "number \(range.lowerBound)…\(range.upperBound)"
        case .time: return "time"
        case .flag: return "true or false"
        case .what: return "what"
        case .list(let kind): return "list of: \(kind.words)"
        case .object: return "object"
        }
    }
}
