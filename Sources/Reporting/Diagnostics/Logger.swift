internal import Synchronization

/// Writes log messages: to the journal with priority and fields if stderr is connected to it, otherwise as lines.
///
/// A message is one line, and URLs in it contain no secrets. May be called from any thread except the sound thread.
public final class Logger: Sendable {
    private let minimum: Atomic<UInt64>
    private let write: @Sendable (LogEntry) -> Void

    /// - Parameter levels: messages less urgent than their section's level are dropped.
    public init(levels: LogLevels, to destination: LogDestination) {
        minimum = Atomic(levels.bits)
        write = { entry in destination.write(entry) }
    }

    /// Passes lines, each with its line break, to a closure.
    public init(levels: LogLevels, hasPriorities: Bool, output: @escaping @Sendable ([UInt8]) -> Void) {
        minimum = Atomic(levels.bits)
        write = { entry in output(entry.line(hasPriority: hasPriorities)) }
    }

    public var levels: LogLevels {
        get { LogLevels(bits: minimum.load(ordering: .relaxed)) }
        set { minimum.store(newValue.bits, ordering: .relaxed) }
    }

    /// Writes a message. The text of a message below its section's level is not evaluated.
    public func log(
        _ level: LogLevel, _ section: LogSection, _ message: @autoclosure () -> String,
        about subjects: [LogSubject] = []
    ) {
        guard level <= levels[section] else { return }
        write(LogEntry(level, section.name, message(), about: subjects))
    }
}
