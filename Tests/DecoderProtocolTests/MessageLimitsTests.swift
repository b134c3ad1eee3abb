import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import DecoderProtocol

/// What a decoder may find in a file, at and beyond the limits of the messages: every member of every message in turn.
@Suite struct MessageLimitsTests {
    private static let format = PCMFormat(rate: 44_100, channels: 2, type: .float32)
    private static let numbers: [Int64] = [.min, -2, -1, 0, 1, 1 << 32, 1 << 32 + 1, 1 << 48, .max - 1, .max]
    private static let times: [MediaTime] =
        numbers.map(MediaTime.init(nanoseconds:)) + [
            MediaTime(milliseconds: 3_600_000_000), MediaTime(nanoseconds: 3_600_000_000_000_001),
            MediaTime(milliseconds: Int64(UInt32.max)),
        ]
    private static let texts = [
        "", " ", "\u{0}", "a\u{1B}[31mb", "\u{202E}", String(repeating: "x", count: 2048),
        String(repeating: "x", count: 2047) + "é", String(repeating: "x", count: 2046) + " é",
        String(repeating: "👩‍👩‍👧", count: 400), String(repeating: "\u{301}", count: 3000),
    ]
    private static let formats = [
        PCMFormat(rate: 1000, channels: 1, type: .int16), PCMFormat(rate: 384_000, channels: 8, type: .int32),
        PCMFormat(rate: 999, channels: 2, type: .int16), PCMFormat(rate: 384_001, channels: 2, type: .int16),
        PCMFormat(rate: .max, channels: 2, type: .int16), PCMFormat(rate: -1, channels: 2, type: .int16),
        PCMFormat(rate: 44_100, channels: 0, type: .int16), PCMFormat(rate: 44_100, channels: 9, type: .float32),
    ]

    private static func info(_ change: (inout StreamInfo) -> Void) -> DecoderMessage {
        var info = StreamInfo(container: "mp3", codec: "mp3", format: format)
        info.isExact = true
        change(&info)
        return .opened(info)
    }

    private static var streams: [DecoderMessage] {
        var streams = formats.map { format in info { $0.format = format } }
        streams += times.map { time in info { $0.duration = time } }
        streams += numbers.map { number in info { $0.bitRate = Int(number) } }
        for first in numbers {
            streams += numbers.map { second in
                info { $0.art = EmbeddedArt(mime: "image/png", offset: first, length: second) }
            }
        }
        for first in times {
            streams += times.map { second in
                info { $0.chapters = [Chapter(start: first, end: second), Chapter(start: first)] }
            }
        }
        for text in texts {
            streams += [
                info { $0.container = text }, info { $0.codec = text }, info { $0.tags = [text: text, "b": text] },
                info { $0.art = EmbeddedArt(mime: text, offset: 0, length: 1) },
                info { $0.chapters = [Chapter(start: .zero, title: text, link: text, image: text)] },
            ]
        }
        return streams
    }

    private static var messages: [DecoderMessage] {
        var messages = streams + [.proceeding(generation: 0), .notAudio(looksLike: nil)]
        messages += numbers.map { .wanting(generation: .max, offset: $0) }
        for time in times {
            messages += [.positioned(generation: .max, at: time), .ended(generation: 0, duration: time)]
        }
        for text in texts { messages += [.notAudio(looksLike: text), .failed(text)] }
        return messages
    }

    private func sent(_ message: DecoderMessage) throws -> DecoderMessage {
        try message.encoded.withUnsafeBytes { try DecoderMessage($0) }
    }

    @Test func everyMessageArrivesWithinTheLimits() throws {
        for message in Self.messages {
            #expect(message.encoded.count <= DecoderMessage.maximumLength)
            let received = try sent(message)
            try expectEqual(sent(received), received, "\(message)")
            expectEqual(received.withinLimits, received, "\(message)")
        }
    }

    @Test func everyTimeArrivesAtADecoder() throws {
        for time in Self.times {
            let message = HostMessage.seek(to: time, generation: .max)
            try expectEqual(message.encoded.withUnsafeBytes { try HostMessage($0) }, message)
        }
    }

    @Test func anImpossibleDurationIsUnknownAndNotExact() throws {
        let message = Self.info { $0.duration = MediaTime(nanoseconds: 3_600_000_000_000_001) }
        try expectEqual(sent(message), Self.info { $0.isExact = false })
    }

    @Test func anImpossibleChapterIsLeftOutAndTheOthersStay() throws {
        let within = Chapter(start: .zero, title: "Intro")
        let message = Self.info {
            $0.chapters = [
                Chapter(start: .zero, end: MediaTime(milliseconds: 1001 * 3_600_000), title: "Intro"),
                Chapter(start: MediaTime(milliseconds: 1001 * 3_600_000), title: "Outro"),
            ]
        }
        try expectEqual(sent(message), Self.info { $0.chapters = [within] })
    }

    @Test func audioInAFormatThatIsNotSupportedIsAFailure() throws {
        let message = Self.info { $0.format = PCMFormat(rate: 500_000, channels: 2, type: .int16) }
        try expectEqual(sent(message), .failed("audio of 500000 Hz with 2 channels is not supported"))
    }

    @Test(arguments: [.min, -1, 1 << 48, .max - 5] as [Int64])
    func framesAtAnImpossiblePlaceAreHeard(_ place: Int64) throws {
        let memory = try RingLayout.makeMemory(capacity: 4 * RingLayout.maximumChunk)
        let wakeUps = RingEvents(room: -1, readiness: -1, watch: -1)
        let writer = RingWriter(memory, wakeUps)
        let reader = RingReader(memory, wakeUps, generation: 1)
        writer.begin(generation: 1)
        writer.publish(
            64, format: Self.format, mediaStart: place, mediaEnd: place.addingReportingOverflow(8).partialValue)
        writer.publishEnd(format: Self.format, at: place)
        expectEqual(reader.nextChunk()?.byteCount, 64)
        var buffer = [UInt8](repeating: 0, count: 64)
        expectEqual(buffer.withUnsafeMutableBytes { reader.read(into: $0) }, 64)
        expectEqual(reader.nextChunk()?.kind, .end)
        #expect(!reader.isFaulted)
    }
}
