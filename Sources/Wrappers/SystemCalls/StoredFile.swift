internal import CLinux
internal import Glibc
internal import PodcastModel

/// fstat(2).
public struct FileStatus: Sendable {
    private var status = stat()

    public init(of descriptor: Int32) throws(SystemError) {
        try retrying("fstat") { unsafe fstat(descriptor, &status) }
    }

    /// Follows links: stat(2).
    public init(path: String) throws(SystemError) { try retrying("stat \(path)") { unsafe stat(path, &status) } }

    /// Does not follow links: lstat(2). Nil if the path does not exist.
    public init?(ofLink path: String) throws(SystemError) {
        if unsafe lstat(path, &status) != 0 {
            if errno == ENOENT { return nil }
            throw SystemError.last("stat \(path)")
        }
    }

    /// In bytes.
    public var size: Int64 { Int64(status.st_size) }
    /// Bytes on the disk; less than `size` for a file with holes.
    public var allocatedSize: Int64 { Int64(status.st_blocks) * 512 }
    /// Last change of the contents: seconds since 1970.
    public var modified: Int64 { Int64(status.st_mtim.tv_sec) }
    /// Nanoseconds within that second.
    public var modifiedNanoseconds: Int64 { Int64(status.st_mtim.tv_nsec) }
    /// Number of the file within its file system.
    public var inode: UInt64 { UInt64(status.st_ino) }
    /// Number of the file system.
    public var device: UInt64 { UInt64(status.st_dev) }
    /// Permission bits, such as 0o644.
    public var permissions: UInt32 { status.st_mode & 0o7777 }
    public var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    public var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
    public var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    public var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
}

