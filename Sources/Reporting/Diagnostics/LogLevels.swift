internal import PodcastModel

/// A part of the daemon with its own log level. Each message begins with its section.
public enum LogSection: String, Sendable, CaseIterable {
    /// Start, stop and the config file.
    case daemon
    case settings, control, playback, decoder, refresh
}

/// The minimum log level for all sections, with exceptions for some sections.
public struct LogLevels: Equatable, Sendable {
    private let level: LogLevel
    private var exceptions: [LogSection: LogLevel] = [:]

    public init(_ level: LogLevel) { self.level = level }

    /// Parses `info` or `notice,playback=debug,refresh=info`; the default for all sections is `notice`. Nil if a level
    /// or section is unknown or a section occurs twice.
    public init?(parsing text: String) {
        var level: LogLevel?
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let names = word.fields(separatedBy: "=").map { $0.filter { $0 != " " } }
            guard let last = LogLevel.allCases.first(where: { $0.name == names.last }) else { return nil }
            if names.count == 1, level == nil {
                level = last
            } else if names.count == 2, let section = LogSection(rawValue: names[0]), exceptions[section] == nil {
                exceptions[section] = last
            } else {
                return nil
            }
        }
        self.level = level ?? .notice
    }

    /// Syntax of `init(parsing:)`, for messages to users.
    public static var form: String {
        let levels = LogLevel.allCases.map(\.name).joinedText(", ")
        let sections = LogSection.words.joinedText(", ")
        return "one of \(levels), and like playback=debug for one section of \(sections), with commas between"
    }

    public subscript(section: LogSection) -> LogLevel { exceptions[section] ?? level }
}

/// Priority of a message, with the numbers of syslog(3).
public enum LogLevel: Int, Sendable, CaseIterable {
    /// A failure that needs a person.
    case error = 3
    /// A failure that the program has handled.
    case warning = 4
    /// A rare event: start, stop, a feed that moved.
    case notice = 5
    case info = 6
    case debug = 7

    public var name: String { "\(self)" }
}
