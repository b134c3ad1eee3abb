internal import JSON

extension CommandReply {
    public init(_ declaration: CommandDeclaration) {
        name = declaration.name
        section = declaration.section
        help = declaration.summary
        parameters = declaration.parameters.map { ParameterReply($0) }
        result = declaration.result
        permission = declaration.permission
        isLong = declaration.isLong
        commandLine = declaration.commandLine?.words.joined(separator: " ")
    }
}

extension ParameterReply {
    init(_ declaration: ParameterDeclaration) {
        name = declaration.name
        type = TypeReply(declaration.kind)
        isRequired = declaration.isRequired
        defaultValue = declaration.defaultValue
        help = declaration.help
    }
}

extension TypeReply {
    init(_ kind: ParameterDeclaration.Kind) {
        switch kind {
        case .string:
            self.init("string")
            maximumBytes = ParameterDeclaration.Kind.maximumTextBytes
        case .text(let maximum):
            self.init("string")
            maximumBytes = maximum
        case .choice(let words):
            self.init("choice")
            choices = words
        case .integer(let range):
            self.init("integer")
            if range.lowerBound != .min { minimum = .integer(range.lowerBound) }
            if range.upperBound != .max { maximum = .integer(range.upperBound) }
        case .number(let range):
            self.init("number")
            minimum = JSONValue(range.lowerBound)
            maximum = JSONValue(range.upperBound)
        case .time: self.init("time")
        case .flag: self.init("flag")
        case .what: self.init("what")
        case .list(let kind):
            self.init("list")
            elements = [TypeReply(kind)]
            maximumCount = ParameterDeclaration.Kind.maximumListCount
        case .object: self.init("object")
        }
    }
}

extension ParameterDeclaration.Kind {
    /// The type in the manual's notation: `integer 0–100`, `list of what`.
    public var words: String {
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
