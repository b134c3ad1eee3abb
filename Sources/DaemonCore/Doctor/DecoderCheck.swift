internal import ChildProcess
internal import ControlProtocol
internal import SystemCalls

/// Whether podcast-decode starts, confines itself and decodes.
enum DecoderCheck {
    private static let name = "decoder"
    /// Milliseconds.
    private static let patience: Int32 = 3000

    /// Lets the program try itself.
    static func reply(executable: String) -> CheckReply {
        do throws(SystemError) {
            let run = try CollectedOutput.of(Launch(executable, ["--self-test"]), limit: 4096, timeout: patience)
            return judge(run.status, words: String(decoding: run.errors, as: UTF8.self), isCut: run.isCut)
        } catch {
            return .needsPerson(name, "podcast-decode cannot be run: \(error)", fix: "install it beside podcastd")
        }
    }

    /// What its end says.
    ///
    /// - Parameters:
    ///   - status: how it ended.
    ///   - words: what it wrote on standard error.
    ///   - isCut: whether it was ended because it took too long.
    static func judge(_ status: TerminationStatus, words: String, isCut: Bool) -> CheckReply {
        let fix = "run podcast-decode --self-test by hand, and install the package anew"
        let last = words.split(separator: "\n").last.map(String.init)
        switch status {
        case .exited(0): return .ok(name, "podcast-decode starts, confines itself and decodes")
        case .exited: return .needsPerson(name, last ?? "podcast-decode failed: \(status)", fix: fix)
        case .signaled where isCut: return .needsPerson(name, "podcast-decode hangs", fix: fix)
        case .signaled:
            return .needsPerson(name, "podcast-decode was ended by \(status), perhaps by its own filter", fix: fix)
        }
    }
}
