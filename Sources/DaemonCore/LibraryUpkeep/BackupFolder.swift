internal import Glibc
import Library
import PodcastModel
internal import SQLite
internal import SystemCalls

/// Backups of a library, in a directory beside it: `backups/library-7-2026-11-21.db`. Beside each are copies of the library's
/// small files, if they exist: `library-7-2026-11-21.settings` with the clients' settings, and `.session`, which has the volume.
///
/// The number determines the order; the date, which a wrong clock may falsify, is for people.
struct BackupFolder: Equatable, Sendable {
    struct Backup: Equatable, Sendable {
        var path: String
        var bytes: Int64
    }

    private static let smallFiles = ["settings", "session"]

    let path: String
    private let library: String

    /// The directory is created with the first backup.
    init(beside library: String) {
        self.library = library
        path = StoredFile.folder(of: library) + "/backups"
    }

    /// Writes a backup of a consistent snapshot while other connections read and write. Removes all but the newest
    /// `count` backups. Blocks on the disk: do not call on the thread of a library in use.
    /// - Parameter progress: called with 0 to 1.
    /// - Throws: `diskFull`, `readOnly`, `damaged` or `storage`; no partial file remains.
    func write(
        at now: Timestamp, keeping count: Int = 5, progress: (Double) -> Void = { _ in }
    ) throws(LibraryError) -> Backup {
        try mapError(of: StoredFile.makeFolder(path)) { LibraryError($0, path: path) }
        let number = (numbered().last?.number ?? 0) + 1
        let name = "library-\(number)-\(now.description.prefix { $0 != "T" }).db"
        let final = "\(path)/\(name)"
        let partial = "\(path)/\(name).partial"
        do {
            try StoredFile.remove(partial)
            try Connection(path: library, busyTimeout: .zero, cacheKiB: 256).backup(to: partial, progress: progress)
            for file in Self.smallFiles {
                let original = "\(StoredFile.folder(of: library))/\(file)"
                guard let text = try? StoredFile.contents(of: original, limit: 1 << 20) else { continue }
                try StoredFile.replace(Self.sibling(of: final, file), with: text, isDurable: true)
            }
            try StoredFile.rename(partial, to: final, isDurable: true)
        } catch {
            let copies = Self.smallFiles.map { Self.sibling(of: final, $0) }
            for file in [partial, partial + "-journal"] + copies { try? StoredFile.remove(file) }
            throw LibraryError(storing: error, path: final)
        }
        for old in numbered().dropLast(count).map({ "\(path)/\($0.name)" }) {
            for file in [old] + Self.smallFiles.map({ Self.sibling(of: old, $0) }) { try? StoredFile.remove(file) }
        }
        return Backup(path: final, bytes: (try? FileStatus(path: final).size) ?? 0)
    }

    private static func sibling(of copy: String, _ file: String) -> String { copy.dropLast(2) + file }

    /// Paths of the backups, the newest last.
    func all() -> [String] { numbered().map { "\(path)/\($0.name)" } }

    /// The newest backup and its file's modification time; nil if there is none.
    var latest: (path: String, time: Timestamp)? {
        guard let last = all().last, let status = try? FileStatus(path: last) else { return nil }
        return (last, Timestamp(seconds: status.modified))
    }

    private func numbered() -> [(number: Int, name: String)] {
        (try? StoredFile.names(in: path))?.compactMap { name in
            let parts = name.split(separator: "-", maxSplits: 2)
            guard parts.count == 3, parts[0] == "library", name.hasSuffix(".db"), let number = Int(parts[1]) else {
                return nil
            }
            return (number, name)
        }.sorted { $0.number < $1.number } ?? []
    }
}

/// The setting `library.backup_every`.
enum BackupInterval: String, Sendable {
    case off, daily, weekly, monthly

    /// `weekly` for any other value.
    init(setting: String) { self = BackupInterval(rawValue: setting) ?? .weekly }

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
    /// - Parameter subscribed: the time of the first subscription; nil if there is nothing to back up.
    func due(after last: Timestamp?, subscribed: Timestamp?) -> Timestamp? {
        guard let seconds, let start = last ?? subscribed else { return nil }
        return start.adding(seconds: seconds)
    }
}
