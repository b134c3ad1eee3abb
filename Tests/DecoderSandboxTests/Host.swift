@testable import DecoderProtocol
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls

@testable import DecoderSandbox

/// The host of a service in the same process.
final class Host {
    /// Bytes of the source's file; zeros follow the given ones.
    static let sourceSize = 4096

    let service: DecodeService
    let decoder: ByteDecoder
    let reader: RingReader
    private let memory: SharedMemory
    private let socket: MessageSocket
    /// The decoder's end of the socket.
    private let far: MessageSocket
    private let room: EventDescriptor
    private let readiness: EventDescriptor
    private let source: MemoryFile

    /// A host that wants generation 1 and has a source without known bytes.
    init(bytes: [UInt8], framesPerByte: Int = 1, version: UInt32 = RingLayout.version) throws {
        memory = try RingLayout.makeMemory(capacity: 262_144)
        memory.store32(0, version)
        (room, readiness) = (try EventDescriptor(), try EventDescriptor())
        let source = try MemoryFile(name: "source")
        self.source = source
        try bytes.withUnsafeBytes { try source.write($0, at: 0) }
        reader = RingReader(
            memory, RingEvents(room: room.raw, readiness: readiness.raw, watch: readiness.raw), generation: 1)
        decoder = ByteDecoder(framesPerByte: framesPerByte)
        let pair = try MessageSocket.pair()
        far = MessageSocket(owning: dup(pair.far.raw))
        service = try DecodeService(
            decoder,
            DecoderDescriptors(
                socket: dup(pair.far.raw), memory: dup(memory.descriptor), room: room.raw, readiness: readiness.raw,
                source: try source.openForReading().release(), index: -1))
        socket = pair.keepingNear()
        want(generation: 1)
    }

    func send(_ message: HostMessage) throws {
        _ = try message.encoded.withUnsafeBytes { try socket.send($0) }
    }

    /// The messages since the last call.
    func messages() throws -> [DecoderMessage] {
        var messages: [DecoderMessage] = []
        var buffer = [UInt8](repeating: 0, count: DecoderMessage.maximumLength)
        while let length = try buffer.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
            messages.append(try buffer[..<length].withUnsafeBytes { try DecoderMessage($0) })
        }
        return messages
    }

    func want(generation: UInt32) {
        RingMonitor(memory).setWantedGeneration(generation)
        reader.setWantedGeneration(generation)
    }

    func announce(_ range: Range<Int64>, length: Int64, isComplete: Bool = false) {
        SourceTable(memory).write(
            ByteSourceSnapshot(
                length: length, available: [range], phase: isComplete ? .complete : .receiving), around: 0)
    }

    /// Sends messages in the decoder's name until no other one has room, so that the decoder waits at its next message.
    func fillSocket() throws {
        let bytes = DecoderMessage.proceeding(generation: 1).encoded
        while try bytes.withUnsafeBytes({ try far.send($0) }) {}
    }

    /// Works on another thread.
    /// - Parameter meanwhile: called once the decoder has looked for the byte at `offset` and waits because the socket is full.
    /// - Returns: what the decoder waits for at last.
    func work(untilBlockedAt offset: Int64, meanwhile: () throws -> Void) throws -> RingWriter.WaitReason? {
        // Used by one thread at a time.
        nonisolated(unsafe) let service = service
        let worker = Mutex<String?>(nil)
        let result = Mutex<RingWriter.WaitReason?>(nil)
        let thread = try DedicatedThread(name: .test) {
            worker.withLock { $0 = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self") }
            let reason = try? service.work()
            result.withLock { $0 = reason }
        }
        while RingMonitor(memory).inputOffset != offset || !isAsleep(worker.withLock { $0 }) { sched_yield() }
        try meanwhile()
        thread.join()
        return result.withLock { $0 }
    }

    /// - Parameter thread: its folder below `/proc`.
    private func isAsleep(_ thread: String?) -> Bool {
        guard let thread, let stat = try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8) else {
            return false
        }
        return stat.split(separator: ")").last?.hasPrefix(" S") ?? false
    }

    func hangUp() { shutdown(socket.raw, Int32(SHUT_RDWR)) }

    /// All frames in the ring.
    func readFrames() -> [Int16] {
        var frames: [Int16] = []
        var buffer = [Int16](repeating: 0, count: 32_768)
        while let chunk = reader.nextChunk(), chunk.kind == .frames {
            let count = buffer.withUnsafeMutableBytes { reader.read(into: $0) }
            frames += buffer[..<(count / 2)]
        }
        return frames
    }
}

/// Decodes each byte of a file to the same number of frames with the value of the byte; a zero is an error.
final class ByteDecoder: Decoder {
    static let format = PCMFormat(rate: 44_100, channels: 1, type: .int16)

    private let framesPerByte: Int
    private var input: (any DecoderInput)?
    private var next: Int64 = 0

    init(framesPerByte: Int) { self.framesPerByte = framesPerByte }

    var info: StreamInfo? {
        guard let input else { return nil }
        var info = StreamInfo(container: "bytes", codec: "bytes", format: Self.format)
        info.duration = input.length.map { MediaTime(frames: $0 * Int64(framesPerByte), rate: Self.format.rate) }
        info.isExact = true
        return info
    }

    func open(_ input: any DecoderInput) throws(DecoderError) -> StreamInfo {
        _ = try byte(of: input, at: 0)
        self.input = input
        return info!
    }

    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        guard let input, let value = try byte(of: input, at: next / Int64(framesPerByte)) else { return .ended }
        if value == 0 { throw .library("a zero") }
        output.bindMemory(to: Int16.self)[..<framesPerByte].update(repeating: Int16(value))
        defer { next += Int64(framesPerByte) }
        return .produced(bytes: 2 * framesPerByte, frame: next)
    }

    private func byte(of input: any DecoderInput, at offset: Int64) throws(DecoderError) -> UInt8? {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        return try input.read(into: room, at: offset) == 0 ? nil : room[0]
    }

    func seek(to time: MediaTime) -> Int64 {
        next = time.frames(rate: Self.format.rate)
        return next
    }
}
