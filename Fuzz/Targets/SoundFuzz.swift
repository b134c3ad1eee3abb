import DecoderSandbox
import MediaPorts
import PodcastModel

/// The processing of sound: any parameters, formats and samples, with gaps between them, seeks and changes of the parameters.
enum SoundFuzz {
    private static let rates = [8000, 44_100, 48_000, 192_000]

    static func run(_ input: FuzzInput) {
        var input = input
        let choice = input.number(UInt8.self)
        let type = SampleType(rawValue: UInt32(choice >> 5) % 3 + 1) ?? .float32
        let format = PCMFormat(rate: rates[Int(choice >> 3 & 3)], channels: Int(choice & 7) + 1, type: type)
        guard var chain = SoundChain(parameters(&input), format) else { return }
        var frame = Int64(input.number(UInt16.self))
        var end: Int64 = 0
        for _ in 0..<16 where !input.isEmpty {
            switch input.number(UInt8.self) % 16 {
            case 0:
                chain.restart()
                end = 0
            case 1:
                guard let next = SoundChain(parameters(&input), format, after: chain) else { return }
                chain = next
                end = 0
            case 2:
                chain.finish()
                drain(chain, &end)
                end = 0
            case 3: frame += Int64(input.number(UInt16.self))
            default:
                let bytes = fill(chain.room, input.take(Int(input.number(UInt8.self)) + 1), format)
                chain.process(bytes: bytes, frame: frame)
                frame += Int64(bytes / format.frameSize)
                drain(chain, &end)
            }
        }
        chain.finish()
        drain(chain, &end)
    }

    private static func parameters(_ input: inout FuzzInput) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        let choice = input.number(UInt8.self)
        if choice & 1 != 0 { parameters.speed = PlaybackSpeed(hundredths: Int(input.number(UInt16.self) % 500)) }
        if choice & 2 != 0 {
            parameters.silence = SilenceShortening(
                threshold: -Int(input.number(UInt8.self) % 80), shortest: Int(input.number(UInt16.self) % 6000),
                kept: Int(input.number(UInt16.self) % 6000))
        }
        if choice & 4 != 0 { parameters.loudness = -10 - Int(input.number(UInt8.self) % 21) }
        if choice & 8 != 0 {
            parameters.measuredLoudness =
                PlaybackParameters.measurableLoudnesses.lowerBound + Int(input.number(UInt16.self) % 12_001)
        }
        parameters.hasVoiceBoost = choice & 16 != 0
        parameters.isMono = choice & 32 != 0
        parameters.measuresLoudness = choice & 0xC0 == 0xC0
        return parameters
    }

    /// Repeats the bytes until there are whole frames enough for several steps of the processors.
    private static func fill(
        _ room: UnsafeMutableRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ format: PCMFormat
    ) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let count = min(room.count, 4096 * format.frameSize) / format.frameSize * format.frameSize
        for index in 0..<count { room[index] = bytes[index % bytes.count] }
        return count
    }

    /// Times never run back between seeks.
    private static func drain(_ chain: SoundChain, _ end: inout Int64) {
        var room = [UInt8](repeating: 0, count: 65_536)
        while let chunk = room.withUnsafeMutableBytes({ chain.take(into: $0) }) {
            require(chunk.bytes > 0 && chunk.bytes <= room.count, "\(chunk.bytes) bytes")
            require(chunk.bytes % chain.format.frameSize == 0, "a frame is cut")
            require(chunk.media.lowerBound >= end, "\(chunk.media) after \(end)")
            end = chunk.media.upperBound
            guard chain.format.type == .float32 else { continue }
            room.withUnsafeBytes { bytes in
                let samples = bytes.prefix(chunk.bytes).withMemoryRebound(to: Float.self) { Array($0) }
                require(samples.allSatisfy { $0.isFinite && abs($0) <= 16 }, "a sample that is not sound")
            }
        }
        require(!chain.hasFrames, "frames are left")
    }
}
