@testable import MPEGDecoding
import TestSupport
import Testing

@Suite struct FrameReaderTests {
    /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz, mono, without a word of sound: a header and 413 zeros.
    private let silentFrame: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)

    private func feed(_ reader: MPEGFrameReader, _ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try reader.feed($0) }
    }

    @Test func framesAreFoundDecodedAndPlaced() throws {
        let reader = try MPEGFrameReader()
        try expectEqual(reader.next(), .needsBytes)
        try feed(reader, [1, 2, 3] + silentFrame + silentFrame + silentFrame)
        try expectEqual(reader.next(), .frameInNewFormat)
        expectEqual(reader.framePosition, 3)
        try expectEqual("\(reader.format())", "44100:1:float32")
        try expectEqual(reader.header().layer, 3)
        try expectEqual(reader.header().bitRate, 128_000)
        #expect(try !reader.header().isLowRate)
        expectEqual(reader.samplesPerFrame, 1152)
        var samples = [Float](repeating: 1, count: MPEGFrameReader.largestFrame / 4)
        try expectEqual(samples.withUnsafeMutableBytes { try reader.decode(into: $0) }, 1152 * 4)
        #expect(samples[..<1152].allSatisfy { $0 == 0 })
        expectEqual(samples[1152], 1)
        try expectEqual(reader.next(), .frame)
        expectEqual(reader.framePosition, 3 + 417)
    }

    @Test func afterReopeningNothingIsLeft() throws {
        let reader = try MPEGFrameReader()
        try feed(reader, silentFrame + silentFrame)
        try reader.reopen()
        try expectEqual(reader.next(), .needsBytes)
    }

    @Test func anOutputThatIsTooSmallIsRefused() throws {
        let reader = try MPEGFrameReader()
        try feed(reader, silentFrame + silentFrame)
        _ = try reader.next()
        var small = [Float](repeating: 0, count: 100)
        #expect(throws: MPEGAudioError.self) { try small.withUnsafeMutableBytes { try reader.decode(into: $0) } }
    }

    @Test func textOfEveryEncodingIsRead() {
        expectEqual(TagText.decode([0x43, 0xE9], encoding: 0), "Cé")
        expectEqual(TagText.decode([0xFF, 0xFE, 0x41, 0x04], encoding: 1), "\u{441}")
        expectEqual(TagText.decode([0x04, 0x11], encoding: 2), "Б")
        expectEqual(TagText.decode(Array("ж🎙".utf8)[...], encoding: 3), "ж🎙")
        expectEqual(TagText.decode([], encoding: 0), "")
        expectEqual(TagText.decode([65], encoding: 9), nil)
    }
}
