import DecoderProtocol
import DecoderSandbox
import Glibc
import MediaPorts
import PodcastModel

/// Decodes a text such as `60 s, crash at 30 s` to that much silence, and has the fault there.
final class FaultyDecoder: Decoder {
    private enum Fault: String {
        case crash
        case trap
        case socket
        case open
        case loop

        func happen() {
            switch self {
            case .crash: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            case .trap: fatalError("a planted fault")
            case .socket: ForbiddenAct.socket.attempt()
            case .open: ForbiddenAct.open.attempt()
            case .loop: while true {}
            }
        }
    }

    private static let format = PCMFormat(rate: 8000, channels: 1, type: .int16)
    private static let framesPerBlock: Int64 = 800
    private var fault = Fault.crash
    private var spot: Int64 = 0
    private var end: Int64 = 0
    private var position: Int64 = 0
    private(set) var info: StreamInfo?

    func open(_ input: any DecoderInput) throws(DecoderError) -> StreamInfo {
        var bytes = [UInt8](repeating: 0, count: 100)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(DecoderError) in try input.read(into: buffer, at: 0) }
        }
        let words = String(decoding: bytes.prefix(try result.get()), as: UTF8.self).split(separator: " ")
        guard words.count >= 5, let seconds = Int64(words[0]), let fault = Fault(rawValue: String(words[2])),
            let spot = Int64(words[4])
        else { throw .notAudio(looksLike: nil) }
        (self.fault, self.spot, end) = (fault, spot * 8000, seconds * 8000)
        let info = StreamInfo(container: "text", codec: "silence", format: Self.format)
        self.info = info
        return info
    }

    func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        let frames = min(Self.framesPerBlock, end - position)
        guard frames > 0 else { return .ended }
        if (position..<position + frames).contains(spot) { fault.happen() }
        output[..<(Int(frames) * 2)].initializeMemory(as: UInt8.self, repeating: 0)
        defer { position += frames }
        return .produced(bytes: Int(frames) * 2, frame: position)
    }

    func seek(to time: MediaTime) throws(DecoderError) -> Int64 {
        position = time.frames(rate: 8000)
        return position
    }
}

exit(DecoderProgram.run(CommandLine.arguments, .mpeg, sample: []) { FaultyDecoder() })
