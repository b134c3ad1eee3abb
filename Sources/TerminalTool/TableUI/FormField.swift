internal import PodcastModel

/// An entry of a form, made from the declaration of a setting or a parameter.
struct FormField: Equatable {
    /// The name that is sent.
    var key: String
    var label: String
    var kind: ValueKind
    /// The text of the value; `yes` or `no` for a flag.
    var value: String
    var defaultValue = ""
    /// The value that applies while the field is empty, for people; nil if the field cannot be empty.
    var inherited: String?
    /// One line for people.
    var help = ""
    var isEditable = true
    /// Shown beside the value, such as "after a restart".
    var note: String?

    var isTyped: Bool { kind.syntax != .flag && kind.syntax != .choice }

    /// Whether the value is a number that can be stepped.
    var isNumber: Bool { kind.minimum != nil || kind.syntax == .integer || kind.syntax == .number }

    /// Why a value is invalid, in a few words; nil if it is valid or only the daemon can decide.
    func problem(_ value: String) -> String? {
        if value.isEmpty && inherited != nil { return nil }
        return kind.canonical(value) == nil ? kind.form : nil
    }

    /// The next choice, the other flag or the next number, or the one before; nil for a value without steps.
    func stepped(_ value: String, _ step: Int) -> String? {
        switch kind.syntax {
        case .flag: return Self.next(after: value, of: inherited == nil ? ["yes", "no"] : ["", "yes", "no"], step)
        case .choice: return Self.next(after: value, of: kind.choices, step)
        default: break
        }
        if !isNumber { return nil }
        guard let next = kind.stepped(kind.number(value.isEmpty ? inherited ?? "" : value), step) else {
            return kind.choices.first
        }
        return kind.text(next)
    }

    private static func next(after value: String, of words: [String], _ step: Int) -> String? {
        guard !words.isEmpty else { return nil }
        guard let index = words.firstIndex(of: value) else { return step > 0 ? words[0] : words[words.count - 1] }
        return words[((index + step) % words.count + words.count) % words.count]
    }

    func shown(_ value: String) -> String {
        switch kind.syntax {
        case .flag where value.isEmpty && inherited != nil: return "[-] default: \(inherited ?? "")"
        case .flag: return value == "yes" ? "[x]" : "[ ]"
        case .secret: return value.isEmpty ? "" : "********"
        case .choice: return "< \(value.isEmpty ? inherited ?? "" : value) >"
        default:
            if value.isEmpty, let inherited, !inherited.isEmpty {
                return "default: \(inherited)\(unit(after: inherited))"
            }
            return value + unit(after: value)
        }
    }

    /// The unit of a value that is a plain number.
    func unit(after value: String) -> String { Double(value) == nil ? "" : kind.unit.map { " \($0)" } ?? "" }
}

extension ValueKind {
    /// The next multiple of the step, the lowest number after a word, or nil if there is nothing to step from.
    fileprivate func stepped(_ number: Double?, _ direction: Int) -> Double? {
        guard let number else { return direction > 0 ? minimum ?? 0 : nil }
        if direction < 0, let minimum, number <= minimum { return choices.isEmpty ? number : nil }
        let step = step ?? (syntax == .number ? 0.1 : 1)
        // Less than the rounding error of a multiple.
        let nearly = 1e-9
        let steps = number / step
        let next = direction > 0 ? (steps + nearly).rounded(.down) + 1 : (steps - nearly).rounded(.up) - 1
        let rounded = (next * step * 1_000_000).rounded() / 1_000_000
        return min(maximum ?? .infinity, max(minimum ?? -.infinity, rounded))
    }
}

/// Fields under a heading.
struct FormSection: Equatable {
    var title: String
    var fields: [FormField]
}
