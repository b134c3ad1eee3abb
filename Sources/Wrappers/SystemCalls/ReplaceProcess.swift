internal import CLinux
internal import Glibc

/// Becomes another program, looked for in `PATH`: execvp(3). Returns only when it cannot be run.
///
/// - Parameters:
///   - program: its name, which is also its first argument.
///   - arguments: the others; what follows a NUL in one is lost.
/// - Returns: why not.
public func replaceProcess(_ program: String, _ arguments: [String]) -> SystemError {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe execvp(program, &words)
    return SystemError.last("run \(program)")
}

/// Becomes another program, whose stdin is what the file holds: dup2(2), then as above.
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
