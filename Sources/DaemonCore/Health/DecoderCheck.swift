internal import Reporting
internal import SystemCalls

enum DecoderCheck {
    /// A busy machine may need seconds to read FFmpeg's libraries from a slow disk; longer means that the program hangs.
    private static let patience = Duration.seconds(8)

    /// Runs the program's self-test; blocks for up to eight seconds.
    static func finding(executable: String) -> Finding {
        let program = executable.split(separator: "/").last.map(String.init) ?? executable
        do throws(SystemError) {
            let run = try CollectedOutput.of(Launch(executable, ["--self-test"]), limit: 4096, timeout: patience)
            return judge(program, run.status, words: String(decoding: run.errors, as: UTF8.self), isCut: run.isCut)
        } catch {
            return .problem("cannot run \(program): \(error)", fix: "install it in the directory of podcastd")
        }
    }

    /// The finding for the result of the self-test.
    ///
    /// - Parameters:
    ///   - status: its exit status or signal.
    ///   - words: its standard error output.
    ///   - isCut: whether it was killed because it took too long.
    static func judge(_ program: String, _ status: TerminationStatus, words: String, isCut: Bool) -> Finding {
        let fix = "run \(program) --self-test by hand, or reinstall the package"
        let last = words.split(separator: "\n").last.map(String.init)
        switch status {
        case .exited(0): return .ok("\(program) starts, enters its sandbox and decodes")
        case .exited: return .problem(last ?? "\(program) failed: \(status)", fix: fix)
        case .signaled where isCut: return .problem("\(program) hangs", fix: fix)
        case .signaled:
            return .problem("\(program) was killed by \(status), perhaps by its own system call filter", fix: fix)
        }
    }
}
