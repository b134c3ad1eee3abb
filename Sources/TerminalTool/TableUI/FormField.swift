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
    /// A value that was not saved yet.
    var draft: String?
    /// Why the daemon refused the draft.
    var fault: String?

    var current: String { draft ?? value }

    var isTyped: Bool { kind.syntax != .flag && kind.syntax != .choice }

    /// Whether the value is a number that can be stepped.
    var isNumber: Bool { kind.minimum != nil || kind.syntax == .integer || kind.syntax == .number }

    var problem: String? { objection ?? fault }

    /// Why the draft is invalid, in a few words; nil if it is valid or only the daemon can decide.
    var objection: String? {
        guard let draft, !draft.isEmpty || inherited == nil else { return nil }
        return kind.canonical(draft) == nil ? kind.form : nil
    }

    /// The next choice, the other flag or the next number, or the one before; nil for a value without steps.
    func stepped(_ step: Int) -> String? {
        if !isTyped {
            let words = kind.syntax == .flag && inherited != nil ? [""] + kind.words : kind.words
            guard let index = words.firstIndex(of: current) else { return step > 0 ? words.first : words.last }
            return words[(index + step + words.count) % words.count]
        }
        if !isNumber { return nil }
        let number = kind.number(current.isEmpty ? inherited ?? "" : current)
        return kind.stepped(number, step).map(kind.text) ?? kind.choices.first
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
struct FormSection: TableSection {
    var title: String
    var fields: [FormField]

    var rowCount: Int { fields.count }
    var header: String? { title.nonEmpty }
    func fill(_ row: inout TableRow, at index: Int) {
        row.title = fields[index].label
        row.hasFailed = fields[index].problem != nil
        row.isDimmed = !fields[index].isEditable
    }
}
