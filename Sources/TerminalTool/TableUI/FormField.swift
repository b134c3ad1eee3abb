internal import PodcastModel

/// An entry of a form, made from the declaration of a setting or a parameter.
public struct FormField: Equatable, Sendable {
    /// The kind of a field's value.
    public enum Kind: Equatable, Sendable {
        case text(maximumBytes: Int)
        /// A secret: the text is not shown.
        case secret
        /// `yes` or `no`.
        case flag
        case choice([String])
        case number(Numbers)
        /// `90`, `1:30`, `1h30m`, as the daemon's settings spell it; the numbers are seconds.
        case duration(Numbers)
    }

    /// The valid numbers.
    public struct Numbers: Equatable, Sendable {
        var range: ClosedRange<Double>
        /// The distance between two values of `stepped`.
        var step: Double
        var isWhole: Bool
        /// Shown after the value.
        var unit: String
        /// A word that may stand instead of a number, such as `off`.
        var word: String?

        public init(
            _ range: ClosedRange<Double>, step: Double = 1, isWhole: Bool = true, unit: String = "", word: String? = nil
        ) {
            (self.range, self.step, self.isWhole, self.unit, self.word) = (range, step, isWhole, unit, word)
        }

        static func text(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? "\(number)" }

        /// The next multiple of the step, the word before the first number, or nil if there is nothing to step from.
        func stepped(_ number: Double?, _ step: Int) -> Double? {
            guard let number else { return step > 0 ? range.lowerBound : nil }
            if step < 0 && number <= range.lowerBound { return word == nil ? number : nil }
            // Less than the rounding error of a multiple.
            let nearly = 1e-9
            let steps = number / self.step
            let next = step > 0 ? (steps + nearly).rounded(.down) + 1 : (steps - nearly).rounded(.up) - 1
            let rounded = (next * self.step * 1_000_000).rounded() / 1_000_000
            return min(range.upperBound, max(range.lowerBound, rounded))
        }
    }

    /// The name that is sent.
    public var key: String
    public var label: String
    public var kind: Kind
    /// The text of the value; `yes` or `no` for a flag.
    var value: String
    /// The value that is set to restore the default.
    var defaultValue: String
    /// The value that applies while the field is empty, for people; nil if the field cannot be empty.
    var inherited: String?
    /// One line for people.
    public var help: String
    /// Whether the field can be changed here.
    public var isEditable: Bool
    /// Shown beside the value, such as "after a restart".
    public var note: String?

    public init(
        key: String, label: String, kind: Kind, value: String, defaultValue: String = "", inherited: String? = nil,
        help: String = "", isEditable: Bool = true, note: String? = nil
    ) {
        (self.key, self.label, self.kind, self.value) = (key, label, kind, value)
        (self.defaultValue, self.inherited, self.help) = (defaultValue, inherited, help)
        (self.isEditable, self.note) = (isEditable, note)
    }

    /// Whether the value is typed.
    var isTyped: Bool {
        switch kind {
        case .flag, .choice: false
        case .text, .secret, .number, .duration: true
        }
    }

    /// Why a value is invalid, in a few words; nil if it is valid or only the daemon can decide.
    func problem(_ value: String) -> String? {
        if value.isEmpty && inherited != nil { return nil }
        switch kind {
        case .text(let maximum): return value.utf8.count > maximum ? "at most \(maximum) bytes" : nil
        case .secret: return nil
        case .flag: return value == "yes" || value == "no" ? nil : "yes or no"
        case .choice(let words): return words.contains(value) ? nil : words.joined(separator: ", ")
        case .number(let numbers):
            if value == numbers.word { return nil }
            if numbers.isWhole ? Int64(value) == nil : Double(value) == nil { return Self.form(numbers) }
            return numbers.range.contains(Double(value) ?? .nan) ? nil : Self.form(numbers)
        case .duration(let numbers):
            if value == numbers.word { return nil }
            guard let seconds = SettingTime.seconds(parsing: value), numbers.range.contains(Double(seconds)) else {
                return (numbers.word.map { "\($0), or " } ?? "")
                    + "a time from \(Self.time(numbers.range.lowerBound)) to \(Self.time(numbers.range.upperBound))"
            }
            return nil
        }
    }

    private static func form(_ numbers: Numbers) -> String {
        (numbers.word.map { "\($0), or " } ?? "")
            + "a number from \(Numbers.text(numbers.range.lowerBound)) to \(Numbers.text(numbers.range.upperBound))"
    }

    /// Seconds in the largest unit that divides them.
    private static func time(_ seconds: Double) -> String {
        let unit = [("d", 86_400.0), ("h", 3_600), ("m", 60)].first {
            seconds >= $0.1 && seconds.remainder(dividingBy: $0.1) == 0
        }
        return Numbers.text(seconds / (unit?.1 ?? 1)) + (unit?.0 ?? "s")
    }

    /// The value after a step forwards or backwards: the next choice, the other flag, the next number; nil where there are no
    /// steps.
    func stepped(_ value: String, _ step: Int) -> String? {
        switch kind {
        case .text, .secret: return nil
        case .flag: return Self.next(after: value, of: inherited == nil ? ["yes", "no"] : ["", "yes", "no"], step)
        case .choice(let words): return Self.next(after: value, of: words, step)
        case .number(let numbers):
            let number = Double(value.isEmpty ? inherited ?? "" : value)
            return numbers.stepped(number, step).map(Numbers.text) ?? numbers.word
        case .duration(let numbers):
            let seconds = SettingTime.seconds(parsing: value.isEmpty ? inherited ?? "" : value).map { Double($0) }
            guard let next = numbers.stepped(seconds, step) else { return numbers.word }
            return numbers.unit.isEmpty ? Self.time(next) : Numbers.text(next)
        }
    }

    private static func next(after value: String, of words: [String], _ step: Int) -> String? {
        guard !words.isEmpty else { return nil }
        guard let index = words.firstIndex(of: value) else { return step > 0 ? words[0] : words[words.count - 1] }
        return words[((index + step) % words.count + words.count) % words.count]
    }

    /// How a value is shown.
    func shown(_ value: String) -> String {
        switch kind {
        case .flag where value.isEmpty && inherited != nil: return "[-] default: \(inherited ?? "")"
        case .flag: return value == "yes" ? "[x]" : "[ ]"
        case .secret: return value.isEmpty ? "" : "********"
        case .choice: return "< \(value.isEmpty ? inherited ?? "" : value) >"
        case .text, .number, .duration:
            if value.isEmpty, let inherited, !inherited.isEmpty {
                return "default: \(inherited)\(unit(after: inherited))"
            }
            return value + unit(after: value)
        }
    }

    /// The unit of a value that is a plain number.
    func unit(after value: String) -> String {
        switch kind {
        case .number(let numbers), .duration(let numbers):
            numbers.unit.isEmpty || Double(value) == nil ? "" : " \(numbers.unit)"
        case .text, .secret, .flag, .choice: ""
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
