/// An entry of a form, made from the declaration of a setting or a parameter.
public struct FormField: Equatable, Sendable {
    /// What its value is like.
    public enum Kind: Equatable, Sendable {
        case text(maximumBytes: Int)
        /// Not shown while it is typed.
        case secret
        case flag
        case choice([String])
        /// A whole number.
        case integer(ClosedRange<Int64>)
        /// A number with digits after the point.
        case number(ClosedRange<Double>)
        /// `1h 30m`, `90s`, `off`, as the daemon's settings spell it.
        case duration
    }

    /// The name that is sent.
    public var key: String
    /// What is shown.
    public var label: String
    public var kind: Kind
    /// The text of its value; `yes` or `no` of a flag.
    public var value: String
    public var defaultValue: String
    /// One line for people.
    public var help: String
    /// Whether it can be changed here.
    public var isEditable: Bool
    /// Shown beside it, such as "after a restart".
    public var note: String?

    public init(
        key: String, label: String, kind: Kind, value: String, defaultValue: String = "", help: String = "",
        isEditable: Bool = true, note: String? = nil
    ) {
        (self.key, self.label, self.kind, self.value) = (key, label, kind, value)
        (self.defaultValue, self.help, self.isEditable, self.note) = (defaultValue, help, isEditable, note)
    }

    /// Why a value is invalid, in a few words; nil if it is valid or only the daemon can decide.
    public func problem(_ value: String) -> String? {
        switch kind {
        case .text(let maximum): return value.utf8.count > maximum ? "at most \(maximum) bytes" : nil
        case .secret, .duration: return nil
        case .flag: return value == "yes" || value == "no" ? nil : "yes or no"
        case .choice(let words): return words.contains(value) ? nil : words.joined(separator: ", ")
        case .integer(let range):
            guard let number = Int64(value), range.contains(number) else {
                return "a number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .number(let range):
            guard let number = Double(value), range.contains(number) else {
                return "a number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        }
    }

    /// The value after a step forwards or backwards: the next choice, the other flag, the next number; nil where there are no
    /// steps.
    func stepped(_ value: String, _ step: Int) -> String? {
        switch kind {
        case .text, .secret, .duration, .number: return nil
        case .flag: return value == "yes" ? "no" : "yes"
        case .choice(let words):
            guard !words.isEmpty else { return nil }
            let index = words.firstIndex(of: value) ?? 0
            return words[((index + step) % words.count + words.count) % words.count]
        case .integer(let range):
            guard let number = Int64(value) else { return nil }
            return String(min(range.upperBound, max(range.lowerBound, number + Int64(step))))
        }
    }
}

/// Fields under a heading.
public struct FormSection: Equatable, Sendable {
    public var title: String
    public var fields: [FormField]

    public init(title: String, fields: [FormField]) {
        self.title = title
        self.fields = fields
    }
}