/// Reading and writing at offsets of a file, without its file position. Any thread.
public enum StoredFile {
    /// pread(2); fewer bytes than requested at the end of the file.
    public static func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try unsafe bytes(upTo: count) { (rest, done) throws(SystemError) in
            try retrying("pread") { unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + done) }
        }
    }

    /// The bytes of several reads, until there are `count` or a read returns none.
    /// - Parameter read: reads into the rest of the bytes, of which `done` are read.
    static func bytes(
        upTo count: Int, _ read: (_ rest: UnsafeMutableRawBufferPointer, _ done: Int) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        // Not zeroed: decoders ask for as much as a file may have, and touching all these pages cost 2 ms of each start.
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(SystemError) {
                while done < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        start: buffer.baseAddress! + done, count: count - done)
                    let got = try unsafe read(rest, done)
                    if got == 0 { break }
                    done += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The beginning of a file as text; nil if it cannot be read.
    static func text(of path: String, _ flags: Int32 = 0, upTo count: Int) -> String? {
        guard let file = try? FileDescriptor.open(path, O_RDONLY | flags),
            let bytes = try? read(file.raw, at: 0, count: count)
        else { return nil }
        return String(utf8: bytes)
    }

    /// Writes all bytes at an offset: pwrite(2). An offset beyond the end makes a hole.
    public static func write(
        _ descriptor: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try retrying("pwrite") {
                unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + done)
            }
        }
    }

    /// Writes all bytes at an offset: pwrite(2).
    public static func write(_ descriptor: Int32, at offset: Int64, _ bytes: [UInt8]) throws(SystemError) {
        try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
            try unsafe write(descriptor, at: offset, buffer)
        }
    }

    /// Writes as many bytes as there is room for, at least one: pwrite(2). Returns the number of bytes written.
    public static func writeSome(
        _ descriptor: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int {
        try retrying("pwrite") { unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    /// Shortens or extends a file: ftruncate(2).
    public static func truncate(_ descriptor: Int32, to length: Int64) throws(SystemError) {
        try retrying("ftruncate") { ftruncate(descriptor, off_t(length)) }
    }

    /// Frees the disk space of a file's beginning, which then consists of zeros: fallocate(2).
    public static func free(_ descriptor: Int32, upTo end: Int64) throws(SystemError) {
        try retrying("fallocate") { shim_free_beginning(descriptor, off_t(end)) }
    }

    /// Waits until a file's contents are on the disk: fdatasync(2).
    public static func synchronize(_ descriptor: Int32) throws(SystemError) {
        try retrying("fdatasync") { fdatasync(descriptor) }
    }

    /// Reads a complete small file.
    /// - Parameter limit: maximum bytes; a longer file fails with `EFBIG`.
    public static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        let size = try FileStatus(of: file.raw).size
        if size > Int64(limit) { throw SystemError(code: EFBIG, call: "read \(path)") }
        return try read(file.raw, at: 0, count: Int(size))
    }

    /// Replaces a file atomically: writes a new file beside it, then renames it: rename(2). Another process or a crash
    /// sees either the old or the new contents. The file is private to this user.
    /// - Parameter isDurable: true to sync contents and name, so that a power failure cannot undo the change.
    public static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool) throws(SystemError) {
        let temporary = path + ".new"
        let file = try FileDescriptor.openPrivate(temporary, O_WRONLY | O_TRUNC)
        do throws(SystemError) {
            try write(file.raw, at: 0, bytes)
            if isDurable { try synchronize(file.raw) }
            try rename(temporary, to: path, isDurable: isDurable)
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Renames a file, replacing an existing one: rename(2).
    /// - Parameter isDurable: true to sync the directory with fsync(2), so that a power failure cannot undo the change.
    public static func rename(_ path: String, to other: String, isDurable: Bool = false) throws(SystemError) {
        try retrying("rename \(other)") { unsafe Glibc.rename(path, other) }
        guard isDurable else { return }
        let name = folder(of: other)
        let folder = try FileDescriptor.open(name, O_RDONLY | O_DIRECTORY)
        try retrying("fsync \(name)") { fsync(folder.raw) }
    }

    /// Gives a file a second name, which must be unused: link(2).
    public static func link(_ path: String, to other: String) throws(SystemError) {
        try retrying("link \(other)") { unsafe Glibc.link(path, other) }
    }

    /// The directory of a path; `.` for a name without a directory.
    public static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: .slash) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// unlink(2). A missing file is not an error.
    public static func remove(_ path: String) throws(SystemError) {
        if unsafe unlink(path) != 0 && errno != ENOENT { throw SystemError.last("unlink \(path)") }
    }

    /// Sets a file's times to now: utimensat(2).
    public static func touch(_ path: String) throws(SystemError) {
        try retrying("utimensat \(path)") { unsafe utimensat(AT_FDCWD, path, nil, 0) }
    }

    /// Creates a named pipe unless the path exists: mkfifo(3).
    public static func makePipe(_ path: String) throws(SystemError) {
        if unsafe mkfifo(path, 0o666) == 0 {
            FileCreationMask.makeOrdinary(path, mode: 0o666)
        } else if errno != EEXIST {
            throw SystemError.last("mkfifo \(path)")
        }
    }

    /// Creates a directory with a unique name with this prefix, private to the user: mkdtemp(3).
    public static func makeTemporaryFolder(_ prefix: String) throws(SystemError) -> String {
        var template = Array("\(prefix).XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp \(prefix)") }
        return String(utf8: template.dropLast().map { UInt8(bitPattern: $0) })
    }

    /// Removes a directory tree, up to eight levels deep. Does not follow links. Ignores failures.
    public static func removeTree(_ path: String, depth: Int = 0) {
        for name in depth < 8 ? (try? names(in: path)) ?? [] : [] {
            let inner = "\(path)/\(name)"
            if (try? FileStatus(ofLink: inner))?.isFolder == true {
                removeTree(inner, depth: depth + 1)
            } else {
                try? remove(inner)
            }
        }
        _ = unsafe rmdir(path)
    }

    /// Creates a directory and its parents, private to the user: mkdir(2). Existing directories stay unchanged.
    public static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
        // An existing directory can still be refused, for example on a read-only disk or below an unsearchable one.
        let error = SystemError.last("mkdir \(path)")
        if FileAccess().isAllowed(path) { return }
        let parent = folder(of: path)
        guard error.code == ENOENT, parent != path, parent != "." else { throw error }
        try makeFolder(parent, mode: mode)
        try retrying("mkdir \(path)") { unsafe mkdir(path, mode) }
    }

    /// The names in a directory, without `.` and `..`, in no order: readdir(3).
    public static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw SystemError.last("opendir \(folder)") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe String(cString: UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
