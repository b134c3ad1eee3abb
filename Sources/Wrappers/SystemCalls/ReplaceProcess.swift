internal import CLinux
internal import Glibc

/// Replaces this process with a program in `PATH`: execvp(3). Returns only on failure, with the error. The program's
/// name is the first argument; text after a NUL in the others is lost.
public func replaceProcess(_ program: String, _ arguments: [String]) -> SystemError {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe execvp(program, &words)
    return SystemError.last("run \(program)")
}

/// Replaces this process with a program in `PATH` that reads a file's contents as stdin: dup2(2).
public func replaceProcess(_ program: String, _ arguments: [String], reading input: MemoryFile) -> SystemError {
    do throws(SystemError) {
        let file = try input.openForReading()
        let number = file.raw
        try retrying("dup2") { dup2(number, STDIN_FILENO) }
    } catch {
        return error
    }
    return replaceProcess(program, arguments)
}
