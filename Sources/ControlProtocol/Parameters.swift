public import JSON
public import PodcastModel

/// The parameters of a call, checked against the command's declaration: every name is declared, every value fits its
/// kind, and what is required is there. A name that the command does not declare reads as left out.
public struct Parameters: Equatable, Sendable {
    private let values: [(name: String, value: JSONValue)]

    /// Parameters of a command without any.
    public static let none = Parameters(values: [])

    private init(values: [(name: String, value: JSONValue)]) { self.values = values }

    /// Checks the `params` of a request: an object by name, an array in declared order, or nothing.
    ///
    /// - Throws: `ControlError`: `invalidParameters` for what is missing, unknown or of a wrong type,
    ///   `invalidArgument` for a value out of range or not understood.
    public init(_ params: JSONValue?, for command: CommandDeclaration) throws(ControlError) {
        if command.parameters.isEmpty && params == nil {
            values = []
            return
        }
        let given = params == nil ? [] : try Self.members(of: params, for: command)
        var values: [(name: String, value: JSONValue)] = []
        for declared in command.parameters {
            let value = given.first { $0.name == declared.name }?.value
            if let value, value != .null {
                values.append((declared.name, try declared.kind.checked(value, name: declared.name)))
            } else if declared.isRequired {
                throw ControlError(
                    .invalidParameters, "\(command.name) needs \(declared.name)",
                    hint: "\(declared.name): \(declared.help)")
            } else if let standard = declared.defaultValue {
                values.append((declared.name, standard))
            }
        }
        self.values = values
    }

    private static func members(
        of params: JSONValue?, for command: CommandDeclaration
    ) throws(ControlError) -> [JSONValue.Member] {
        let names = command.parameters.map(\.name)
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        switch params {
        case nil, .null?: return []
        case .object(let members)?:
            for member in members where !names.contains(member.name) {
                throw ControlError(
                    .invalidParameters, "\(command.name) has no parameter \(member.name.prefix(80))", hint: known)
            }
            return members
        case .array(let elements)?:
            if elements.count > names.count {
                throw ControlError(.invalidParameters, "\(command.name) has too many parameters", hint: known)
            }
            return zip(names, elements).map { JSONValue.Member($0, $1) }
        case .bool?, .integer?, .number?, .string?:
            throw ControlError(.invalidParameters, "params is no object", hint: known)
        }
    }

    private func value(_ name: String) -> JSONValue? { values.first { $0.name == name }?.value }

    /// A `string`, `text`, `choice` or `what`; nil when it was left out.
    public func text(_ name: String) -> String? { value(name)?.stringValue }
    /// A required `string`, `text`, `choice` or `what`.
    public func text(required name: String) -> String { text(name) ?? "" }
    /// The `limit` of a list command, which declares how many rows that is unless given.
    public var limit: Int { Int(clamping: integer(required: "limit")) }
    /// A list of texts; empty when it was left out.
    public func texts(_ name: String) -> [String] { value(name)?.arrayValue?.compactMap(\.stringValue) ?? [] }
    /// An `integer`; nil when it was left out.
    public func integer(_ name: String) -> Int64? { value(name)?.integerValue }
    /// An `integer` that is required or has a default.
    public func integer(required name: String) -> Int64 { integer(name) ?? 0 }
    /// A list of integers; empty when it was left out.
    public func integers(_ name: String) -> [Int64] { value(name)?.arrayValue?.compactMap(\.integerValue) ?? [] }
    /// A `number`; nil when it was left out.
    public func number(_ name: String) -> Double? { value(name)?.numberValue }
    /// A `flag`; false when it was left out and has no default.
    public func flag(_ name: String) -> Bool { value(name)?.boolValue ?? false }
    /// A `time`; nil when it was left out.
    public func time(_ name: String) -> TimeArgument? {
        switch value(name) {
        case .string(let text)?: TimeArgument(parsing: text)
        case .integer(let seconds)?: .absolute(MediaTime(seconds: Double(seconds)))
        case .number(let seconds)?: .absolute(MediaTime(seconds: seconds))
        case nil, .null?, .bool?, .array?, .object?: nil
        }
    }
    /// An `object`; nil when it was left out.
    public func object(_ name: String) -> JSONValue? { value(name) }
    /// Whether a parameter was given or has a default.
    public func has(_ name: String) -> Bool { value(name) != nil }

