import DecoderProtocol
import MediaPorts
import PodcastModel
import SystemCalls

/// A decoder's messages there and back: values that a decoder may find in a file, and bytes that a broken one sends.
enum RoundTripFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        switch input.number(UInt8.self) % 3 {
        case 0: check(message(&input))
        case 1: check(hostMessage(&input))
        default: checkBytes(input.rest)
        }
    }

    /// What is sent arrives, but for what the limits leave out.
    private static func check(_ message: DecoderMessage) {
        let bytes = message.encoded
        require(bytes.count <= DecoderMessage.maximumLength, "\(bytes.count) bytes")
        guard let arrived = decoded(bytes) else { return require(false, "\(message) is refused") }
        require(decoded(arrived.encoded) == arrived, "\(arrived) does not arrive again")
    }

    private static func check(_ message: HostMessage) {
        let bytes = message.encoded
        require(bytes.count <= HostMessage.maximumLength, "\(bytes.count) bytes")
        let arrived = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try HostMessage(bytes) }
        }
        require(arrived == .success(message), "\(message) arrived as \(arrived)")
    }

    /// What is taken of any bytes is within the limits, and is the same when it is sent once more.
    private static func checkBytes(_ bytes: UnsafeRawBufferPointer) {
        guard let first = decoded(Array(bytes)) else { return }
        require(decoded(first.encoded) == first, "\(first) does not arrive again")
    }

    private static func decoded(_ bytes: [UInt8]) -> DecoderMessage? {
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) { return try DecoderMessage(bytes) } catch { return nil }
        }
    }

    // MARK: Values

    private static func message(_ input: inout FuzzInput) -> DecoderMessage {
        switch input.number(UInt8.self) % 7 {
        case 0: .opened(stream(&input))
        case 1: .wanting(generation: input.number(UInt32.self), offset: value(&input))
        case 2: .proceeding(generation: input.number(UInt32.self))
        case 3: .positioned(generation: input.number(UInt32.self), at: time(&input))
        case 4: .ended(generation: input.number(UInt32.self), duration: optional(&input, time))
        case 5: .notAudio(looksLike: optional(&input, text))
        default: .failed(text(&input))
        }
    }

    private static func hostMessage(_ input: inout FuzzInput) -> HostMessage {
        switch input.number(UInt8.self) % 2 {
        case 0: .seek(to: time(&input), generation: input.number(UInt32.self))
        default: .lookAgain
        }
    }

    private static func stream(_ input: inout FuzzInput) -> StreamInfo {
        let type = SampleType.allCases[Int(input.number(UInt8.self)) % SampleType.allCases.count]
        let format = PCMFormat(rate: Int(value(&input)), channels: Int(input.number(UInt8.self) % 12), type: type)
        var info = StreamInfo(container: text(&input), codec: text(&input), format: format)
        info.duration = optional(&input, time)
        info.isExact = input.number(UInt8.self) & 1 == 1
        info.bitRate = Int(value(&input))
        info.art = optional(&input) { input in
            EmbeddedArt(
                mime: text(&input), offset: value(&input), length: value(&input),
                isUnsynchronised: input.number(UInt8.self) & 1 == 1)
        }
        for _ in 0..<input.number(UInt8.self) % 8 { info.tags[text(&input)] = text(&input) }
        // Often as many as do not fit.
        for _ in 0..<input.number(UInt8.self) {
            info.chapters.append(
                Chapter(
                    start: time(&input), end: optional(&input, time), title: optional(&input, text),
                    link: optional(&input, text), image: optional(&input, text),
                    isListed: input.number(UInt8.self) & 1 == 1))
        }
        return info
    }

    private static func optional<Value>(_ input: inout FuzzInput, _ make: (inout FuzzInput) -> Value) -> Value? {
        input.number(UInt8.self) & 1 == 1 ? make(&input) : nil
    }

    private static func time(_ input: inout FuzzInput) -> MediaTime { MediaTime(nanoseconds: value(&input)) }

    /// Any number, or one near a limit, which any number hardly ever is.
    private static func value(_ input: inout FuzzInput) -> Int64 {
        let choice = Int(input.number(UInt8.self))
        guard choice < 128 else { return Int64(bitPattern: input.number(UInt64.self)) }
        let limits = [
            .min, .max, 0, StreamInfo.times.upperBound.nanoseconds, Int64(StreamInfo.bitRates.upperBound),
            Int64(PCMFormat.rates.lowerBound), Int64(PCMFormat.rates.upperBound), 44_100,
        ]
        return limits[choice % limits.count] &+ Int64(choice / limits.count) &- 8
    }

    /// Text that may be longer than a message takes.
    private static func text(_ input: inout FuzzInput) -> String {
        let length = Int(input.number(UInt8.self))
        let piece = String(decoding: input.take(length % 64), as: UTF8.self)
        return length < 192 ? piece : String(repeating: piece, count: 64)
    }
}
