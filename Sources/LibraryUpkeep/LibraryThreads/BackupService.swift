internal import Library
public import PodcastModel
public import Reporting
public import SystemCalls

/// Writes backups of the library, one at a time, on a separate thread, which starts with the first backup. A backup
/// reads one snapshot through a separate connection, so that it does not delay the library's thread.
public final class BackupService: Sendable {
    private let folder: BackupFolder
    private let activities: ActivityBoard
    private let now: @Sendable () -> Timestamp
    private let count: @Sendable () -> Int
    private let writer: WorkerThread

    /// - Parameter count: number of backups to keep.
    public init(
        of library: String, activities: ActivityBoard, writer: WorkerThread = WorkerThread(name: .backup),
        now: @escaping @Sendable () -> Timestamp, keeping count: @escaping @Sendable () -> Int
    ) {
        self.count = count
        self.writer = writer
        folder = BackupFolder(beside: library)
        self.activities = activities
        self.now = now
    }

    /// Writes a backup; it is on disk when the function returns.
    public func write() async throws -> BackupFolder.Backup {
        try await writer.run { [self] in
            let activity = activities.begin(.backup, "Writing a backup", subject: folder.path)
            defer { activity.end() }
            return try folder.write(at: now(), keeping: count()) { activity.update(progress: $0) }
        }
    }

    /// Time of the newest backup; nil if there is none. Reads the disk.
    var lastTime: Timestamp? { folder.latest?.time }

    /// Waits for a backup in progress.
    public func close() { writer.finish() }
}
