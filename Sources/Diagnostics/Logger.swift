internal import Glibc
internal import Synchronization

/// Writes log lines to standard error: with a priority before each for the journal (sd-daemon(3)), plain otherwise.
///
/// A message is always one line, whatever a feed put into it. May be called from any thread but the sink thread.
public final class Logger: Sendable {
    private let minimum: Mutex<LogLevel>
    private let hasPriorities: Bool
    private let output: @Sendable ([UInt8]) -> Void

    /// A logger.
    ///
    /// - Parameters:
    ///   - level: messages less urgent than this are dropped.
    ///   - hasPriorities: whether each line begins with `<N>`; true under the journal.
    ///   - output: where a whole line with its end goes; one write(2) to standard error unless told otherwise.
    public init(
        level: LogLevel, hasPriorities: Bool,
        output: (@Sendable ([UInt8]) -> Void)? = nil
    ) {
        minimum = Mutex(level)
        self.hasPriorities = hasPriorities
        self.output = output ?? { line in _ = Glibc.write(STDERR_FILENO, line, line.count) }
    }

    /// Whether this process's standard error goes to the journal: systemd sets `JOURNAL_STREAM` then.
    public static var writesToJournal: Bool { getenv("JOURNAL_STREAM") != nil }

    /// The level from which on messages are written; may change while running.
    public var level: LogLevel {
        get { minimum.withLock { $0 } }
        set { minimum.withLock { $0 = newValue } }
    }

    /// Writes a message of a part of the daemon. The message is not made when nobody would see it.
    public func log(_ level: LogLevel, _ part: String, _ message: @autoclosure () -> String) {
        guard level <= self.level else { return }
        var line: [UInt8] = []
        if hasPriorities { line.append(contentsOf: "<\(level.rawValue)>".utf8) }
        line.append(contentsOf: "\(part): ".utf8)
        Self.appendCleaned(message(), to: &line)
        line.append(UInt8(ascii: "\n"))
        output(line)
    }

    /// Control characters become blanks, so that no text from outside ends the line or drives a terminal.
    private static func appendCleaned(_ text: String, to line: inout [UInt8]) {
        for scalar in text.unicodeScalars.prefix(2000) {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let isDirection = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            if isControl || isDirection {
                line.append(UInt8(ascii: " "))
            } else {
                line.append(contentsOf: String(scalar).utf8)
            }
        }
    }
}
