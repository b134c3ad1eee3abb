import AVDecoding
import Foundation
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// The forms in which files carry chapters.
struct ChapterFormsTests {
    /// MP4 files have chapters as a box of Nero's, as a text track of QuickTime's, or both, as ffmpeg writes them.
    enum Form: String, CaseIterable {
        case both
        case nero = "chpl"
        case quickTime = "chap"

        /// A file with both, without the boxes of the other form.
        func only(_ file: [UInt8]) -> [UInt8] {
            switch self {
            case .both: file
            case .nero: Self.quickTime.removed(from: file)
            case .quickTime: Self.nero.removed(from: file)
            }
        }

        /// Boxes named `free` are skipped.
        private func removed(from file: [UInt8]) -> [UInt8] {
            var file = file
            let name = Array(rawValue.utf8)
            for place in file.indices.dropLast(3) where file[place..<place + 4].elementsEqual(name) {
                file.replaceSubrange(place..<place + 4, with: "free".utf8)
            }
            return file
        }
    }

    private func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    @Test(arguments: Form.allCases, ["moov-first.m4a", "moov-last.m4a", "alac.m4a"])
    func chaptersOfMP4FilesAreReadInEachForm(_ form: Form, _ name: String) throws {
        let file = try fixture(name)
        let info = try AVDecoder().open(BytesInput(form.only(file)))
        expectEqual(info.chapters.map(\.title), ["First", "Second"])
        expectEqual(info.chapters.map(\.start), [.zero, MediaTime(milliseconds: 1000)])
    }

    @Test func anMP4FileWithoutEitherFormHasNone() throws {
        let file = Form.nero.only(Form.quickTime.only(try fixture("moov-first.m4a")))
        #expect(try AVDecoder().open(BytesInput(file)).chapters.isEmpty)
    }

    /// A FLAC file with these comments after its first block.
    private func flac(_ comments: [String]) throws -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let texts = comments.flatMap { little($0.utf8.count) + Array($0.utf8) }
        let block = little(0) + little(comments.count) + texts
        var file = try fixture("sweep.flac")
        file[4] &= 0x7F
        file.insert(contentsOf: [4, 0, UInt8(block.count >> 8), UInt8(block.count & 0xFF)] + block, at: 42)
        return file
    }

    @Test func chaptersOfVorbisCommentsMayLackHours() throws {
        let file = try flac([
            "CHAPTER001=0:00", "CHAPTER001NAME=First", "CHAPTER002=00:01.5", "CHAPTER002NAME=Second",
            "CHAPTER002URL=http://host/2", "CHAPTER003=00:00:02.000", "CHAPTER003NAME=Third", "CHAPTER004=soon",
        ])
        let chapters = try AVDecoder().open(BytesInput(file)).chapters
        expectEqual(chapters.map(\.title), ["First", "Second", "Third"])
        expectEqual(chapters.map(\.start), [0, 1500, 2000].map { MediaTime(milliseconds: $0) })
        expectEqual(chapters[1].link, "http://host/2")
    }

    @Test(arguments: Form.allCases) func aBrokenBoxOfChaptersCostsOnlyTheChapters(_ form: Form) throws {
        var file = form.only(try fixture("moov-first.m4a"))
        for name in ["chpl", "chap"] {
            let found = file.indices.dropLast(8).first { file[$0..<$0 + 4].elementsEqual(name.utf8) }
            if let found { file.replaceSubrange((found + 4)..<(found + 8), with: [0xFF, 0xFF, 0xFF, 0xFF]) }
        }
        let decoder = AVDecoder()
        #expect(try decoder.open(BytesInput(file)).duration != nil)
    }
}
