@testable import DecoderHost
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct SessionTests {
    private let stereo = PCMFormat(rate: 44_100, channels: 2, type: .float32)

    @Test func aWholeFileComesThroughAConfinedProcess() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()))
        try expectEqual(bench.read(), [.init(start: 0, end: 264_600, format: stereo)])
        let duration = bench.log.wait { if case .reachedEnd(1, let duration) = $0 { duration } else { nil } }
        expectEqual(duration, MediaTime(milliseconds: 6000))
        let info = bench.log.wait { if case .opened(let info) = $0 { info } else { nil } }
        expectEqual(info.container, "mp3")
        #expect(info.isExact)
        expectContains(bench.log.all, .positioned(generation: 1, at: .zero))
        #expect(bench.pcm.isFilled)
        bench.stop()
    }

    @Test func aSmallRingIsRefilledRepeatedly() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), ringCapacity: 262_144)
        try expectEqual(bench.read(), [.init(start: 0, end: 264_600, format: stereo)])
        bench.stop()
    }

    @Test func aSeekContinuesAtItsTimeWithItsGeneration() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()))
        _ = try bench.read { $0.end > 50_000 }
        bench.session.seek(to: MediaTime(milliseconds: 4000), generation: 2, .neutral)
        try expectEqual(bench.read(), [.init(start: 176_400, end: 264_600, format: stereo)])
        bench.session.seek(to: MediaTime(milliseconds: 500), generation: 3, .neutral)
        try expectEqual(bench.read(), [.init(start: 22_050, end: 264_600, format: stereo)])
        expectContains(bench.log.all, .positioned(generation: 2, at: MediaTime(milliseconds: 4000)))
        expectContains(bench.log.all, .positioned(generation: 3, at: MediaTime(milliseconds: 500)))
        bench.stop()
    }

    @Test func theIndexOfAConfinedProcessServesTheNextOne() throws {
        let source = try ScriptedSource(SessionBench.fixtureWithoutInfo())
        let first = try SessionBench(source)
        _ = try first.read()
        first.stop()
        let stored = try StoredFile.read(source.indexDescriptor, at: 0, count: 1 << 20)
        #expect(stored.starts(with: Array("PDframe2".utf8)))
        let second = try SessionBench(source, at: MediaTime(milliseconds: 1000))
        _ = try second.read()
        second.stop()
        try expectEqual(StoredFile.read(source.indexDescriptor, at: 0, count: 1 << 20), stored)
    }

    @Test(arguments: [true, false])
    func aSeekPastTheEndOfAFileOfUnknownLengthMeasuresNothing(_ hasInfoFrame: Bool) throws {
        let source = try ScriptedSource(
            hasInfoFrame ? SessionBench.fixture() : SessionBench.fixtureWithoutInfo())
        source.change {
            $0.length = nil
            $0.available = [0..<20_000]
            $0.phase = .receiving
        }
        let bench = try SessionBench(source)
        _ = try bench.read { $0.end > 1000 }
        bench.session.seek(to: MediaTime(milliseconds: 600_000), generation: 2, .neutral)
        let size = try FileStatus(of: source.descriptor).size
        _ = bench.log.wait { if case .waitingForBytes(let offset) = $0, offset > size { true } else { nil } }
        source.change { $0.length = size }
        let told = bench.log.wait { if case .reachedEnd(2, let duration) = $0 { [duration] } else { nil } }
        // The Info frame's word counts once the file is as long as it says.
        expectEqual(told, [hasInfoFrame ? MediaTime(milliseconds: 6000) : nil])
        let reached = bench.log.wait { if case .positioned(2, let time) = $0 { time } else { nil } }
        #expect(reached.seconds < 6.2)
        bench.stop()
    }

    @Test func aSeekPastTheEndOfAnAvailableFileMeasuresIt() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixtureWithoutInfo()))
        let whole = try #require(bench.read().last).end
        bench.stop()
        let again = try SessionBench(ScriptedSource(SessionBench.fixtureWithoutInfo()))
        again.session.seek(to: MediaTime(milliseconds: 600_000), generation: 2, .neutral)
        let told = again.log.wait { if case .reachedEnd(2, let duration) = $0 { duration } else { nil } }
        expectEqual(told, MediaTime(frames: whole, rate: 44_100))
        again.stop()
    }

    @Test func aStartInTheMiddleBeginsThere() throws {
        let bench = try SessionBench(
            ScriptedSource(SessionBench.fixture()), at: MediaTime(milliseconds: 2000))
        try expectEqual(bench.read(), [.init(start: 88_200, end: 264_600, format: stereo)])
        bench.stop()
    }

    @Test func missingBytesAreRequestedAndDecodedWhenTheyArrive() throws {
        let bytes = try SessionBench.fixture()
        let source = try ScriptedSource(bytes, isComplete: false)
        let bench = try SessionBench(source)
        var end: Int64 = 0
        var heard: Int64 = 0
        while end < bytes.count {
            let offset = bench.log.wait {
                if case .waitingForBytes(let offset) = $0, offset >= end { offset } else { nil }
            }
            expectEqual(offset, end)
            end = min(Int64(bytes.count), end + 12_000)
            source.change { $0.available = [0..<end] }
            // Read nearly all of it: with seconds still in the ring a decoder waits for more than a few bytes.
            let runs = try bench.read { _ in bench.pcm.bufferedSeconds < 0.5 }
            for run in runs {
                expectEqual(run.start, heard)
                heard = run.end
            }
        }
        for run in try bench.read() {
            expectEqual(run.start, heard)
            heard = run.end
        }
        expectEqual(heard, 264_600)
        expectContains(bench.log.all, .decoding)
        expectContains(source.wanted, 12_000)
        bench.stop()
    }

    @Test func aSourceWithoutLengthEndsWhenItIsComplete() throws {
        let bytes = try SessionBench.fixture()
        let source = try ScriptedSource(bytes, isComplete: false)
        source.change { $0.length = nil }
        let bench = try SessionBench(source)
        source.waitUntilAsked()
        source.change { $0.available = [0..<Int64(bytes.count)] }
        source.change { $0.phase = .complete }
        try expectEqual(bench.read(), [.init(start: 0, end: 264_600, format: stereo)])
        bench.stop()
    }

    @Test func aSourceThatFailsIsTheSessionsFailure() throws {
        let source = try ScriptedSource(SessionBench.fixture(), isComplete: false)
        let bench = try SessionBench(source)
        source.waitUntilAsked()
        source.change { $0.phase = .failed(MediaFailure(.network, "the host is gone")) }
        expectEqual(bench.log.waitForFailure(), MediaFailure(.network, "the host is gone"))
        bench.session.waitUntilGone()
    }

    @Test func aWebPageIsNotAudio() throws {
        let bench = try SessionBench(ScriptedSource(Array("<!doctype html><title>404</title>".utf8)))
        expectEqual(bench.log.waitForFailure(), MediaFailure(.notAudio, "cannot play a web page"))
        bench.session.waitUntilGone()
    }

    @Test func anEmptyFileIsNotAudio() throws {
        let bench = try SessionBench(ScriptedSource([]))
        expectEqual(bench.log.waitForFailure().kind, .notAudio)
        bench.session.waitUntilGone()
    }

    @Test func aMissingProgramIsReported() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: "/nowhere/podcast-decode")
        let failure = bench.log.waitForFailure()
        #expect(failure.kind == .decoder && failure.message.contains("/nowhere/podcast-decode"), "\(failure)")
        bench.session.waitUntilGone()
    }

    @Test func noProcessAndNoDescriptorIsLeft() throws {
        let program = try NamedProgram(copying: SessionBench.decoder())
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try descriptors()
        for _ in 0..<20 {
            let bench = try SessionBench(ScriptedSource(SessionBench.fixture()), executable: program.path)
            _ = try bench.read { $0.end > 1000 }
            bench.stop()
            #expect(program.processes.isEmpty)
        }
        // A session has eight descriptors; other tests open some at the same time, and close them.
        let end = Instant.now + .seconds(60)
        while try descriptors() >= before + 100, .now < end {
            waitForDescriptors(readable: -1, until: .now + .milliseconds(100))
        }
        #expect(try descriptors() < before + 100)
    }

    @Test func aStopBeforeAnythingHappenedIsClean() throws {
        let bench = try SessionBench(ScriptedSource(SessionBench.fixture()))
        bench.stop()
    }
}

