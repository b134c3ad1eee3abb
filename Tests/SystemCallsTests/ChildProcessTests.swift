import Foundation
import Glibc
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct ChildProcessTests {
    private func output(_ command: String, timeout: Duration = .seconds(60)) throws -> CollectedOutput {
        try CollectedOutput.of(.shell(command), limit: 65_536, timeout: timeout)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func statusAndOutputAreReturned() throws {
        let result = try output("echo out; echo err >&2; exit 3")
        expectEqual(result.status, .exited(3))
        expectEqual(text(result.output), "out\n")
        expectEqual(text(result.errors), "err\n")
        #expect(!result.isCut)
    }

    @Test func aSignalIsDistinguishedFromAStatus() throws {
        try expectEqual(output("kill -9 $$").status, .signaled(SIGKILL))
    }

    @Test func aProgramThatEndsByItselfIsReaped() throws {
        let process = try ChildProcess(Launch("/bin/true"))
        process.reapAtEnd()
        let entry = "/proc/\(process.processID)"
        let limit = Instant.now + .seconds(60)
        while FileManager.default.fileExists(atPath: entry), .now < limit {}
        #expect(!FileManager.default.fileExists(atPath: entry))
        expectEqual(process.exitStatus(), .exited(0))
    }

    @Test func aMissingProgramIsAnErrorAtOnce() {
        #expect(throws: SystemError(code: ENOENT, call: "start /nowhere/program")) {
            try ChildProcess(Launch("/nowhere/program"))
        }
    }

    @Test(
        arguments: [
            ("podcast-decode-av", "podcastd-codecs"), ("podcast-tui", "podcastd-tui"),
            ("podcast-output", "podcastd-web"),
            ("podcast-mpd", "podcastd-clients"),
        ])
    func namesThePackageOfAMissingProgram(program: String, package: String) {
        let error = #expect(throws: SystemError.self) { try ChildProcess(Launch("/nowhere/\(program)")) }
        expectEqual(
            error?.description, "start /nowhere/\(program): No such file or directory; install \(package)")
    }

    @Test func aFileThatCannotBeRunIsAnError() {
        #expect(throws: SystemError(code: EACCES, call: "start /etc")) { try ChildProcess(Launch("/etc")) }
    }

    @Test func onlyMappedDescriptorsAreOpen() throws {
        let leak = try FileDescriptor.open("/etc/hostname", O_RDONLY)
        // Not close-on-exec, as a careless library leaves it.
        let careless = fcntl(leak.raw, F_DUPFD, 200)
        try #require(careless >= 200)
        defer { close(careless) }
        let extra = try EventDescriptor()
        var launch = Launch.shell("ls /proc/self/fd")
        launch.descriptors = [DescriptorMapping(extra.raw, to: 9)]
        let result = try CollectedOutput.of(launch, limit: 4096)
        let open = Set(text(result.output).split(separator: "\n").compactMap { Int($0) })
        // ls has the folder open as 3.
        expectEqual(open, [0, 1, 2, 3, 9])
    }

    @Test func descriptorsMayChangePlaces() throws {
        let first = try SystemCalls.Pipe()
        let second = try SystemCalls.Pipe()
        let low = min(first.writing.raw, second.writing.raw)
        let high = max(first.writing.raw, second.writing.raw)
        let child = try ChildProcess(
            Launch(
                "/bin/sh", ["-c", "echo low >/proc/self/fd/\(low); echo high >/proc/self/fd/\(high)"],
                descriptors: [DescriptorMapping(low, to: high), DescriptorMapping(high, to: low)]))
        expectEqual(child.wait(), .exited(0))
        let lowReading = low == first.writing.raw ? first.reading.raw : second.reading.raw
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = try buffer.withUnsafeMutableBytes { try readSome(lowReading, into: $0) }
        expectEqual(text(Array(buffer[..<(count ?? 0)])), "high\n")
    }

    @Test func onlyTheGivenEnvironmentIsPassed() throws {
        let result = try CollectedOutput.of(Launch("/usr/bin/env", environment: ["A=1", "B=two words"]), limit: 4096)
        expectEqual(text(result.output), "A=1\nB=two words\n")
    }

    @Test func aRaisedDescriptorLimitIsNotInherited() throws {
        let before = DescriptorLimit.current
        try DescriptorLimit.raise()
        expectEqual(DescriptorLimit.current, DescriptorLimit.maximum)
        expectEqual(text(try output("ulimit -Sn; ulimit -Hn").output), "\(before)\n\(DescriptorLimit.maximum)\n")
    }

    @Test func signalsHaveTheirDefaultActions() throws {
        signal(SIGPIPE, SIG_IGN)
        let result = try output("grep -E 'Sig(Blk|Ign)' /proc/self/status")
        // Signals 32 and 33 are the C library's own; the process that started the tests decides about these signals.
        let masks = text(result.output).split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
        expectEqual(masks.map { $0 & ~0x1_8000_0000 }, [0, 0])
    }

    @Test func outputBeyondTheLimitIsReadAndDropped() throws {
        let result = try CollectedOutput.of(.shell("head -c 300000 /dev/zero"), limit: 1000)
        expectEqual(result.output.count, 1000)
        #expect(result.isCut)
        expectEqual(result.status, .exited(0))
    }

    @Test func aProgramThatClosesItsStreamsIsKilledToo() throws {
        let result = try output("exec >&- 2>&-; sleep 600", timeout: .seconds(2))
        #expect(result.isCut)
        expectEqual(result.status, .signaled(SIGKILL))
    }

    @Test func aTimeoutKillsTheProgramWithItsChildren() throws {
        let command = "sleep 600 & echo $!; sleep 600"
        var result = try output(command, timeout: .seconds(2))
        // On a busy machine the shell may not have begun by then.
        for limit in [15, 60] where result.output.isEmpty { result = try output(command, timeout: .seconds(limit)) }
        #expect(result.isCut)
        expectEqual(result.status, .signaled(SIGKILL))
        let grandchild = try #require(Int32(text(result.output).trimmingCharacters(in: .whitespacesAndNewlines)))
        // The grandchild ends at an unknown time; its pidfd reports the end.
        if let descriptor = try? openProcessDescriptor(grandchild) {
            var entries = [PollEntry(descriptor.raw)]
            #expect(try waitForAny(&entries, until: .now + .seconds(60)))
        }
    }

    @Test func terminateSendsSIGTERMFirst() throws {
        let pipe = try SystemCalls.Pipe()
        let child = try ChildProcess(
            .shell(
                "trap 'exit 7' TERM; echo ready; while :; do sleep 600 & wait; done",
                descriptors: [DescriptorMapping(pipe.writing.raw, to: 1)]))
        var buffer = [UInt8](repeating: 0, count: 16)
        _ = try buffer.withUnsafeMutableBytes { try readSome(pipe.reading.raw, into: $0) }
        expectEqual(child.terminate(grace: .seconds(60)), .exited(7))
        expectEqual(child.exitStatus(), .exited(7))
        child.signal(SIGKILL)
    }

    @Test func terminateSendsSIGTERMOnce() throws {
        let pipe = try SystemCalls.Pipe()
        let child = try ChildProcess(
            .shell(
                "trap '' TERM; echo ready; while :; do sleep 1; done",
                descriptors: [DescriptorMapping(pipe.writing.raw, to: 1)]))
        var buffer = [UInt8](repeating: 0, count: 16)
        _ = try buffer.withUnsafeMutableBytes { try readSome(pipe.reading.raw, into: $0) }
        expectEqual(child.terminate(grace: .milliseconds(50)), .signaled(SIGKILL))
    }

    @Test func releasingTheObjectKillsAndReaps() throws {
        var child: ChildProcess? = try ChildProcess(Launch("/bin/sleep", ["600"]))
        let process = try #require(child?.processID)
        child = nil
        expectEqual(kill(process, 0), -1)
    }

    @Test func itEndsWithTheThreadThatStartedIt() throws {
        let pipe = try SystemCalls.Pipe()
        let writing = pipe.writing.raw
        // The object is kept, so that only the signal can end the process.
        let kept = Kept()
        let short = try DedicatedThread(name: .test) {
            let child = try? ChildProcess(
                Launch(
                    "/bin/sleep", ["600"], descriptors: [DescriptorMapping(writing, to: 1)],
                    signalWhenParentEnds: SIGKILL))
            kept.child.withLock { $0 = child }
        }
        short.join()
        let reading = pipe.closingWriting()
        var buffer = [UInt8](repeating: 0, count: 1)
        try expectEqual(buffer.withUnsafeMutableBytes { try readSome(reading.raw, into: $0) }, 0)
        expectEqual(kept.child.withLock { $0?.wait() }, .signaled(SIGKILL))
    }

    @Test func manyProcessesAtOnceAllEnd() throws {
        let children = try (0..<20).map { try ChildProcess(.shell("exit \($0)")) }
        for (index, child) in children.enumerated() { expectEqual(child.wait(), .exited(Int32(index))) }
    }
}

/// A place for one child.
private final class Kept: Sendable {
    let child = Mutex<ChildProcess?>(nil)
}
