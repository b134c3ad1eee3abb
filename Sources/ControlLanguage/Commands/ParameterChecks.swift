public import JSON
public import PodcastModel

extension ValueKind {
    /// The value of a parameter in the form that handlers expect.
    func checked(_ value: JSONValue, name: String) throws(ControlError) -> JSONValue {
        switch syntax {
        case .choice:
            guard let word = value.stringValue else { throw wrongType(name, "text") }
            if !choices.contains(word) {
                throw ControlError(.invalidArgument, "\(name) cannot be \(word.prefix(80))", hint: "use \(form)")
            }
            return value
        case .integer:
            guard let number = value.integerValue else { throw wrongType(name, "a whole number") }
            return try inRange(Double(number), .integer(number), name)
        case .number:
            guard let number = value.numberValue else { throw wrongType(name, "a number") }
            return try inRange(number, .number(number), name)
        case .time: return try time(value, name)
        case .flag:
            if value.boolValue == nil { throw wrongType(name, "true or false") }
            return value
        case .what:
            if let number = value.integerValue, number >= 0 { return .string("\(number)") }
            if value.stringValue?.isEmpty == true { throw ControlError(.invalidArgument, "\(name) is empty") }
            return try text(value, name, expected: "text or a number")
        case .list:
            guard let values = value.arrayValue else { throw wrongType(name, "a list") }
            if values.count > Self.maximumCount {
                throw ControlError(
                    .invalidArgument, "\(name): more than \(Self.maximumCount) words",
                    hint: "give them in several commands, for example with xargs -n \(Self.maximumCount)")
            }
            let element = elements.first ?? .string
            var checked: [JSONValue] = []
            checked.reserveCapacity(values.count)
            for value in values { checked.append(try element.checked(value, name: name)) }
            return .array(checked)
        case .object:
            guard case .object = value else { throw wrongType(name, "an object") }
            return value
        default: return try text(value, name, expected: "text")
        }
    }

    private func text(_ value: JSONValue, _ name: String, expected: String) throws(ControlError) -> JSONValue {
        guard let text = value.stringValue else { throw wrongType(name, expected) }
        let maximum = maximumBytes ?? Self.maximumTextBytes
        if text.utf8.count > maximum {
            throw ControlError(.invalidArgument, "\(name) is longer than \(maximum) bytes")
        }
        if isLine, text.isEmpty || !SafeText.isOneLine(text) {
            throw ControlError(.invalidArgument, "\(name) is not one line of text")
        }
        return value
    }

    private func inRange(_ number: Double, _ value: JSONValue, _ name: String) throws(ControlError) -> JSONValue {
        if contains(number) { return value }
        throw ControlError(.invalidArgument, "\(name) is out of range", hint: "it must be \(form)")
    }

    private func time(_ value: JSONValue, _ name: String) throws(ControlError) -> JSONValue {
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

    private func wrongType(_ name: String, _ expected: String) -> ControlError {
        ControlError(.invalidParameters, "\(name) has a wrong type", hint: "it must be \(expected)")
    }

    /// The JSON value that a text of a command line, form or query stands for. A text of another kind remains text, and the
    /// command refuses it.
    public func json(_ text: String) -> JSONValue {
        switch syntax {
        case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .string(text)
        case .flag:
            switch text {
            case "yes", "true", "1": true
            case "no", "false", "0", "": false
            default: .string(text)
            }
        case .list: .array(text.split(separator: " ").map { (elements.first ?? .string).json(String($0)) })
        case .object: (try? JSONValue(parsing: text)) ?? .string(text)
        default: .string(text)
        }
    }
}