/// Files whose sound is fine and whose tags and headers announce times that no file has.
@Suite(.ownThread) struct AbsurdHeaderTests {
    private static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func tag(chapterAt start: UInt32, to end: UInt32) -> [UInt8] {
        let body = Array("c\0".utf8) + number(start) + number(end) + number(.max) + number(.max)
        let frame = Array("CHAP".utf8) + number(UInt32(body.count)) + [0, 0] + body
        return Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    /// An MPEG frame of 128 kbit/s, 44.1 kHz, without sound.
    private static func header(_ contents: [UInt8], at place: Int) -> [UInt8] {
        let start = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: place) + contents
        return start + [UInt8](repeating: 0, count: 417 - start.count)
    }

    private static func xing(frames: UInt32) -> [UInt8] {
        header(Array("Xing".utf8) + number(3) + number(frames) + number(.max), at: 32)
    }

    private static func vbri(frames: UInt32) -> [UInt8] {
        let unused: [UInt8] = [0, 1, 0, 0, 0, 0]
        return header(
            Array("VBRI".utf8) + unused + number(.max) + number(frames) + [UInt8](repeating: 0xFF, count: 8), at: 32)
    }

    private static let hour: UInt32 = 3_600_000
    private static let beginnings: [String: [UInt8]] = [
        "a chapter that ends at the highest time": tag(chapterAt: 0, to: .max),
        "a chapter that begins at the highest time": tag(chapterAt: .max, to: .max),
        "a chapter that begins after 1001 hours": tag(chapterAt: 1001 * hour, to: 1002 * hour),
        "a chapter that ends after 1001 hours": tag(chapterAt: 0, to: 1001 * hour),
        "a chapter that ends before it begins": tag(chapterAt: .max, to: 0),
        "a Xing header of 1000 hours": xing(frames: 137_812_501),
        "a Xing header of the most frames": xing(frames: .max),
        "a VBRI header of 1000 hours": vbri(frames: 137_812_501),
        "a VBRI header of the most frames": vbri(frames: .max),
    ]

    @Test(arguments: beginnings.keys.sorted()) func aFileWithAbsurdTimesPlaysToItsEnd(_ name: String) throws {
        let beginning = try #require(Self.beginnings[name])
        let bench = try SessionBench(ScriptedSource(beginning + SessionBench.fixtureWithoutInfo()))
        let runs = try bench.read()
        expectEqual(runs.count, 1)
        #expect((runs.last?.end ?? 0) > 44_100)
        let ended = bench.log.wait { if case .reachedEnd(1, let duration) = $0 { [duration] } else { nil } }
        let duration = try #require(ended.first)
        #expect(duration.map { $0 < MediaTime(milliseconds: 60_000) } ?? true)
        bench.stop()
    }
}
