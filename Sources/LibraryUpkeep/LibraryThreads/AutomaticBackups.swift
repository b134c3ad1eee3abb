public import Library
public import PodcastModel
public import Reporting
public import SerialThreads

/// Writes due backups automatically. Checks once a day, also after a failure.
public struct AutomaticBackups: Sendable {
    /// Backups are not urgent, and the daemon is busy after its start.
    private static let firstDelay = Duration.seconds(5)
    private static let interval = Duration.seconds(86_400)

    private let decisions: DecisionThread
    private let library: any LibraryAccess
    private let backups: BackupService
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let every: @Sendable () -> BackupInterval

    /// - Parameter every: the setting `library.backup_every`.
    public init(
        decisions: DecisionThread, library: any LibraryAccess, backups: BackupService, logger: Logger,
        now: @escaping @Sendable () -> Timestamp, every: @escaping @Sendable () -> BackupInterval
    ) {
        self.decisions = decisions
        self.library = library
        self.backups = backups
        self.logger = logger
        self.now = now
        self.every = every
    }

    public func start() { schedule(after: Self.firstDelay) }

    private func schedule(after delay: Duration) {
        decisions.schedule(after: delay) { [self] in
            decisions.start {
                await writeIfDue()
                schedule(after: Self.interval)
            }
        }
    }

    private func writeIfDue() async {
        let every = every()
        guard every != .off else { return }
        let subscribed = try? await library.read { try $0.feeds.feeds().map(\.subscribed).min() }
        guard let due = every.due(after: backups.lastTime, subscribed: subscribed ?? nil), due <= now() else { return }
        do {
            let backup = try await backups.write()
            logger.log(.info, .daemon, "backup written: \(backup.path)")
        } catch {
            logger.log(.warning, .daemon, "the backup of the library failed: \(error); it is tried again in a day")
        }
    }
}
