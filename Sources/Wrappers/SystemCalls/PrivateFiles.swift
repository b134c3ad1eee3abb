internal import CLinux
internal import Glibc
internal import Synchronization

/// Permissions of new files: umask(2).
public enum FileCreationMask {
    /// Before `makePrivate` the process's own mask is in force.
    private static let unchanged = UInt32.max
    private static let before = Atomic<UInt32>(unchanged)

    /// New files are private to this user, unless their permissions are set. Call before the program has other threads.
    public static func makePrivate() {
        let mask = umask(0o077)
        _ = before.compareExchange(expected: unchanged, desired: mask, ordering: .relaxed)
    }

    /// The mask at the start of the process, for child processes; nil if it is in force.
    static var original: UInt32? {
        let mask = before.load(ordering: .relaxed)
        return mask == unchanged ? nil : mask
    }

    /// Gives a new file that a user named the permissions that it would have without `makePrivate`: chmod(2).
    static func makeOrdinary(_ path: String, mode: UInt32) {
        if let original { _ = unsafe chmod(path, mode & ~original) }
    }
}

extension FileDescriptor {
    /// Opens a file, or creates it, and makes its mode 0600, independent of the process's mask and of the earlier mode.
    public static func openPrivate(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let file = try open(path, flags | O_CREAT, mode: 0o600)
        // Fails for a file of another user, which then keeps its permissions.
        var status = stat()
        let raw = file.raw
        if unsafe fstat(raw, &status) == 0, status.st_mode & 0o7777 != 0o600 { _ = fchmod(raw, 0o600) }
        return file
    }

    /// Opens a file that a user named, and creates it if it is missing with the mode that other programs would use.
    public static func openOrdinary(
        _ path: String, _ flags: Int32, mode: UInt32
    ) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            let file = try open(path, flags | O_CREAT | O_EXCL, mode: mode)
            FileCreationMask.makeOrdinary(path, mode: mode)
            return file
        } catch  where error.code == EEXIST {
            return try open(path, flags | O_CREAT, mode: mode)
        }
    }
}

/// Directories whose contents are private to one user.
public enum PrivateFolder {
    /// Sets a directory's mode to 0700, and the mode of its named files to 0600: chmod(2). Files are not opened,
    /// because closing one would release SQLite's locks on it. Objects of another user stay unchanged, and so does a
    /// directory that is shared with other programs: with the sticky bit, the root directory, or the user's home.
    /// - Parameters:
    ///   - home: the user's home directory.
    ///   - isOurs: true if the mode of a file with this name must be corrected.
    public static func correct(_ folder: String, home: String?, files isOurs: (String) -> Bool) {
        guard let names = try? StoredFile.names(in: folder) else { return }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0 else { return }
        let isShared = status.st_mode & S_ISVTX != 0 || folder == "/" || folder == home
        if !isShared, status.st_mode & S_IFMT == S_IFDIR { setMode(0o700, of: folder, status) }
        for name in names where isOurs(name) {
            let path = folder + "/" + name
            if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { setMode(0o600, of: path, status) }
        }
    }

    private static func setMode(_ mode: UInt32, of path: String, _ status: stat) {
        if status.st_uid == geteuid(), status.st_mode & 0o7777 != mode { _ = unsafe chmod(path, mode) }
    }
}
