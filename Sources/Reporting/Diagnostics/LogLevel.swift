/// Priority of a message, with the numbers of syslog(3).
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// A failure that needs a person.
    case error = 3
    /// A failure that the program has handled.
    case warning = 4
    /// A rare event: start, stop, a feed that moved.
    case notice = 5
    case info = 6
    case debug = 7

    /// The most urgent level is the smallest.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    public var name: String { "\(self)" }
}
