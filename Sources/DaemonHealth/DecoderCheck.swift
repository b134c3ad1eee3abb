internal import ChildProcess
public import Health
public import SystemCalls

/// Whether podcast-decode starts, confines itself and decodes.
public enum DecoderCheck {
    private static let name = "decoder"
    /// Milliseconds.
    private static let patience: Int32 = 3000

    /// Runs the program's self-test; blocks for up to three seconds.
    public static func finding(executable: String) -> Finding {
        do throws(SystemError) {
            let run = try CollectedOutput.of(Launch(executable, ["--self-test"]), limit: 4096, timeout: patience)
            return judge(run.status, words: String(decoding: run.errors, as: UTF8.self), isCut: run.isCut)
        } catch {
            return .problem(name, "podcast-decode cannot be run: \(error)", fix: "install it beside podcastd")
        }
    }

    /// What its end says.
    ///
    /// - Parameters:
    ///   - status: how it ended.
    ///   - words: what it wrote on standard error.
    ///   - isCut: whether it was ended because it took too long.
    public static func judge(_ status: TerminationStatus, words: String, isCut: Bool) -> Finding {
        let fix = "run podcast-decode --self-test by hand, and install the package anew"
        let last = words.split(separator: "\n").last.map(String.init)
        switch status {
        case .exited(0): return .ok(name, "podcast-decode starts, confines itself and decodes")
        case .exited: return .problem(name, last ?? "podcast-decode failed: \(status)", fix: fix)
        case .signaled where isCut: return .problem(name, "podcast-decode hangs", fix: fix)
        case .signaled:
            return .problem(name, "podcast-decode was ended by \(status), perhaps by its own filter", fix: fix)
        }
    }
}
