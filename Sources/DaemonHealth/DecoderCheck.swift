internal import ChildProcess
public import Health
public import SystemCalls

/// Whether podcast-decode starts, enters its sandbox and decodes.
public enum DecoderCheck {
    private static let name = "decoder"
    /// Milliseconds.
    private static let patience = Duration.seconds(3)

    /// Runs the program's self-test; blocks for up to three seconds.
    public static func finding(executable: String) -> Finding {
        do throws(SystemError) {
            let run = try CollectedOutput.of(Launch(executable, ["--self-test"]), limit: 4096, timeout: patience)
            return judge(run.status, words: String(decoding: run.errors, as: UTF8.self), isCut: run.isCut)
        } catch {
            return .problem(name, "cannot run podcast-decode: \(error)", fix: "install it in the directory of podcastd")
        }
    }

    /// The finding for the result of the self-test.
    ///
    /// - Parameters:
    ///   - status: its exit status or signal.
    ///   - words: its standard error output.
    ///   - isCut: whether it was killed because it took too long.
    public static func judge(_ status: TerminationStatus, words: String, isCut: Bool) -> Finding {
        let fix = "run podcast-decode --self-test by hand, or reinstall the package"
        let last = words.split(separator: "\n").last.map(String.init)
        switch status {
        case .exited(0): return .ok(name, "podcast-decode starts, enters its sandbox and decodes")
        case .exited: return .problem(name, last ?? "podcast-decode failed: \(status)", fix: fix)
        case .signaled where isCut: return .problem(name, "podcast-decode hangs", fix: fix)
        case .signaled:
            return .problem(
                name, "podcast-decode was killed by \(status), perhaps by its own system call filter", fix: fix)
        }
    }
}
