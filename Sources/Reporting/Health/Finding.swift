/// What a check found.
public struct Finding: Equatable, Sendable {
    /// How serious a finding is.
    public enum Severity: Equatable, Sendable {
        /// As expected, or not applicable here.
        case ok
        /// It works; the fix is optional.
        case notice
        /// It does not work, or soon will not, until a person applies the fix.
        case problem
    }

    /// The check's name: a word or two, the same in every release.
    public let check: String
    /// How serious it is.
    public let severity: Severity
    /// What was found, in one line.
    public let text: String
    /// One command or sentence; nil exactly if the severity is `ok`.
    public let fix: String?

    public static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, severity: .ok, text: text, fix: nil)
    }

    public static func notice(_ check: String, _ text: String, fix: String) -> Finding {
        Finding(check: check, severity: .notice, text: text, fix: fix)
    }

    /// Needs a person.
    public static func problem(_ check: String, _ text: String, fix: String) -> Finding {
        Finding(check: check, severity: .problem, text: text, fix: fix)
    }
}
