internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Writes log messages: to the journal with priority and fields if stderr is connected to it, otherwise as lines.
///
/// A message is one line, and URLs in it contain no secrets. May be called from any thread except the sound thread.
public final class Logger: Sendable {
    private let minimum: Mutex<LogLevels>
    private let write: @Sendable (LogEntry) -> Void

    /// - Parameter levels: messages less urgent than their section's level are dropped.
    public init(levels: LogLevels, to destination: LogDestination) {
        minimum = Mutex(levels)
        write = { entry in destination.write(entry) }
    }

    /// Passes lines, each with its line break, to a closure.
    public init(levels: LogLevels, hasPriorities: Bool, output: @escaping @Sendable ([UInt8]) -> Void) {
        minimum = Mutex(levels)
        write = { entry in output(entry.line(hasPriority: hasPriorities)) }
    }

    public var levels: LogLevels {
        get { minimum.withLock { $0 } }
        set { minimum.withLock { $0 = newValue } }
    }

    /// Writes a message. The text of a message below its section's level is not evaluated.
    public func log(
        _ level: LogLevel, _ section: LogSection, _ message: @autoclosure () -> String,
        about subjects: [LogSubject] = []
    ) {
        // The most urgent level has the smallest number.
        guard level.rawValue <= levels[section].rawValue else { return }
        write(LogEntry(level, section.rawValue, message(), about: subjects))
    }
}

/// Destination of log messages.
public enum LogDestination: Sendable {
    /// Standard error; with `<N>` before each line if a service manager reads priorities: sd-daemon(3).
    case standardError(hasPriorities: Bool)
    /// The journal's socket; messages that it does not accept go to standard error with a priority.
    case journal(path: String, identifier: String)

    public static let journalPath = "/run/systemd/journal/socket"

    /// The journal if standard error is connected to it: systemd writes the stream's device and inode to
    /// `JOURNAL_STREAM`, and they differ if standard error was redirected.
    /// - Parameter identifier: the program's name in the journal.
    public static func ofProcess(identifier: String, variable: (String) -> String?) -> LogDestination {
        guard let stream = variable("JOURNAL_STREAM"), let status = try? FileStatus(of: 2),
            stream == "\(status.device):\(status.inode)"
        else { return .standardError(hasPriorities: false) }
        return .journal(path: journalPath, identifier: identifier)
    }

    func write(_ entry: LogEntry) {
        switch self {
        case .standardError(let hasPriorities): Self.writeLine(entry.line(hasPriority: hasPriorities))
        case .journal(let path, let identifier):
            do throws(SystemError) {
                // Nonblocking, because a journal that does not read would delay every thread that logs.
                try sendUnixDatagram(entry.journalDatagram(identifier: identifier), to: path, waits: false)
            } catch { Self.writeLine(entry.line(hasPriority: true)) }
        }
    }

    /// Uses one write(2), so that lines of several threads do not mix.
    private static func writeLine(_ line: [UInt8]) { try? FileDescriptor.write(2, line) }
}

/// The subject of a message: a field in the journal, so that `journalctl PODCASTD_FEED=12` finds the message.
public struct LogSubject: Equatable, Sendable {
    /// The journal field's name, with the program's prefix; see systemd.journal-fields(7).
    let field: String
    let number: Int64

    public static func feed(_ id: Int64) -> LogSubject { LogSubject(field: "PODCASTD_FEED", number: id) }
    public static func episode(_ id: Int64) -> LogSubject { LogSubject(field: "PODCASTD_EPISODE", number: id) }
}

/// A one-line message without control characters and secrets.
struct LogEntry: Equatable {
    let level: LogLevel
    let section: String
    let text: String
    let subjects: [LogSubject]

    init(_ level: LogLevel, _ section: String, _ message: String, about subjects: [LogSubject]) {
        self.level = level
        self.section = section
        self.subjects = subjects
        // Remove control characters first, because inside a URL they could hide secrets from the redaction.
        text = SafeText.line(redactingAddresses(in: SafeText.line(message)), atMost: 2000)
    }

    /// The line with its line break, optionally preceded by the priority of sd-daemon(3).
    func line(hasPriority: Bool) -> [UInt8] {
        Array("\(hasPriority ? "<\(level.rawValue)>" : "")\(section): \(text)\n".utf8)
    }

    /// A datagram of the journal's native protocol: `NAME=value` lines. A text without line breaks needs no length.
    func journalDatagram(identifier: String) -> [UInt8] {
        var fields = "MESSAGE=\(section): \(text)\nPRIORITY=\(level.rawValue)\nSYSLOG_IDENTIFIER=\(identifier)\n"
        fields += "PODCASTD_SECTION=\(section)\n"
        for subject in subjects { fields += "\(subject.field)=\(subject.number)\n" }
        return Array(fields.utf8)
    }
}
