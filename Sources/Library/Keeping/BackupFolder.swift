internal import Glibc
public import LibraryModel
public import PodcastModel
internal import SQLite

/// Copies of a library, in a folder beside it: `backups/library-7-2026-11-21.db`.
///
/// The number says which is newer; the date, which a wrong clock may spoil, is for people.
public struct BackupFolder: Equatable, Sendable {
    /// A copy.
    public struct Backup: Equatable, Sendable {
        /// Its path.
        public var path: String
        /// Its size in bytes.
        public var bytes: Int64
    }

    /// Copies that are kept.
    public static let count = 5

    /// The folder's path.
    public let path: String
    private let library: String

    /// The folder for copies of a library's file, made with the first copy.
    public init(beside library: String) {
        self.library = library
        path = Self.folder(of: library) + "/backups"
    }

    /// Writes a copy of the library as it is at this instant, while others read and write it, and removes the oldest
    /// ones beyond `count`. It waits for the disk: not for the thread of a library in use.
    ///
    /// - Parameters:
    ///   - now: its date.
    ///   - progress: told how much is done, 0 to 1.
    /// - Throws: `diskFull`, `readOnly`, `damaged` or `storage`; nothing half-written stays then.
    public func write(
        at now: Timestamp, progress: (Double) -> Void = { _ in }
    ) throws(LibraryError) -> Backup {
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw Self.failure("mkdir \(path)", path) }
        _ = chmod(path, 0o700)
        let number = (numbered().last?.number ?? 0) + 1
        let name = "library-\(number)-\(now.description.prefix { $0 != "T" }).db"
        let (final, partial) = ("\(path)/\(name)", "\(path)/\(name).partial")
        do {
            unlink(partial)
            try Connection(path: library, busyTimeout: 0, cacheKiB: 256).backup(to: partial, progress: progress)
            try Self.put(partial, at: final)
        } catch {
            unlink(partial)
            unlink(partial + "-journal")
            throw LibraryError(storing: error, path: final)
        }
        for old in numbered().dropLast(Self.count) { unlink("\(path)/\(old.name)") }
        var status = stat()
        return Backup(path: final, bytes: stat(final, &status) == 0 ? Int64(status.st_size) : 0)
    }

    /// Paths of the copies, the newest last.
    public func all() -> [String] { numbered().map { "\(path)/\($0.name)" } }

    private func numbered() -> [(number: Int, name: String)] {
        Self.names(in: path).compactMap { name in
            let parts = name.split(separator: "-", maxSplits: 2)
            guard parts.count == 3, parts[0] == "library", name.hasSuffix(".db"), let number = Int(parts[1]) else {
                return nil
            }
            return (number, name)
        }.sorted { $0.number < $1.number }
    }

    // MARK: Files

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Names in a folder, none when it cannot be read: readdir(3).
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// Gives a finished file its name, so that a power cut cannot take it back: rename(2), fsync(2) of the folder.
    static func put(_ partial: String, at final: String) throws(LibraryError) {
        if rename(partial, final) != 0 { throw failure("rename \(final)", final) }
        let folder = open(Self.folder(of: final), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        if folder < 0 || fsync(folder) != 0 { throw failure("fsync \(Self.folder(of: final))", final) }
    }

    private static func failure(_ call: String, _ path: String) -> LibraryError {
        switch errno {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS: .readOnly(path)
        default: .storage("\(call): \(String(cString: strerror(errno)))")
        }
    }
}
