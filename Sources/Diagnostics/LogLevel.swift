/// How much a message matters; the numbers are those of syslog(3), which the journal reads.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Something failed that a person must look at.
    case error = 3
    /// Something went wrong and was dealt with.
    case warning = 4
    /// Worth a line in a quiet log: start, stop, a feed that moved.
    case notice = 5
    /// The course of things.
    case info = 6
    /// For finding faults.
    case debug = 7

    /// More urgent comes first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    public init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// Its name in the config.
    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
