internal import Diagnostics
internal import Library
internal import LibraryModel
internal import LibraryUpkeep
internal import PodcastModel
internal import SerialThreads

/// How often backups are written: the setting `library.backup_every`.
enum BackupInterval: String {
    case off, daily, weekly, monthly

    /// Nil for `off`.
    var seconds: Int64? {
        switch self {
        case .off: nil
        case .daily: 86_400
        case .weekly: 7 * 86_400
        case .monthly: 30 * 86_400
        }
    }

    /// When the next backup is due; nil for never.
    ///
    /// - Parameters:
    ///   - last: the time of the newest backup.
    ///   - subscribed: the time of the first subscription; without one there is nothing to keep.
    func due(after last: Timestamp?, subscribed: Timestamp?) -> Timestamp? {
        guard let seconds, let start = last ?? subscribed else { return nil }
        return start.adding(seconds: seconds)
    }
}

/// Writes backups by itself. Looks once a day whether one is due, also after a failure.
struct AutomaticBackups: Sendable {
    /// Nothing waits for a backup, and a start has enough to do.
    private static let firstDelay = Duration.seconds(5)
    private static let interval = Duration.seconds(86_400)

    let decisions: DecisionThread
    let library: LibraryService
    let backups: BackupService
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let every: @Sendable () -> BackupInterval

    func start() { schedule(after: Self.firstDelay) }

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
