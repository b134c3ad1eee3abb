@testable import DecoderHost
import DecoderSandbox
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct FaultTests {
    private func restart(_ event: DecoderEvent) -> String? {
        if case .restarted(let reason) = event { reason } else { nil }
    }

    /// Shortens a limit under sanitizers: their builds multiply limits by 20, which is more than they need.
    private func limit(_ limit: Duration) -> Duration {
        isSanitized ? limit / 4 : limit
    }

    /// Sixty seconds, so that a small ring holds a small part of them.
    private func minute() throws -> [UInt8] {
        let fixture = try SessionBench.fixture()
        return Array(repeatElement(fixture, count: 10).joined())
    }

    @Test func aKilledDecoderIsReplacedOnceAndItsFramesArePlayed() throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        let bench = try SessionBench(
            ScriptedSource(minute()), executable: program.path, ringCapacity: 262_144)
        var heard = try #require(bench.read { $0.end > 44_100 }.last).end
        for process in program.processes { kill(process, SIGKILL) }
        #expect(bench.log.wait(for: restart).hasPrefix("the decoder exited unexpectedly (signal 9"))
        // What was in the ring is heard; then at least a second is missing, and not much more.
        let runs = try bench.read { $0.start > 44_100 + 30_000 && $0.end > $0.start + 44_100 }
        var gaps: [Int64] = []
        for run in runs {
            if run.start != heard { gaps.append(run.start - heard) }
            heard = run.end
        }
        expectEqual(gaps.count, 1)
        #expect(gaps.allSatisfy { (44_100...2 * 44_100).contains($0) })
        for process in program.processes { kill(process, SIGKILL) }
        let failure = bench.log.waitForFailure()
        expectEqual(failure.kind, .damaged)
        bench.session.waitUntilGone()
        #expect(program.processes.isEmpty)
    }

    @Test func aDecoderKilledAfterTheEndIsReplacedAtTheNextSeek() throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: program.path)
        _ = bench.log.wait { if case .reachedEnd = $0 { true } else { nil } }
        for process in program.processes { kill(process, SIGKILL) }
        try expectEqual(bench.read().map(\.end), [264_600])
        #expect(!bench.log.all.contains { restart($0) != nil })
        bench.session.seek(to: MediaTime(milliseconds: 4000), generation: 2, .neutral)
        try expectEqual(bench.read().map(\.start), [176_400])
        #expect(bench.log.wait(for: restart).hasPrefix("the decoder exited unexpectedly (signal 9"))
        bench.stop()
    }

    /// The seek may come before or after the session's thread hears of the death.
    @Test(arguments: 1...10) func aSeekAtTheMomentOfADeathIsNotLost(_ attempt: Int) throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: program.path)
        _ = bench.log.wait { if case .reachedEnd = $0 { true } else { nil } }
        for process in program.processes { kill(process, SIGKILL) }
        bench.session.seek(to: MediaTime(milliseconds: 4000), generation: 2, .neutral)
        try expectEqual(bench.read().map(\.start), [176_400])
        #expect(
            bench.log.wait { if case .positioned(2, let time) = $0 { time } else { nil } }.nanoseconds == 4_000_000_000)
        bench.stop()
    }

    @Test func aStoppedDecoderCountsAsHung() throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        let bench = try SessionBench(
            ScriptedSource(minute()), executable: program.path, hangLimit: limit(.seconds(2)), ringCapacity: 262_144)
        _ = try bench.read { $0.end > 22_050 }
        for process in program.processes { kill(process, SIGSTOP) }
        let runs = try bench.read { $0.start > 44_100 && $0.end > $0.start + 22_050 }
        expectEqual(bench.log.wait(for: restart), "the decoder stopped responding")
        #expect(!runs.isEmpty)
        bench.stop()
        #expect(program.processes.isEmpty)
    }

    @Test func aStoppedDecoderIsDetectedBySeeking() throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        let bench = try SessionBench(
            ScriptedSource(SessionBench.fixture()), executable: program.path, hangLimit: limit(.seconds(10)))
        _ = try bench.read()
        for process in program.processes { kill(process, SIGSTOP) }
        bench.session.seek(to: MediaTime(milliseconds: 1000), generation: 2, .neutral)
        expectEqual(bench.log.wait(for: restart), "the decoder stopped responding")
        try expectEqual(bench.read().first?.start, 44_100)
        bench.stop()
    }

    @Test func aSleepingDecoderDoesNotCountAsHung() throws {
        let bench = try SessionBench(ScriptedSource(minute()), hangLimit: .seconds(10), ringCapacity: 262_144)
        _ = try bench.read { $0.end > 1000 }
        // The decoder has filled the ring and sleeps; more than the limit passes without a reader.
        var entries = [PollEntry(-1)]
        try waitForAny(&entries, until: .now + .seconds(11))
        _ = try bench.read { $0.end > 441_000 }
        #expect(!bench.log.all.contains { restart($0) != nil })
        bench.stop()
    }

    @Test(arguments: [
        ("head -c 4096 /dev/urandom >&4; sleep 600", "in the ring"),
        ("head -c 3000 /dev/urandom >&3; sleep 600", "in a message"),
        ("yes >&2", "in stderr"),
        // This decoder reports that it sleeps, so there is no deadline, and closes its socket.
        (
            "printf '\\002' | dd of=/proc/self/fd/4 bs=1 seek=72 conv=notrunc; exec 3>&-; sleep 600",
            "closed its connection"
        ),
    ])
    func whateverItDoesEndsInAnEvent(_ script: String, _ reason: String) throws {
        let program = try NamedProgram(script: script)
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: program.path)
        _ = try bench.read()
        let told = bench.log.wait(for: restart)
        expectContains(told, reason)
        expectContains(bench.log.waitForFailure().message, "twice")
        bench.session.waitUntilGone()
    }

    @Test(arguments: [
        ("echo all is lost >&2; exit 3", "status 3: all is lost"),
        ("printf '\\033[31mred\\n' >&2; exit 3", "status 3: [31mred"),
    ])
    func anExitAtOnceIsOneFailureOfTheDecoder(_ script: String, _ reason: String) throws {
        let program = try NamedProgram(script: script)
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: program.path)
        _ = try bench.read()
        let failure = bench.log.waitForFailure()
        expectEqual(failure.kind, .decoder)
        expectContains(failure.message, "exited at once (\(reason))")
        #expect(!bench.log.all.contains { restart($0) != nil })
        bench.session.waitUntilGone()
    }

    /// Eight loops share one processor with the program, which alone would need a fifth of a second before it decodes.
    @Test func aDecoderThatWaitsForAProcessorIsNotTakenForHung() throws {
        let decoder = try NamedProgram(copying: SessionBench.decoder())
        let work = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; exec \(decoder.path)"
        let program = try NamedProgram(script: "exec nice -n 10 taskset -c 0 sh -c '\(work)'")
        let loop = "while :; do :; done"
        let others = try (0..<8).map { _ in try ChildProcess(.shell("exec nice -n 10 taskset -c 0 sh -c '\(loop)'")) }
        let bench = try SessionBench(
            ScriptedSource(SessionBench.fixture()), executable: program.path, hangLimit: .milliseconds(300))
        try expectEqual(bench.read().map(\.end), [264_600])
        #expect(!bench.log.all.contains { restart($0) != nil })
        bench.stop()
        withExtendedLifetime(others) {}
    }

    @Test func aMissingDecoderIsNamedWithItsPackage() throws {
        let bench = try SessionBench(
            ScriptedSource(SessionBench.fixture()), executable: "/nonexistent/podcast-decode-av")
        expectContains(bench.log.waitForFailure().message, "install podcastd-codecs")
        bench.session.waitUntilGone()
    }

    @Test(arguments: [
        "exec sleep 600",
        // A number that changes in what was the heartbeat's place, and messages that say nothing.
        """
        while :; do
            head -c 8 /dev/urandom | dd of=/proc/self/fd/4 bs=8 seek=10 conv=notrunc 2>/dev/null
            printf '\\002\\001\\000\\000\\000' >&3
        done
        """,
        // These decoders report that they sleep because room or bytes are missing, or because everything is decoded.
        "printf '\\001' | dd of=/proc/self/fd/4 bs=1 seek=72 conv=notrunc; exec sleep 600",
        "printf '\\003' | dd of=/proc/self/fd/4 bs=1 seek=72 conv=notrunc; exec sleep 600",
        "printf '\\002' | dd of=/proc/self/fd/4 bs=1 seek=72 conv=notrunc; exec sleep 600",
    ])
    func aDecoderThatDoesNothingOrOnlyShowsSignsOfLifeIsTakenForHung(_ script: String) throws {
        let program = try NamedProgram(script: script)
        let bench = try SessionBench(
            ScriptedSource(SessionBench.fixture()), executable: program.path, hangLimit: .milliseconds(50))
        expectContains(bench.log.waitForFailure().message, "stopped responding")
        bench.session.waitUntilGone()
    }

    @Test(.enabled(if: Confinement.isEnforced), arguments: DecoderLauncher.programs, ForbiddenAct.allCases)
    func whatDecodingDoesNotNeedEndsTheProcess(_ decoder: String, _ act: ForbiddenAct) throws {
        let result = try CollectedOutput.of(
            Launch(SessionBench.program(decoder), ["--prove", act.rawValue]), limit: 4096, timeout: .seconds(60))
        expectEqual(result.status, .signaled(SIGSYS), "\(String(decoding: result.errors, as: UTF8.self))")
    }

    @Test(.enabled(if: Confinement.isEnforced), arguments: DecoderLauncher.programs)
    func aDecoderDecodesItsSampleInsideTheSandbox(_ decoder: String) throws {
        let result = try CollectedOutput.of(
            Launch(SessionBench.program(decoder), ["--self-test"]), limit: 4096, timeout: .seconds(60))
        expectEqual(result.status, .exited(0), "\(String(decoding: result.errors, as: UTF8.self))")
    }

    @Test func startedByHandItNamesTheProgramsThatStartIt() throws {
        let result = try CollectedOutput.of(Launch(SessionBench.decoder()), limit: 4096, timeout: .seconds(60))
        expectEqual(result.status, .exited(64))
        expectContains(String(decoding: result.errors, as: UTF8.self), "only podcastd")
    }
}
