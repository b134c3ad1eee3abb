/// A part of the daemon with its own log level. Each message begins with its section.
public enum LogSection: UInt64, Sendable, CaseIterable {
    /// Start, stop and the config file.
    case daemon
    case settings
    case control
    case playback
    case decoder
    case refresh

    public init?(name: some StringProtocol) {
        guard let part = LogSection.allCases.first(where: { $0.name == name }) else { return nil }
        self = part
    }

    public var name: String { "\(self)" }
}

/// The minimum log level for all sections, with exceptions for some sections.
public struct LogLevels: Equatable, Sendable {
    private static let bitsPerSection: UInt64 = 4

    /// A level for each section, packed into bits, so that all can be read and changed atomically.
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    public init(_ level: LogLevel) {
        self.init(all: level, others: [:])
    }

    private init(all level: LogLevel, others: [LogSection: LogLevel]) {
        bits = LogSection.allCases.reduce(0) { bits, section in
            bits | UInt64((others[section] ?? level).rawValue) << Self.shift(of: section)
        }
    }

    /// Parses `info` or `notice,playback=debug,refresh=info`; the default for all sections is `notice`. Nil if a level
    /// or section is unknown or a section occurs twice.
    public init?(parsing text: String) {
        var level: LogLevel?
        var others: [LogSection: LogLevel] = [:]
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let names = word.split(separator: "=", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
            guard let last = names.last.flatMap(LogLevel.init(name:)) else { return nil }
            if names.count == 1, level == nil {
                level = last
            } else if names.count == 2, let section = LogSection(name: names[0]), others[section] == nil {
                others[section] = last
            } else {
                return nil
            }
        }
        self.init(all: level ?? .notice, others: others)
    }

    /// Syntax of `init(parsing:)`, for messages to users.
    public static var form: String {
        let levels = LogLevel.allCases.map(\.name).joined(separator: ", ")
        let sections = LogSection.allCases.map(\.name).joined(separator: ", ")
        return "one of \(levels), and like playback=debug for one section of \(sections), with commas between"
    }

    public subscript(section: LogSection) -> LogLevel {
        LogLevel(rawValue: Int(bits >> Self.shift(of: section) & 0xF)) ?? .notice
    }

    private static func shift(of section: LogSection) -> UInt64 { section.rawValue * bitsPerSection }
}

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
