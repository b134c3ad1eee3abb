internal import TableUI

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
