import Foundation
import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import AudioOutput

@Suite(.timeLimit(.minutes(10))) struct StreamSinkTests {
    let mono = PCMFormat(rate: 8000, channels: 1, type: .int16)
    let clock: VirtualClock
    let folder: TemporaryFolder

    init() throws {
        clock = try VirtualClock(isAutomatic: true)
        folder = try TemporaryFolder()
    }

    private func sink(_ text: String, isPaced: Bool = false) throws -> any Sink {
        try SinkFactory(isPaced: isPaced, clock: clock).makeSink(OutputSpecification(parsing: text))
    }

    private func frames(_ values: Range<Int>) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: Int16(truncatingIfNeeded: value)) { Array($0) } }
    }

    // MARK: WAV

    @Test func aWAVFileHasCorrectSizesAndTheSamples() throws {
        let sink = try sink("wav:\(folder.file("x.wav"))")
        let format = try sink.open(PCMFormat(rate: 44_100, channels: 2, type: .int16))
        expectEqual(format, PCMFormat(rate: 44_100, channels: 2, type: .int16))
        try write(frames(0..<2000), to: sink)
        try sink.drain()
        sink.close()
        let bytes = try folder.bytes("x.wav")
        expectEqual(bytes.count, 80 + 4000)
        expectEqual(bytes.text(at: 0, 4), "RIFF")
        expectEqual(bytes.number(at: 4, as: UInt32.self), UInt32(bytes.count - 8))
        expectEqual(bytes.text(at: 8, 8), "WAVEJUNK")
        expectEqual(bytes.text(at: 48, 4), "fmt ")
        expectEqual(bytes.number(at: 56, as: UInt16.self), 1)
        expectEqual(bytes.number(at: 58, as: UInt16.self), 2)
        expectEqual(bytes.number(at: 60, as: UInt32.self), 44_100)
        expectEqual(bytes.number(at: 64, as: UInt32.self), 176_400)
        expectEqual(bytes.number(at: 68, as: UInt16.self), 4)
        expectEqual(bytes.number(at: 70, as: UInt16.self), 16)
        expectEqual(bytes.text(at: 72, 4), "data")
        expectEqual(bytes.number(at: 76, as: UInt32.self), 4000)
        let isWhole = Array(bytes[80...]) == frames(0..<2000)
        #expect(isWhole)
    }

    @Test func aWAVFileIsReadableWhileItIsWritten() throws {
        let sink = try sink("wav:\(folder.file("x.wav"))")
        _ = try sink.open(mono)
        try write(frames(0..<8000), to: sink)
        try write(frames(8000..<12_000), to: sink)
        let bytes = try folder.bytes("x.wav")
        expectEqual(bytes.number(at: 76, as: UInt32.self), 16_000)
        expectEqual(bytes.count, 80 + 24_000)
        sink.close()
    }

    @Test func aWAVFileKeepsItsFirstFormat() throws {
        let sink = try sink("wav:\(folder.file("x.wav"))")
        try expectEqual(sink.open(mono), mono)
        try write(frames(0..<100), to: sink)
        try sink.drain()
        try expectEqual(sink.open(PCMFormat(rate: 48_000, channels: 2, type: .float32)), mono)
        sink.close()
    }

    @Test func aReopenedWAVFileContinuesAtItsEnd() throws {
        let sink = try sink("wav:\(folder.file("x.wav"))")
        _ = try sink.open(mono)
        try write(frames(0..<100), to: sink)
        sink.close()
        _ = try sink.open(mono)
        try write(frames(100..<200), to: sink)
        sink.close()
        let bytes = try folder.bytes("x.wav")
        expectEqual(Array(bytes[80...]), frames(0..<200))
        expectEqual(bytes.number(at: 76, as: UInt32.self), 400)
    }

    @Test func unplayedFramesAreRemovedFromAPacedFile() throws {
        let manual = try VirtualClock()
        let sink = try SinkFactory(clock: manual).makeSink(OutputSpecification(parsing: "wav:\(folder.file("x.wav"))"))
        _ = try sink.open(mono)
        try write(frames(0..<8000), to: sink)
        expectEqual(sink.latency, 8000)
        manual.jump(seconds: 0.25)
        expectEqual(sink.latency, 6000)
        sink.drop()
        expectEqual(sink.latency, 0)
        try write(frames(20_000..<20_010), to: sink)
        manual.jump(seconds: 1)
        sink.close()
        try expectEqual(Array(folder.bytes("x.wav")[80...]), frames(0..<2000) + frames(20_000..<20_010))
    }

    @Test func aWAVFileOfAnotherTypeIsReported() throws {
        let sink = try sink("wav:\(folder.file("x.wav"))?format=f32&rate=16000&channels=2")
        try expectEqual(sink.open(mono), PCMFormat(rate: 16_000, channels: 2, type: .float32))
        sink.close()
        let bytes = try folder.bytes("x.wav")
        expectEqual(bytes.number(at: 56, as: UInt16.self), 3)
        expectEqual(bytes.number(at: 70, as: UInt16.self), 32)
    }

    @Test func aFolderThatIsMissingIsNamed() throws {
        let sink = try sink("wav:\(folder.file("none/x.wav"))")
        let error = #expect(throws: SinkError.self) { try sink.open(mono) }
        expectEqual(error?.isTemporary, false)
        expectEqual(error?.message.contains("directory does not exist"), true)
    }

    @Test func aFullDiskIsTemporary() throws {
        let sink = try sink("raw:/dev/full")
        _ = try sink.open(mono)
        let error = #expect(throws: SinkError.self) { try write(frames(0..<100), to: sink) }
        expectEqual(error?.isTemporary, true)
    }

    // MARK: Pace

    @Test func theNullSinkConsumesInRealTime() throws {
        let sink = try sink("null", isPaced: true)
        let start = clock.now
        try expectEqual(sink.open(mono), mono)
        for _ in 0..<20 { try write(frames(0..<4000), to: sink) }
        expectEqual(clock.now - start, .milliseconds(8200))
        try sink.drain()
        expectEqual(clock.now - start, .seconds(10))
    }

    @Test func theUnpacedNullSinkNeverWaits() throws {
        let sink = try sink("null")
        let start = clock.now
        _ = try sink.open(mono)
        for _ in 0..<100 { try write(frames(0..<4000), to: sink) }
        try sink.drain()
        expectEqual(clock.now, start)
        expectEqual(sink.latency, 0)
    }

    @Test func anInterruptEndsAWaitingWrite() throws {
        let sink = try SinkFactory(clock: VirtualClock()).makeSink(OutputSpecification(.null))
        _ = try sink.open(mono)
        try write(frames(0..<8000), to: sink)
        sink.interrupt()
        let bytes = frames(0..<8000)
        try expectEqual(bytes.withUnsafeBytes { bytes throws(SinkError) in try sink.write(bytes) }, 0)
    }

    // MARK: FIFO

    @Test func readersCanOpenAFIFOBeforeTheFirstSound() throws {
        let path = folder.file("f")
        let sink = try sink("fifo:\(path)")
        #expect(try FileStatus(path: path).isPipe)
        sink.close()
    }

    @Test func aFIFOWithoutAReaderPlaysInRealTimeAndANewReaderHearsThisMoment() throws {
        let path = folder.file("f")
        let sink = try sink("fifo:\(path)", isPaced: true)
        _ = try sink.open(mono)
        let start = clock.now
        for second in 0..<10 { try write(frames(second * 3000..<second * 3000 + 3000), to: sink) }
        // 3.75 s of sound, of which at most half a second was not heard yet.
        #expect(clock.now - start > .seconds(3.2))
        #expect(sink.latency <= 4000)
        let bytes = try readAll(path)
        #expect(bytes.count <= 8000)
        let isLatest = frames(0..<30_000).suffix(bytes.count) == bytes[...]
        #expect(isLatest)
        sink.close()
    }

    @Test func aFIFOsReaderGetsTheFramesAndMayEndAndComeBack() throws {
        let path = folder.file("f")
        let sink = try sink("fifo:\(path)", isPaced: true)
        _ = try sink.open(mono)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        try write(frames(0..<1000), to: sink)
        expectEqual(sink.latency, 1000)
        // The first reader ends inside a frame.
        var bytes = [UInt8](repeating: 0, count: 1001)
        expectEqual(read(reader, &bytes, bytes.count), 1001)
        expectEqual(bytes, Array(frames(0..<1000).prefix(1001)))
        close(reader)
        clock.jump(seconds: 1)
        // What it left waits for the next reader for a second.
        expectEqual(sink.latency, 499)
        clock.jump(seconds: 1.5)
        expectEqual(sink.latency, 0)
        try write(frames(5000..<6000), to: sink)
        try write(frames(6000..<7000), to: sink)
        try expectEqual(readAll(path), frames(6000..<7000))
        try write(frames(7000..<8000), to: sink)
        try write(frames(8000..<9000), to: sink)
        try expectEqual(readAll(path), frames(7000..<9000))
        sink.close()
    }

    @Test func aFIFOThatAnotherOneReplacesIsATemporaryFailure() throws {
        let path = folder.file("f")
        let sink = try sink("fifo:\(path)", isPaced: true)
        _ = try sink.open(mono)
        unlink(path)
        expectEqual(mkfifo(path, 0o600), 0)
        let error = #expect(throws: SinkError.self) {
            for _ in 0..<10 { try write(frames(0..<8000), to: sink) }
        }
        expectEqual(error?.isTemporary, true)
        sink.close()
    }

    /// What is in a pipe.
    private func readAll(_ path: String) throws -> [UInt8] {
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    @Test func aDroppedFIFODiscardsUnreadBytesAndKeepsFramesWhole() throws {
        let path = folder.file("f")
        expectEqual(mkfifo(path, 0o600), 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let sink = try sink("fifo:\(path)", isPaced: true)
        _ = try sink.open(mono)
        try write(frames(0..<1000), to: sink)
        var bytes = [UInt8](repeating: 0, count: 8000)
        // The reader stops inside the sixth frame.
        expectEqual(read(reader, &bytes, 11), 11)
        sink.drop()
        try write(frames(5000..<5100), to: sink)
        expectEqual(read(reader, &bytes[11], 8000 - 11), 201)
        expectEqual(Array(bytes[..<212]), frames(0..<6) + frames(5000..<5100))
    }

    @Test func aFullFIFOWaitsUntilItIsInterrupted() throws {
        let path = folder.file("f")
        expectEqual(mkfifo(path, 0o600), 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let sink = try SinkFactory(isPaced: false).makeSink(OutputSpecification(.fifo, path))
        _ = try sink.open(mono)
        let bytes = frames(0..<30_000)
        sink.interrupt()
        var taken = 1
        while taken > 0 { taken = try bytes.withUnsafeBytes { bytes throws(SinkError) in try sink.write(bytes) } }
        var read = [UInt8](repeating: 0, count: 60_000)
        let count = Glibc.read(reader, &read, read.count)
        #expect(count > 0)
        let isWhole = read.prefix(count) == bytes.prefix(count)
        #expect(isWhole)
    }

    @Test func aFileThatIsNotAFIFOIsRefused() throws {
        let path = folder.file("f")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        let sink = try sink("fifo:\(path)")
        let error = #expect(throws: SinkError.self) { try sink.open(mono) }
        expectEqual(error?.isTemporary, false)
        try expectEqual(folder.bytes("f"), [1, 2, 3])
    }

    // MARK: Raw

    @Test func aRawFileContainsOnlySamples() throws {
        let sink = try sink("raw:\(folder.file("x"))?format=s32")
        try expectEqual(sink.open(mono), PCMFormat(rate: 8000, channels: 1, type: .int32))
        try write([1, 2, 3, 4, 5, 6, 7, 8], to: sink)
        sink.close()
        try expectEqual(folder.bytes("x"), [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func aRawPipeWithoutAReaderIsAnErrorAndNotASignal() throws {
        let path = folder.file("f")
        expectEqual(mkfifo(path, 0o600), 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let sink = try sink("raw:\(path)")
        _ = try sink.open(mono)
        close(reader)
        let error = #expect(throws: SinkError.self) { while true { try write(frames(0..<10), to: sink) } }
        expectEqual(error?.isTemporary, false)
        expectEqual(error?.message.contains("closed it"), true)
    }

    // MARK: Pipe

    /// The sink of a command that has a minute to start and to end.
    private func patientSink(_ text: String) throws -> any Sink {
        var factory = SinkFactory(isPaced: false, clock: clock)
        factory.commandTimeouts = CommandStream.Timeouts(end: .seconds(60), terminate: .seconds(60))
        return try factory.makeSink(OutputSpecification(parsing: text))
    }

    @Test func aCommandReadsTheFrames() throws {
        let sink = try patientSink("pipe:cat > \(folder.file("x"))")
        _ = try sink.open(mono)
        try write(frames(0..<50_000), to: sink)
        try sink.drain()
        sink.close()
        let isWhole = try folder.bytes("x") == frames(0..<50_000)
        #expect(isWhole)
    }

    @Test func aCommandThatEndsIsATemporaryFailure() throws {
        let sink = try patientSink("pipe:exit 3")
        _ = try sink.open(mono)
        let error = #expect(throws: SinkError.self) {
            while true { try write(frames(0..<1000), to: sink) }
        }
        expectEqual(error, SinkError("the command \"exit 3\" ended with status 3", isTemporary: true))
        sink.close()
    }

    @Test func aMissingCommandIsAPermanentFailure() throws {
        let sink = try patientSink("pipe:no-such-command-anywhere 2>&-")
        _ = try sink.open(mono)
        let error = #expect(throws: SinkError.self) {
            while true { try write(frames(0..<1000), to: sink) }
        }
        expectEqual(error?.isTemporary, false)
        sink.close()
    }

    @Test func aCommandThatDoesNotExitIsKilled() throws {
        expectEqual(mkfifo(folder.file("pid"), 0o600), 0)
        let sink = try sink("pipe:echo $$ > \(folder.file("pid")); cat > /dev/null; exec sleep 1000")
        _ = try sink.open(mono)
        try write(frames(0..<1000), to: sink)
        // Opening and reading wait until the command has begun.
        let line = try FileDescriptor.openForReading(folder.file("pid")).readSome(upTo: 100)
        let pid = try #require(Int32(String(decoding: line, as: UTF8.self).dropLast()))
        sink.close()
        expectEqual(kill(pid, 0), -1)
    }
}
