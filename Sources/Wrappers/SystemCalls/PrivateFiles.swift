internal import CLinux
internal import Glibc
internal import Synchronization

/// Which rights new files get: umask(2).
public enum FileCreationMask {
    /// Before `makePrivate` the process's own mask is in force.
    private static let unchanged = UInt32.max
    private static let before = Atomic<UInt32>(unchanged)

    /// From now on new files are for this user alone, unless their rights are set. For the start of a program, before it has
    /// other threads.
    public static func makePrivate() {
        let mask = umask(0o077)
        _ = before.compareExchange(expected: unchanged, desired: mask, ordering: .relaxed)
    }

    /// The mask that the process was started with, for the programs that it starts; nil if it is in force.
    static var original: UInt32? {
        let mask = before.load(ordering: .relaxed)
        return mask == unchanged ? nil : mask
    }

    /// Gives a file that a user named, and that was just created, the rights that it would have had without `makePrivate`:
    /// chmod(2).
    public static func makeOrdinary(_ path: String, mode: UInt32) {
        if let original { _ = unsafe chmod(path, mode & ~original) }
    }
}

extension FileDescriptor {
    /// Opens a file of this user's alone and creates it if it is missing. It has the mode 0600 afterwards, whatever the mask
    /// of the process and whatever it had before.
    public static func openPrivate(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let file = try open(path, flags | O_CREAT, mode: 0o600)
        // Fails for a file of another user, which then keeps the rights that its owner gave it.
        var status = stat()
        let raw = file.raw
        if unsafe fstat(raw, &status) == 0, status.st_mode & 0o7777 != 0o600 { _ = fchmod(raw, 0o600) }
        return file
    }

    /// Opens a file that a user named, and creates it if it is missing with the mode that other programs would give it.
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

/// Folders whose contents are for one user alone.
public enum PrivateFolder {
    /// Gives a folder the mode 0700 and those of its files that are named the mode 0600: chmod(2). Files are not opened,
    /// because closing one would release the locks that SQLite has on it. What belongs to another user stays as it is, and so
    /// does a folder that is not for one program alone: with the sticky bit, the root folder, or the user's home.
    ///
    /// - Parameters:
    ///   - home: the user's home folder.
    ///   - isOurs: whether a file of that name is to be corrected.
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
