import AVDecoding
import Foundation
import PodcastModel
import Testing
import TestSupport

struct CoverPictureTests {
    private func file(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Width and height in a JPEG file: ISO/IEC 10918-1, B.2.2.
    private func size(_ jpeg: [UInt8]) throws -> [Int] {
        let frame = try #require(jpeg.indices.dropLast(8).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        return [7, 5].map { Int(jpeg[frame + $0]) << 8 | Int(jpeg[frame + $0 + 1]) }
    }

    @Test(arguments: ["opaque.png", "cover.jpg", "covered.mp3", "covered.flac"])
    func aCoverIsScaledAndKeepsItsProportions(name: String) throws {
        let jpeg = try CoverPicture(PictureForm(side: 20)).copy(of: try file(name))
        #expect(jpeg.starts(with: [0xFF, 0xD8]))
        try expectEqual(size(jpeg), [20, 10])
    }

    @Test func aSmallCoverIsNotEnlarged() throws {
        try expectEqual(size(CoverPicture(PictureForm(side: 1000)).copy(of: try file("cover.jpg"))), [80, 40])
    }

    /// Noise, which does not compress.
    @Test func aLargeCopyFitsIntoALineOfTheProtocol() throws {
        let side = 1200
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var bitmap = Array("BM".utf8) + number(54 + side * side * 3, 4) + number(0, 4) + number(54, 4)
        bitmap += number(40, 4) + number(side, 4) + number(side, 4) + number(1, 2) + number(24, 2) + number(0, 24)
        var state: UInt64 = 1
        bitmap += (0..<side * side * 3).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let jpeg = try CoverPicture(PictureForm(side: side)).copy(of: bitmap)
        #expect(jpeg.count <= PictureFormat.mostBytes)
        #expect(try size(jpeg)[0] >= side / 4)
    }

    @Test(arguments: ["opaque.png", "cover.jpg", "covered.mp3"])
    func aPixmapHasThreeBytesForEachPixel(name: String) throws {
        let pixmap = try CoverPicture(PictureForm(.ppm, side: 20)).copy(of: try file(name))
        let head = Array("P6\n20 10\n255\n".utf8)
        #expect(pixmap.starts(with: head))
        expectEqual(pixmap.count, head.count + 20 * 10 * 3)
    }

    @Test func aTransparentPixmapStandsOnWhite() throws {
        let pixmap = try CoverPicture(PictureForm(.ppm, side: 16)).copy(of: try file("clear.png"))
        #expect(pixmap.suffix(16 * 16 * 3).allSatisfy { $0 == 255 })
    }

    /// A JPEG file of one colour has the same few bytes in each block, so two of the same colour are equal.
    @Test func aTransparentCoverStandsOnWhite() throws {
        let jpeg = try CoverPicture(PictureForm(side: 40)).copy(of: try file("clear.png"))
        let again = try CoverPicture(PictureForm(side: 40)).copy(of: jpeg)
        try expectEqual(size(again), [40, 40])
        let red = try CoverPicture(PictureForm(side: 40)).copy(of: try file("opaque.png"))
        #expect(jpeg != red)
        // White has no colour and full brightness: its file, decoded and encoded again, stays as it is.
        expectEqual(again, jpeg)
    }

    @Test(arguments: ["tone.opus", "tone.wav"])
    func anAudioFileWithoutACoverIsRefused(name: String) throws {
        let bytes = try file(name)
        #expect(throws: CoverPicture.Failure.self) { try CoverPicture(PictureForm(side: 20)).copy(of: bytes) }
    }

    @Test func aDamagedCoverIsRefusedOrDrawn() throws {
        let bytes = try file("cover.jpg")
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? CoverPicture(PictureForm(side: 20)).copy(of: Array(bytes[..<length]))
        }
        #expect(throws: CoverPicture.Failure.self) { try CoverPicture(PictureForm(side: 20)).copy(of: []) }
    }
}
