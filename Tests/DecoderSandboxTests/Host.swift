import DecoderProtocol
import Glibc
import MediaPorts
import PodcastModel
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
    private let room: EventDescriptor
    private let readiness: EventDescriptor
    private let source: MemoryFile

    /// A host that wants generation 1 and has a source without known bytes.
    init(bytes: [UInt8], framesPerByte: Int = 1) throws {
        memory = try RingLayout.makeMemory(capacity: 262_144)
        (room, readiness) = (try EventDescriptor(), try EventDescriptor())
        let source = try MemoryFile(name: "source", capacity: Int64(Self.sourceSize))
        self.source = source
        try bytes.withUnsafeBytes { try source.write($0, at: 0) }
        reader = RingReader(
            memory, RingEvents(room: room.raw, readiness: readiness.raw, watch: readiness.raw), generation: 1)
        decoder = ByteDecoder(framesPerByte: framesPerByte)
        let pair = try MessageSocket.pair()
        service = try DecodeService(
            decoder,
            DecoderDescriptors(
                socket: dup(pair.far.raw), memory: dup(memory.descriptor), room: room.raw, readiness: readiness.raw,
                source: try source.openForReading().release(), sourceMemory: -1))
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
    private var bytes: [UInt8] = []
    private var isLast = false
    private var hasFormat = false
    private var length: Int64?
    private var next: Int64 = 0
    private(set) var wantedOffset: Int64 = 0

    init(framesPerByte: Int) { self.framesPerByte = framesPerByte }

    var info: StreamInfo? {
        guard hasFormat else { return nil }
        let frames = length.map { $0 * Int64(framesPerByte) }
        return StreamInfo(
            container: "bytes", codec: "bytes", format: Self.format,
            duration: frames.map { MediaTime(frames: $0, rate: Self.format.rate) }, isExact: true)
    }

    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        self.bytes += bytes
        self.isLast = isLast
        wantedOffset += Int64(bytes.count)
    }

    func setLength(_ length: Int64) { self.length = length }

    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        guard let value = bytes.first else { return isLast ? .ended : .needsInput }
        if !hasFormat {
            hasFormat = true
            return .formatChanged(Self.format)
        }
        if value == 0 { throw .library("a zero") }
        bytes.removeFirst()
        output.bindMemory(to: Int16.self)[..<framesPerByte].update(repeating: Int16(value))
        defer { next += Int64(framesPerByte) }
        return .produced(bytes: 2 * framesPerByte, frame: next)
    }

    func seek(to time: MediaTime) -> Int64 {
        next = time.frames(rate: Self.format.rate)
        (wantedOffset, bytes, isLast) = (next / Int64(framesPerByte), [], false)
        return next
    }
}
