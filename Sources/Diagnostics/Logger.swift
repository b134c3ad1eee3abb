internal import Synchronization

/// Writes log messages: to the journal with priority and fields where standard error leads there, as lines otherwise.
///
/// A message is always one line and tells no secrets of addresses, whatever a feed put into it. May be called from any
/// thread but the sink thread.
public final class Logger: Sendable {
    private let minimum: Atomic<UInt64>
    private let write: @Sendable (LogEntry) -> Void

    /// A logger.
    ///
    /// - Parameters:
    ///   - levels: messages less urgent than their section's level are dropped.
    ///   - destination: where the others go.
    public init(levels: LogLevels, to destination: LogDestination) {
        minimum = Atomic(levels.bits)
        write = { entry in destination.write(entry) }
    }

    /// A logger whose whole lines, each with its end, go to a closure.
    public init(levels: LogLevels, hasPriorities: Bool, output: @escaping @Sendable ([UInt8]) -> Void) {
        minimum = Atomic(levels.bits)
        write = { entry in output(entry.line(hasPriority: hasPriorities)) }
    }

    /// The levels from which on messages are written; may change while running.
    public var levels: LogLevels {
        get { LogLevels(bits: minimum.load(ordering: .relaxed)) }
        set { minimum.store(newValue.bits, ordering: .relaxed) }
    }

    /// Writes a message of a section of the daemon. One that nobody would see costs a look at an atomic
    /// variable: it is not made.
    ///
    /// - Parameters:
    ///   - level: how much it matters.
    ///   - section: the part of the daemon that speaks.
    ///   - message: for people.
    ///   - subjects: the feed and the episode that it is about, if any.
    public func log(
        _ level: LogLevel, _ section: LogSection, _ message: @autoclosure () -> String,
        about subjects: [LogSubject] = []
    ) {
        guard level <= levels[section] else { return }
        write(LogEntry(level, section.name, message(), about: subjects))
    }
}
