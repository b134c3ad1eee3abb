internal import Glibc
internal import SQLite
public import SystemCalls

extension LibraryError {
    /// The only place that converts SQLite's codes to the library's errors.
    public init(storing error: any Error, path: String) {
        switch error {
        case let error as LibraryError: self = error
        case let error as SystemError: self.init(error, path: path)
        case SQLiteError.Code.full: self = .diskFull
        case SQLiteError.Code.busy, SQLiteError.Code.locked: self = .busy
        case SQLiteError.Code.readOnly, SQLiteError.Code.permission: self = .readOnly(path)
        case let error as SQLiteError where error.code == .corrupt || error.code == .notADatabase:
            self = .damaged(error.message)
        case SQLiteError.Code.cannotOpen where Self.isClosed(path): self = .readOnly(path)
        // After a disk error the kernel often remounts the file system read-only while files are open.
        case SQLiteError.Code.inputOutput where Self.isFrozen(path): self = .readOnly(path)
        default: self = .storage("\(error)")
        }
    }

    /// True if the file system accepts no changes, regardless of its mount options: tries to set the file's times.
    private static func isFrozen(_ path: String) -> Bool {
        do throws(SystemError) {
            try StoredFile.touch(path)
            return false
        } catch {
            return error.code == EROFS
        }
    }

    /// True if the file exists but cannot be written, or if its directory does not allow to create it.
    private static func isClosed(_ path: String) -> Bool {
        let place = FileAccess().isAllowed(path) ? path : StoredFile.folder(of: path)
        return FileAccess().isAllowed(place) && !FileAccess.write.isAllowed(place)
    }

    public init(_ error: SystemError, path: String) {
        switch error.code {
        case ENOSPC, EDQUOT: self = .diskFull
        case EACCES, EPERM, EROFS: self = .readOnly(path)
        default: self = .storage("\(error)")
        }
    }
}
