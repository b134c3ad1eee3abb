import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import DecoderProtocol

@Suite struct MessageTests {
    private static let info = {
        var info = StreamInfo(
            container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .float32))
        (info.duration, info.isExact, info.bitRate) = (MediaTime(milliseconds: 1_234_567), true, 128_000)
        info.tags = ["title": "Ein Titel", "comment": "über alles 🎙"]
        info.chapters = [
            Chapter(start: .zero, end: MediaTime(milliseconds: 5000), title: "One", link: "https://example.test/"),
            Chapter(start: MediaTime(milliseconds: 5000), isListed: false),
        ]
        info.art = EmbeddedArt(mime: "image/png", offset: 700, length: 80_000, isUnsynchronised: true)
        return info
    }()

    private static let messages: [DecoderMessage] = [
        .opened(info), .wanting(generation: 6, offset: 1 << 40), .proceeding(generation: 6),
        .positioned(generation: 7, at: MediaTime(milliseconds: 90_000)),
        .ended(generation: 8, duration: MediaTime(milliseconds: 1)), .notAudio(looksLike: nil),
        .notAudio(looksLike: "a web page"), .failed("out of words"),
    ]

    private func decode(_ bytes: [UInt8]) throws -> DecoderMessage {
        try bytes.withUnsafeBytes { try DecoderMessage($0) }
    }

    @Test(arguments: messages) func everyMessageArrivesAsItWasSent(_ message: DecoderMessage) throws {
        try expectEqual(decode(message.encoded), message)
    }

    /// As many as fit, with extreme values.
    private static var parameters: PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(hundredths: 400)
        parameters.silence = SilenceShortening(threshold: -70, shortest: 5000, kept: 4000)
        parameters.loudness = -30
        parameters.measuredLoudness = -3_105
        parameters.measuresLoudness = true
        (parameters.hasVoiceBoost, parameters.isMono) = (true, true)
        parameters.skips = (0..<PlaybackParameters.maximumSkips).map { index in
            let start = MediaTime(seconds: Double(index * 10))
            return
                start..<(index == PlaybackParameters.maximumSkips - 1 ? .distantFuture : start + MediaTime(seconds: 5))
        }
        return parameters
    }

    @Test(arguments: [
        HostMessage.seek(to: MediaTime(milliseconds: 77), generation: 3), .lookAgain,
        .seek(to: .zero, generation: 3, parameters),
    ])
    func everyMessageToADecoderArrivesAsItWasSent(_ message: HostMessage) throws {
        try expectEqual(message.encoded.withUnsafeBytes { try HostMessage($0) }, message)
        #expect(message.encoded.count <= HostMessage.maximumLength)
    }

    @Test(arguments: messages) func aCutOrPaddedMessageIsNone(_ message: DecoderMessage) {
        let bytes = message.encoded
        for count in 0..<bytes.count {
            #expect(throws: SystemError.self) { try decode(Array(bytes.prefix(count))) }
        }
        #expect(throws: SystemError.self) { try decode(bytes + [0]) }
    }

    @Test func randomBytesDoNotCrashTheParser() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            var bytes = Self.messages.randomElement(using: &random)?.encoded ?? []
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? decode(bytes)
        }
    }

    @Test func tagsThatDoNotFitAreLeftOut() throws {
        var info = Self.info
        info.tags = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("tag\($0)", String(repeating: "é", count: 4000)) })
        info.chapters = (0..<5000).map { Chapter(start: MediaTime(milliseconds: Int64($0)), title: "Chapter \($0)") }
        let bytes = DecoderMessage.opened(info).encoded
        #expect(bytes.count <= DecoderMessage.maximumLength)
        guard case .opened(let received) = try decode(bytes) else {
            Issue.record("another message")
            return
        }
        #expect(received.chapters.count > 500)
        #expect(received.tags.count > 5)
        #expect(received.tags.values.allSatisfy { $0.allSatisfy { $0 == "é" || $0 == "…" } })
    }

    @Test func controlCharactersAreRemovedFromTexts() throws {
        var info = Self.info
        info.tags = ["title": "\u{1B}]0;gotcha\u{7}\u{9B}31m  red\u{202E}dlrow\r\nnext"]
        guard case .opened(let received) = try decode(DecoderMessage.opened(info).encoded) else { return }
        expectEqual(received.tags["title"], "]0;gotcha31m reddlrow next")
    }
}

@Suite struct SourceTableTests {
    @Test func rangesAreFoundAndTheEndIsKnown() throws {
        let table = SourceTable(try RingLayout.makeMemory(capacity: 262_144))
        expectEqual(table.lookUp(0), .init(available: 0, endsThere: false, length: nil))
        table.write(ByteSourceSnapshot(length: 1000, available: [0..<100, 500..<1000], phase: .receiving), around: 0)
        expectEqual(table.lookUp(40), .init(available: 60, endsThere: false, length: 1000))
        expectEqual(table.lookUp(100), .init(available: 0, endsThere: false, length: 1000))
        expectEqual(table.lookUp(600), .init(available: 400, endsThere: true, length: 1000))
        expectEqual(table.lookUp(1000), .init(available: 0, endsThere: true, length: 1000))
    }

    @Test func aSourceOfUnknownLengthEndsWhenItIsComplete() throws {
        let table = SourceTable(try RingLayout.makeMemory(capacity: 262_144))
        table.write(ByteSourceSnapshot(available: [0..<100], phase: .receiving), around: 0)
        #expect(!table.lookUp(100).endsThere)
        table.write(ByteSourceSnapshot(available: [0..<100], phase: .complete), around: 0)
        expectEqual(table.lookUp(100), .init(available: 0, endsThere: true, length: 100))
    }

    @Test func ifThereAreTooManyRangesThoseAheadAreKept() throws {
        let table = SourceTable(try RingLayout.makeMemory(capacity: 262_144))
        let ranges = (0..<1000).map { Int64($0) * 10..<Int64($0) * 10 + 5 }
        table.write(ByteSourceSnapshot(length: 10_000, available: ranges), around: 5000)
        expectEqual(table.lookUp(5001).available, 4)
        expectEqual(table.lookUp(6001).available, 4)
    }
}
