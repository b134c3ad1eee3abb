internal import SystemCalls

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
        case .standardError(let hasPriorities):
            Self.writeLine(entry.line(hasPriority: hasPriorities))
        case .journal(let path, let identifier):
            do throws(SystemError) {
                // Nonblocking, because a journal that does not read would delay every thread that logs.
                try sendUnixDatagram(entry.journalDatagram(identifier: identifier), to: path, waits: false)
            } catch {
                Self.writeLine(entry.line(hasPriority: true))
            }
        }
    }

    /// Uses one write(2), so that lines of several threads do not mix.
    private static func writeLine(_ line: [UInt8]) { try? FileDescriptor.write(2, line) }
}
