/// The result of a check.
public struct Finding: Equatable, Sendable {
    public enum Severity: Equatable, Sendable {
        /// As expected, or not applicable here.
        case ok
        /// Works; the fix is optional.
        case notice
        /// Does not work, or soon will not, until a person applies the fix.
        case problem
    }

    /// The check's name: a word or two, the same in every release.
    public let check: String
    public let severity: Severity
    /// One line.
    public let text: String
    /// One command or sentence; nil exactly if the severity is `ok`.
    public let fix: String?

    public static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, severity: .ok, text: text, fix: nil)
    }

    public static func notice(_ check: String, _ text: String, fix: String) -> Finding {
        Finding(check: check, severity: .notice, text: text, fix: fix)
    }

    public static func problem(_ check: String, _ text: String, fix: String) -> Finding {
        Finding(check: check, severity: .problem, text: text, fix: fix)
    }
}
