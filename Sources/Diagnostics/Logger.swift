internal import Synchronization

/// Writes log messages: to the journal with priority and fields where standard error leads there, as lines otherwise.
///
/// A message is always one line and tells no secrets of addresses, whatever a feed put into it. May be called from any
/// thread but the sink thread.
public final class Logger: Sendable {
    private let minimum: Mutex<LogLevel>
    private let write: @Sendable (LogEntry) -> Void

    /// A logger.
    ///
    /// - Parameters:
    ///   - level: messages less urgent than this are dropped.
    ///   - destination: where the others go.
    public init(level: LogLevel, to destination: LogDestination) {
        minimum = Mutex(level)
        write = { entry in destination.write(entry) }
    }

    /// A logger whose whole lines, each with its end, go to a closure.
    public init(level: LogLevel, hasPriorities: Bool, output: @escaping @Sendable ([UInt8]) -> Void) {
        minimum = Mutex(level)
        write = { entry in output(entry.line(hasPriority: hasPriorities)) }
    }

    /// The level from which on messages are written; may change while running.
    public var level: LogLevel {
        get { minimum.withLock { $0 } }
        set { minimum.withLock { $0 = newValue } }
    }

    /// Writes a message of a section of the daemon. The message is not made when nobody would see it.
    ///
    /// - Parameters:
    ///   - level: how much it matters.
    ///   - section: the part of the daemon that speaks.
    ///   - message: for people.
    ///   - subjects: the feed and the episode that it is about, if any.
    public func log(
        _ level: LogLevel, _ section: String, _ message: @autoclosure () -> String, about subjects: [LogSubject] = []
    ) {
        guard level <= self.level else { return }
        write(LogEntry(level, section, message(), about: subjects))
    }
}
