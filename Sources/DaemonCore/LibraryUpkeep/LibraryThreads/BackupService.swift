import Library
import PodcastModel
import Reporting
import SerialThreads
import SystemCalls

/// Writes backups of the library, one at a time, on a separate thread, which starts with the first backup. A backup
/// reads one snapshot through a separate connection, so that it does not delay the library's thread.
struct BackupService {
    /// Backups are not urgent, and the daemon is busy after its start.
    private static let firstDelay = Duration.seconds(5)
    /// Time between two checks whether a backup is due.
    private static let interval = Duration.seconds(86_400)

    let folder: BackupFolder
    let activities: ActivityBoard
    var writer = WorkerThread(name: .backup)
    let now: @Sendable () -> Timestamp
    /// How many backups are kept.
    let count: @Sendable () -> Int

    /// Writes a backup; it is on disk when the function returns.
    func write() async throws -> BackupFolder.Backup {
        try await writer.run {
            let activity = activities.begin(.backup, "Writing a backup", subject: folder.path)
            defer { activity.end() }
            return try folder.write(at: now(), keeping: count()) { activity.update(progress: $0) }
        }
    }

    /// Writes due backups automatically. Checks once a day, also after a failure.
    /// - Parameter every: the setting `library.backup_every`.
    func writeAutomatically(
        of library: any LibraryAccess, on decisions: DecisionThread, logger: Logger,
        every: @escaping @Sendable () -> BackupInterval
    ) {
        @Sendable func check(after delay: Duration) {
            decisions.schedule(after: delay) {
                decisions.start {
                    await writeIfDue(library, every(), logger)
                    check(after: Self.interval)
                }
            }
        }
        check(after: Self.firstDelay)
    }

    private func writeIfDue(_ library: any LibraryAccess, _ every: BackupInterval, _ logger: Logger) async {
        guard every != .off else { return }
        let subscribed = try? await library.read { try $0.feeds.feeds().map(\.subscribed).min() }
        guard let due = every.due(after: folder.latest?.time, subscribed: subscribed ?? nil), due <= now() else {
            return
        }
        do {
            let backup = try await write()
            logger.log(.info, .daemon, "backup written: \(backup.path)")
        } catch {
            logger.log(.warning, .daemon, "the backup of the library failed: \(error); it is tried again in a day")
        }
    }

    /// Waits for a backup in progress.
    func close() { writer.finish() }
}
