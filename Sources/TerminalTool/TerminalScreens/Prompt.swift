/// A question that is answered in the last line.
struct Prompt {
    var label: String
    /// Nil for a question that `y` confirms, and any other key does not.
    var field: TextField?
    /// Called with the text as it is typed.
    var changed: (String) -> Void = { _ in }
    /// Finds what the text up to the cursor may become, for the Tab key; nil for a text that is not completed.
    var complete: ((String) -> TypedCompletion)?
    /// What Tab has offered since the last other key.
    var cycle: CompletionCycle?
    /// What up and down bring back.
    var earlier = EarlierTexts([])
    /// Opens the next field, or the one before, after Tab or Shift-Tab, which end this one like enter; nil if there is none.
    var next: ((_ backwards: Bool) -> Void)?
    /// Called with the text, or an empty one for yes.
    var done: (String) -> Void
    var cancelled: () -> Void = {}
}

/// Texts that were typed earlier; a prompt can show one of these texts instead of the typed one.
struct EarlierTexts {
    private var texts: [String]
    private var place: Int

    /// - Parameter texts: the newest last.
    init(_ texts: [String]) {
        self.texts = texts
        place = texts.count
    }

    /// The text before or after the shown one, which is kept as it is; nil at the ends.
    mutating func advance(from shown: String, backwards: Bool) -> String? {
        let next = place + (backwards ? -1 : 1)
        if place == texts.count { texts.append(shown) } else { texts[place] = shown }
        guard texts.indices.contains(next) else { return nil }
        place = next
        return texts[next]
    }
}

/// Candidates for the word before the cursor, which the Tab key puts there one after the other.
struct CompletionCycle {
    private let before: String
    private let after: String
    private let candidates: [String]
    private var index = 0

    /// Nil without candidates.
    init?(_ field: TextField, _ completion: TypedCompletion) {
        guard !completion.candidates.isEmpty else { return nil }
        before = String(field.textBeforeCaret.dropLast(completion.replaced))
        after = field.textAfterCaret
        candidates = completion.candidates
    }

    /// The line with the current candidate. A space follows the only one, so that the next word can be typed.
    var field: TextField { TextField(before + candidates[index] + (candidates.count == 1 ? " " : ""), after: after) }

    mutating func advance(backwards: Bool) {
        index = (index + (backwards ? candidates.count - 1 : 1)) % candidates.count
    }
}
