/// The result of one check of a library.
public struct CheckResult: Equatable, Sendable {
    public enum Outcome: String, Sendable, CaseIterable {
        case fine
        /// Was damaged, and is repaired.
        case repaired
        case damaged
    }

    public var name: String
    public var outcome: Outcome
    public var detail: String
    /// What to do, in one line; nil if there is nothing to do.
    public var advice: String?

    public init(_ name: String, _ outcome: Outcome, _ detail: String, advice: String? = nil) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
        self.advice = advice
    }
}
