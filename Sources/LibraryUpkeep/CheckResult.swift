/// One thing that was looked at in a library, and what became of it.
public struct CheckResult: Equatable, Sendable {
    /// How it is now.
    public enum Outcome: String, Sendable, CaseIterable {
        /// As it should be.
        case fine
        /// It was not, and is now.
        case repaired
        case damaged
    }

    /// What was looked at, in one word.
    public var name: String
    /// How it is now.
    public var outcome: Outcome
    /// What was found, in one line.
    public var detail: String
    /// What to do about it, in one line; nil when there is nothing to do.
    public var advice: String?

    public init(_ name: String, _ outcome: Outcome, _ detail: String, advice: String? = nil) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
        self.advice = advice
    }
}
