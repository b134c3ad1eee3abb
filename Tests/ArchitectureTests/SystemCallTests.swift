import Foundation
import Testing
import TestSupport

/// Which code may call the C library.
@Suite struct SystemCallTests {
    /// Functions of the C library that tempt callers. Not here: functions that only touch memory they are given, such as
    /// memchr(3).
    private static let systemCalls = [
        "access", "chmod", "chown", "closedir", "connect", "dup", "dup2", "execve", "fchmod", "fclose",
        "fcntl", "fdatasync", "flock", "fopen", "fork", "fread", "fstat", "fsync", "ftruncate", "fwrite", "getcwd",
        "getenv", "geteuid", "getgid", "getgrnam", "getpid", "getpwnam", "getrlimit", "getsockopt", "getuid", "iconv",
        "ioctl", "isatty", "kill", "lseek", "lstat", "mkdir", "mkdtemp", "mkfifo", "mkstemp", "mmap", "mprotect",
        "munmap",
        "nanosleep", "opendir", "pipe", "poll", "posix_fallocate", "pread", "prctl", "pthread_create", "pwrite",
        "readdir",
        "readlink", "recv", "rmdir", "setenv", "setrlimit", "setsockopt", "sigaction", "socket", "strerror", "sysconf",
        "tcgetattr", "tcsetattr", "uname", "unlink", "unsetenv", "usleep", "utimensat", "waitpid",
    ]

    @Test func onlyWrappersCallTheSystemAndReadErrorNumbers() throws {
        let errorNumber = try Regex("\\berrno\\b|\\bGlibc\\.")
        // A name after a dot, a quote or `func` is not a call of the C library's function.
        let call = try Regex("(?:^|[^.\\w\"`])(?:\(Self.systemCalls.joined(separator: "|")))\\(")
        let wrappers = try ImportTests.wrappers().values.reduce(into: Set<String>()) { $0.formUnion($1) }
        for (module, file) in try ImportTests.sources() where !file.path.contains("/Sources/Wrappers/") {
            if wrappers.contains(file.deletingLastPathComponent().path) { continue }
            let lines = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
            // Without the import, such a name is a function of ours.
            let canCall = lines.contains { importedModule(String($0)) == "Glibc" }
            for (number, line) in lines.enumerated() {
                let code = String(line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex))
                    .replacing("func ", with: "func.")
                let found = code.firstMatch(of: errorNumber) ?? (canCall ? code.firstMatch(of: call) : nil)
                #expect(found == nil, "\(module) \(file.lastPathComponent):\(number + 1), use SystemCalls: \(code)")
            }
        }
    }
}
