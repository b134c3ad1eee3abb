internal import ControlLanguage
internal import JSON

// A command's parameters as entries of a form.

extension ParameterDeclaration {
    var fieldKind: FormField.Kind {
        switch kind {
        case .string, .what, .time, .object, .list: name == "password" ? .secret : .text(maximumBytes: 4_096)
        case .text(let maximumBytes): name == "password" ? .secret : .text(maximumBytes: maximumBytes)
        case .choice(let words): .choice(words)
        case .integer(let range): .number(.init(Double(range.lowerBound)...Double(range.upperBound)))
        case .number(let range): .number(.init(range, step: 0.1, isWhole: false))
        case .flag: .flag
        }
    }

    /// What was typed, as the wire has it. A list's elements are separated by spaces.
    func value(from text: String) -> JSONValue {
        switch kind {
        case .string, .text, .what, .time, .choice, .object: return .string(text)
        case .integer: return Int64(text).map { .integer($0) } ?? .string(text)
        case .number: return Double(text).map { .number($0) } ?? .string(text)
        case .flag: return .bool(text == "yes")
        case .list: return .array(text.split(separator: " ").map { .string(String($0)) })
        }
    }
}