    /// Equal when all values are.
    public static func == (left: Parameters, right: Parameters) -> Bool {
        left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }
}

extension ParameterDeclaration.Kind {
    /// Texts that are not declared with a bound of their own.
    static let maximumTextBytes = 4096
    /// Elements of a list.
    static let maximumListCount = 1000

    /// The value as a handler will see it.
    func checked(_ value: JSONValue, name: String) throws(ControlError) -> JSONValue {
        switch self {
        case .string: return try Self.text(value, name, maximumBytes: Self.maximumTextBytes)
        case .text(let maximumBytes): return try Self.text(value, name, maximumBytes: maximumBytes)
        case .choice(let words):
            guard let word = value.stringValue else { throw Self.wrongType(name, "text") }
            if !words.contains(word) {
                throw ControlError(
                    .invalidArgument, "\(name) cannot be \(word.prefix(80))",
                    hint: "it is one of \(words.joined(separator: ", "))")
            }
            return value
        case .integer(let range):
            guard let number = value.integerValue else { throw Self.wrongType(name, "a whole number") }
            if !range.contains(number) { throw Self.outOfRange(name, range.lowerBound, range.upperBound) }
            return .integer(number)
        case .number(let range):
            guard let number = value.numberValue else { throw Self.wrongType(name, "a number") }
            if !range.contains(number) { throw Self.outOfRange(name, range.lowerBound, range.upperBound) }
            return .number(number)
        case .time: return try Self.time(value, name)
        case .flag:
            if value.boolValue == nil { throw Self.wrongType(name, "true or false") }
            return value
        case .what:
            if case .integer(let number) = value, number >= 0 { return .string("\(number)") }
            guard let text = value.stringValue else { throw Self.wrongType(name, "text or a number") }
            if text.isEmpty { throw ControlError(.invalidArgument, "\(name) is empty") }
            return try Self.text(value, name, maximumBytes: Self.maximumTextBytes)
        case .list(let kind):
            guard let elements = value.arrayValue else { throw Self.wrongType(name, "a list") }
            if elements.count > Self.maximumListCount {
                throw ControlError(
                    .invalidArgument, "\(name) has more than \(Self.maximumListCount) elements",
                    hint: "give them in several calls")
            }
            var checked: [JSONValue] = []
            checked.reserveCapacity(elements.count)
            for element in elements { checked.append(try kind.checked(element, name: name)) }
            return .array(checked)
        case .object:
            guard case .object = value else { throw Self.wrongType(name, "an object") }
            return value
        }
    }

    private static func text(_ value: JSONValue, _ name: String, maximumBytes: Int) throws(ControlError) -> JSONValue {
        guard let text = value.stringValue else { throw wrongType(name, "text") }
        if text.utf8.count > maximumBytes {
            throw ControlError(.invalidArgument, "\(name) is longer than \(maximumBytes) bytes")
        }
        return value
    }

    private static func time(_ value: JSONValue, _ name: String) throws(ControlError) -> JSONValue {
        let hint = "a number of seconds, or text such as 1:30, 1h2m3s, +30 or -15"
        switch value {
        case .string(let text):
            if text.utf8.count > 64 || TimeArgument(parsing: text) == nil {
                throw ControlError(.invalidArgument, "\(name) is no time: \(text.prefix(64))", hint: hint)
            }
        case .integer, .number:
            // As far as TimeArgument reads them: ten years.
            guard let seconds = value.numberValue, (0...316_224_000).contains(seconds) else {
                throw ControlError(.invalidArgument, "\(name) is out of range", hint: hint)
            }
        case .null, .bool, .array, .object: throw wrongType(name, hint)
        }
        return value
    }

    private static func wrongType(_ name: String, _ expected: String) -> ControlError {
        ControlError(.invalidParameters, "\(name) has a wrong type", hint: "it is \(expected)")
    }

    private static func outOfRange<Number: Comparable>(_ name: String, _ lowest: Number, _ highest: Number)
        -> ControlError
    {
        ControlError(.invalidArgument, "\(name) is out of range", hint: "it is from \(lowest) to \(highest)")
    }
}
