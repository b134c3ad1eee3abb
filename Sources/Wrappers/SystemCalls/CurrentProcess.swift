internal import CLinux
internal import Glibc
internal import PodcastModel

/// This process and its environment.
public enum CurrentProcess {
    /// getpid(2).
    public static var number: Int32 { getpid() }
    /// The user who started the process: getuid(2).
    public static var user: UInt32 { getuid() }
    /// The user with whose permissions the process runs: geteuid(2).
    public static var effectiveUser: UInt32 { geteuid() }

    /// Nil if the environment variable is unset or empty: getenv(3).
    public static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    /// A directory for the socket of this user's daemon without `XDG_RUNTIME_DIR`, as in a cron job: `/run/user/UID`,
    /// the usual value of that variable (pam_systemd(8)), or else `podcastd-UID` in `$TMPDIR` or `/tmp`, which a daemon creates
    /// (`makeRuntimeFolder`). Nil for root, and unless one of them is a private directory of this user.
    public static var runtimeFolder: String? {
        if effectiveUser == 0 { return nil }
        return (["/run/user/\(effectiveUser)"] + temporaryRuntimeFolders).first(where: isPrivateFolder)
    }

    /// Creates a private directory for the socket if there is no `runtimeFolder`.
    /// - Throws: if the directory cannot be created, or exists but belongs to another user or is accessible to others.
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

    /// True if a path is a private directory of this user and not a link: lstat(2). An access list that lets some users
    /// search the directory, which the mode shows for the group, keeps it private from the others.
    static func isPrivateFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == effectiveUser
            && status.st_mode & 0o067 == 0
    }

    /// Removes an environment variable and returns its value: unsetenv(3). Before the program has other threads.
    public static func takeVariable(_ name: String) -> String? {
        let value = variable(name)
        _ = unsafe unsetenv(name)
        return value
    }

    /// The absolute path without links of an existing file: realpath(3). Throws `SystemError` with the path.
    public static func realPath(_ path: String) throws(SystemError) -> String {
        guard let found = unsafe realpath(path, nil) else { throw SystemError.last("open \(path)") }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// The path made absolute with the current directory: getcwd(3).
    public static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// The machine's name; empty if it has none: gethostname(2).
    public static var hostName: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            unsafe text.initialize(repeating: 0)
            guard unsafe gethostname(text.baseAddress!, 255) == 0 else { return "" }
            return unsafe String(cString: text.baseAddress!)
        }
    }

    /// Ignores a signal from now on: signal(7).
    public static func ignore(_ number: Int32) { _ = signal(number, SIG_IGN) }

    /// kill(2). A negative number means a process group. A process that has ended is not an error.
    public static func send(_ signal: Int32, to process: Int32) { _ = kill(process, signal) }

    /// Blocks the calling thread: usleep(3).
    public static func sleep(for duration: Duration) { _ = usleep(UInt32(clamping: duration.nanoseconds / 1_000)) }
}

/// Users and groups by name: getpwnam(3). Use at the start of a program, before it has other threads.
public enum UserDatabase {
    /// Nil for an unknown user.
    public static func user(named name: String) -> UInt32? { unsafe getpwnam(name)?.pointee.pw_uid }
    /// Nil for an unknown group.
    public static func group(named name: String) -> UInt32? { unsafe getgrnam(name)?.pointee.gr_gid }

    /// A user's name in the file passwd(5). May be called at any time, because only that file is read.
    public static func localName(of user: UInt32) -> String? {
        let lines = StoredFile.text(of: "/etc/passwd", upTo: 256 << 10)?.split(separator: "\n") ?? []
        let fields = lines.lazy.map { $0.fields(separatedBy: ":") }
        return fields.first { $0.count > 2 && UInt32($0[2]) == user }.map { String($0[0]) }
    }
}

/// A terminal on stdin: termios(3).
public enum TerminalInput {
    /// isatty(3).
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// True if the terminal has disappeared: poll(2) `POLLHUP`.
    public static func hasEnded(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Reads available bytes of stdin; waits if there are none, and returns no bytes at the end: read(2).
    public static func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        try FileDescriptor.readSome(0, upTo: count, "read the standard input")
    }

    /// Stops this process's job, like ^Z in a shell, until the user continues it: kill(2) `SIGTSTP`.
    public static func stopJob() { kill(0, SIGTSTP) }

    /// Runs `body` while the terminal neither echoes nor makes signals of keys, which would end the program without echo.
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
