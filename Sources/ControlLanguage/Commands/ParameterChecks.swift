internal import JSON
internal import PodcastModel

extension ParameterDeclaration.Kind {
    /// Limit for texts that are declared without their own maximum.
    public static let maximumTextBytes = 4096
    public static let maximumListCount = 1000

    /// The value in the form that handlers expect.
    func checked(_ value: JSONValue, name: String) throws(ControlError) -> JSONValue {
        switch self {
        case .string: return try Self.text(value, name, maximumBytes: Self.maximumTextBytes)
        case .text(let maximumBytes): return try Self.text(value, name, maximumBytes: maximumBytes)
        case .choice(let words):
            guard let word = value.stringValue else { throw Self.wrongType(name, "text") }
            if !words.contains(word) {
                throw ControlError(
                    .invalidArgument, "\(name) cannot be \(word.prefix(80))",
                    hint: "use one of \(words.joined(separator: ", "))")
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
            if let number = value.integerValue, number >= 0 { return .string("\(number)") }
            guard let text = value.stringValue else { throw Self.wrongType(name, "text or a number") }
            if text.isEmpty { throw ControlError(.invalidArgument, "\(name) is empty") }
            return try Self.text(value, name, maximumBytes: Self.maximumTextBytes)
        case .list(let kind):
            guard let elements = value.arrayValue else { throw Self.wrongType(name, "a list") }
            if elements.count > Self.maximumListCount {
                throw ControlError(
                    .invalidArgument, "\(name): more than \(Self.maximumListCount) words",
                    hint: "give them in several commands, for example with xargs -n \(Self.maximumListCount)")
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
        let hint = "a number of seconds, or text such as 1:30, 1h2m3s, +30, -15 or 50%"
        switch value {
        case .string(let text):
            if text.utf8.count > 64 || TimeArgument(parsing: text) == nil {
                throw ControlError(.invalidArgument, "\(name) is not a time: \(text.prefix(64))", hint: hint)
            }
        case .integer, .number:
            // The range of TimeArgument: ten years.
            guard let seconds = value.numberValue, (0...316_224_000).contains(seconds) else {
                throw ControlError(.invalidArgument, "\(name) is out of range", hint: hint)
            }
        case .null, .bool, .array, .object: throw wrongType(name, hint)
        }
        return value
    }

    private static func wrongType(_ name: String, _ expected: String) -> ControlError {
        ControlError(.invalidParameters, "\(name) has a wrong type", hint: "it must be \(expected)")
    }

    private static func outOfRange<Number: Comparable>(_ name: String, _ lowest: Number, _ highest: Number)
        -> ControlError
    {
        ControlError(.invalidArgument, "\(name) is out of range", hint: "it must be from \(lowest) to \(highest)")
    }
}
