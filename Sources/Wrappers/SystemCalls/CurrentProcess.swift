internal import CLinux
internal import Glibc
internal import PodcastModel

/// This process and its environment.
public enum CurrentProcess {
    /// getpid(2).
    public static var number: Int32 { getpid() }
    /// The user who started it: getuid(2).
    public static var user: UInt32 { getuid() }
    /// The user with whose permissions it runs: geteuid(2).
    public static var effectiveUser: UInt32 { geteuid() }

    /// Value of an environment variable that is set and not empty: getenv(3).
    public static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    /// A folder for the socket of this user's daemon, for programs that have no `XDG_RUNTIME_DIR`, as in a cron job or a
    /// container: `/run/user/UID`, the usual value of that variable (pam_systemd(8)), else `podcastd-UID` in `$TMPDIR` or `/tmp`,
    /// which a daemon makes (`makeRuntimeFolder`). Nil for root, and unless one of them is a folder of this user that is closed
    /// to others.
    public static var runtimeFolder: String? {
        if effectiveUser == 0 { return nil }
        return (["/run/user/\(effectiveUser)"] + temporaryRuntimeFolders).first(where: isPrivateFolder)
    }

    /// Makes a private folder for the socket where there is no `runtimeFolder`.
    ///
    /// - Throws: if it cannot be made, or there is one that belongs to another user or is open to others.
    public static func makeRuntimeFolder() throws(SystemError) -> String {
        let path = temporaryRuntimeFolders[0]
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError.last("mkdir \(path)") }
        guard isPrivateFolder(path) else { throw SystemError(code: EPERM, call: "use \(path)") }
        return path
    }

    private static var temporaryRuntimeFolders: [String] {
        let chosen = variable("TMPDIR").flatMap { $0.hasPrefix("/") && $0 != "/tmp" ? $0 : nil }
        return ([chosen].compactMap(\.self) + ["/tmp"]).map { "\($0)/podcastd-\(effectiveUser)" }
    }

    /// Whether a path is a folder, not a link to one, of this user that is closed to others: lstat(2). An access list that lets
    /// some users search it, which the mode shows for the group, keeps it closed to the others.
    static func isPrivateFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == effectiveUser
            && status.st_mode & 0o067 == 0
    }

    /// Removes an environment variable and returns its value. For the start of a program, before it has other threads: unsetenv(3).
    public static func takeVariable(_ name: String) -> String? {
        let value = variable(name)
        _ = unsafe unsetenv(name)
        return value
    }

    /// The absolute path without links of a file that exists: realpath(3).
    /// - Throws: `SystemError`, naming the path.
    public static func realPath(_ path: String) throws(SystemError) -> String {
        guard let found = unsafe realpath(path, nil) else { throw SystemError.last("open \(path)") }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// The path made absolute with the current folder: getcwd(3).
    public static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// Ignores a signal from now on: signal(7).
    public static func ignore(_ number: Int32) { _ = signal(number, SIG_IGN) }

    /// Sends a signal to a process, or with a negative number to its group. A process that has ended is not an error: kill(2).
    public static func send(_ signal: Int32, to process: Int32) { _ = kill(process, signal) }

    /// Blocks the calling thread: usleep(3).
    public static func sleep(for duration: Duration) { _ = usleep(UInt32(clamping: duration.nanoseconds / 1_000)) }
}

/// Users and groups by name: getpwnam(3). For the start of a program, before it has other threads.
public enum UserDatabase {
    /// The user's number; nil if there is no such user.
    public static func user(named name: String) -> UInt32? { unsafe getpwnam(name)?.pointee.pw_uid }
    /// The group's number; nil if there is no such group.
    public static func group(named name: String) -> UInt32? { unsafe getgrnam(name)?.pointee.gr_gid }

    /// A user's name by the file passwd(5), which may be asked for at any time because nothing but that file is read.
    public static func localName(of user: UInt32) -> String? {
        guard let file = try? FileDescriptor.open("/etc/passwd", O_RDONLY),
            let bytes = try? StoredFile.read(file.raw, at: 0, count: 256 << 10)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let fields = lines.lazy.map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        return fields.first { $0.count > 2 && UInt32($0[2]) == user }.map { String($0[0]) }
    }
}

/// A terminal on stdin: termios(3).
public enum TerminalInput {
    /// Whether a descriptor is a terminal: isatty(3).
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether the terminal has disappeared: poll(2) `POLLHUP`.
    public static func hasEnded(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Reads what has come on stdin; waits if nothing has, and returns nothing at its end: read(2).
    public static func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { (buffer) throws(SystemError) in
            let number = try retrying("read the standard input") { unsafe Glibc.read(0, buffer.baseAddress, count) }
            return unsafe [UInt8](buffer[..<number])
        }
    }

    /// Stops this process and the others of its job, as ^Z does in a shell, until the user continues it: kill(2) `SIGTSTP`.
    public static func stopJob() { kill(0, SIGTSTP) }

    /// Runs `body` while the terminal neither shows what is typed nor turns keys into signals or lines, so that nothing can end
    /// this program with the echo still off.
    ///
    /// - Returns: nil if stdin is not a terminal.
    /// - Throws: `SystemError` if the terminal cannot be changed; `body` did not run.
    public static func withoutEcho<Result>(_ body: () -> Result) throws(SystemError) -> Result? {
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        try retrying("tcsetattr") { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) }
        defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return body()
    }
}
