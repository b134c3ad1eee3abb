internal import Glibc
public import LibraryModel
internal import SQLite
public import SystemCalls

extension LibraryError {
    /// The one place where SQLite's codes become the library's errors.
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
        // A disk with a fault is often made read-only by the system while files on it are open.
        case SQLiteError.Code.inputOutput where Self.isFrozen(path): self = .readOnly(path)
        default: self = .storage("\(error)")
        }
    }

    /// Whether the file's disk takes no change of anything, whatever it was mounted for: its times are set to now.
    private static func isFrozen(_ path: String) -> Bool {
        do throws(SystemError) {
            try StoredFile.touch(path)
            return false
        } catch {
            return error.code == EROFS
        }
    }

    /// Whether the file is there and may not be written, or its folder is and it may not be made.
    private static func isClosed(_ path: String) -> Bool {
        let place = FileAccess().isAllowed(path) ? path : StoredFile.folder(of: path)
        return FileAccess().isAllowed(place) && !FileAccess.write.isAllowed(place)
    }
}

extension LibraryError {
    /// What a failed system call on a file means.
    public init(_ error: SystemError, path: String) {
        switch error.code {
        case ENOSPC, EDQUOT: self = .diskFull
        case EACCES, EPERM, EROFS: self = .readOnly(path)
        default: self = .storage("\(error)")
        }
    }
}
