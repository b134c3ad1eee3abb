import DecoderHost
import DecoderSandbox
import MediaPorts
import Testing
import TestSupport

/// A decoder with a fault at one place of a file.
@Suite(.ownThread) struct PlantedFaultTests {
    /// A fault of `faulty-decoder`, and what the host says about it.
    struct Fault: CustomTestStringConvertible {
        var name: String
        var reason: String
        var testDescription: String { name }
    }

    private static let faults = [
        // Signal 11, or 31 if Swift's crash handler starts, which makes system calls.
        Fault(name: "crash", reason: "the decoder exited unexpectedly (signal"),
        Fault(name: "trap", reason: "the decoder exited unexpectedly (signal"),
        Fault(name: "socket", reason: "the decoder exited unexpectedly (signal 31"),
        Fault(name: "open", reason: "the decoder exited unexpectedly (signal 31"),
        Fault(name: "loop", reason: "the decoder stopped responding"),
    ]

    /// All but a second at the bad spot is heard, once, and to the end.
    @Test(.enabled(if: Confinement.isEnforced), arguments: faults)
    func aFaultStaysInTheSandboxAndCostsOnlyTheBadSpot(_ fault: Fault) throws {
        let file = Array("60 s, \(fault.name) at 30 s\n".utf8)
        let bench = try SessionBench(
            ScriptedSource(file), executable: SessionBench.program("faulty-decoder"),
            hangLimit: fault.name == "loop" ? .seconds(10) : .seconds(60))
        let runs = try bench.read()
        let restarts = bench.log.all.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
        expectEqual(restarts.count, 1)
        expectEqual(restarts.first?.hasPrefix(fault.reason), true, "\(restarts)")
        try #require(runs.count == 2)
        expectEqual(runs[0].start, 0)
        // A block of a tenth of a second was not finished.
        #expect((29 * 8000 + 7200...30 * 8000).contains(runs[0].end))
        expectEqual(runs[1].start - runs[0].end, 8000)
        expectEqual(runs[1].end, 60 * 8000)
        #expect(!bench.log.all.contains { if case .failed = $0 { true } else { false } })
        bench.stop()
    }
}
