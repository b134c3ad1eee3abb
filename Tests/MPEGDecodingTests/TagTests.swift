import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@Suite struct TagTests {
    private let audio: [UInt8]

    init() throws { audio = try DecodingBench.fixture("mono-22050-cbr.mp3") }

    private func size(_ count: Int, bits: Int = 7) -> [UInt8] {
        (0..<4).reversed().map { UInt8(count >> ($0 * bits) & ((1 << bits) - 1)) }
    }

    private func frame(_ name: String, _ body: [UInt8], version: UInt8 = 4, flags: [UInt8] = [0, 0]) -> [UInt8] {
        Array(name.utf8) + size(body.count, bits: version == 4 ? 7 : 8) + flags + body
    }

    private func tag(_ frames: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + size(frames.count) + frames
    }

    private func latin(_ text: String) -> [UInt8] { [0] + text.unicodeScalars.map { UInt8($0.value) } }
    private func utf8(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }
    private func utf16(_ text: String) -> [UInt8] {
        [1, 0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private func info(_ file: [UInt8]) throws -> (info: StreamInfo, fed: [Range<Int64>]) {
        var bench = try DecodingBench(file)
        _ = try bench.run()
        return (try #require(bench.decoder.info), bench.fed)
    }

    @Test func textsOfEveryEncodingAreRead() throws {
        for (text, body) in [("Café", latin("Café")), ("Порт 🎙", utf8("Порт 🎙")), ("Порт 🎙", utf16("Порт 🎙"))] {
            try expectEqual(info(tag(frame("TIT2", body)) + audio).info.tags["title"], text)
        }
    }

    @Test func versionTwoIsRead() throws {
        let body = latin("Old")
        let frames = Array("TT2".utf8) + [0, 0, UInt8(body.count)] + body
        try expectEqual(info(tag(frames, version: 2) + audio).info.tags["title"], "Old")
    }

    @Test func aTagThatIsUnsynchronisedAsAWholeIsRead() throws {
        // "ÿà" in Latin-1 is FF E0, which unsynchronisation parts by a zero.
        let body: [UInt8] = [0, 0xFF, 0x00, 0xE0]
        let frames = Array("TIT2".utf8) + size(3, bits: 8) + [0, 0] + body
        try expectEqual(info(tag(frames, version: 3, flags: 0x80) + audio).info.tags["title"], "ÿà")
    }

    @Test func severalValuesAreShownAsOne() throws {
        let file = tag(frame("TPE1", utf8("First\0Second"))) + audio
        try expectEqual(info(file).info.tags["artist"], "First/Second")
    }

    @Test func dataOfProgramsAreNotComments() throws {
        let frames =
            frame("COMM", [0] + Array("engiTunNORM\0 0001".utf8)) + frame("COMM", [0] + Array("eng\0Heard".utf8))
        try expectEqual(info(tag(frames) + audio).info.tags["comment"], "Heard")
    }

    @Test func thePlaceOfAPictureIsRecordedAndItsBytesAreNotRequested() throws {
        let head = [0] + Array("image/png".utf8) + [0, 3, 0]
        let picture = [UInt8](repeating: 0xFF, count: 1_000_000)
        let frames = frame("APIC", head + picture) + frame("TIT2", utf8("Behind"))
        let (info, fed) = try info(tag(frames) + audio)
        expectEqual(info.tags["title"], "Behind")
        expectEqual(info.art, EmbeddedArt(mime: "image/png", offset: Int64(20 + head.count), length: 1_000_000))
        #expect(fed.reduce(0) { $0 + $1.count } < 100_000)
    }

    private func chapter(_ name: String, _ start: Int, _ end: Int, _ frames: [UInt8]) -> [UInt8] {
        let none = [UInt8](repeating: 0xFF, count: 8)
        return frame("CHAP", Array(name.utf8) + [0] + size(start, bits: 8) + size(end, bits: 8) + none + frames)
    }

    @Test func chaptersAreSortedByTimeWithTitlesAndLinks() throws {
        let link = frame("WXXX", [0] + Array("x\0https://example.test/2".utf8))
        let picture = frame("APIC", [0] + Array("image/png\0".utf8) + [0, 0] + [UInt8](repeating: 7, count: 40_000))
        let frames =
            chapter("c2", 2000, 3000, frame("TIT2", utf8("Two")) + picture + link)
            + chapter("c1", 0, 2000, frame("TIT2", utf16("One"))) + chapter("c3", 3000, 4000, [])
            + frame("CTOC", Array("toc".utf8) + [0, 3, 2] + Array("c1\0c2\0".utf8))
        let chapters = try info(tag(frames) + audio).info.chapters
        expectEqual(chapters.map(\.title), ["One", "Two", nil])
        expectEqual(chapters.map(\.start.milliseconds), [0, 2000, 3000])
        try #require(chapters.map { $0.end?.milliseconds } == [2000, 3000, 4000])
        expectEqual(chapters[1].link, "https://example.test/2")
        expectEqual(chapters.map(\.isListed), [true, true, false])
    }

    @Test func tablesOfContentsWithinATableListTheirChapters() throws {
        func table(_ name: String, _ flags: UInt8, _ children: [String], _ title: String) -> [UInt8] {
            var content: [UInt8] = Array(name.utf8)
            content += [0, flags, UInt8(children.count)]
            for child in children { content += Array(child.utf8) + [0] }
            content += frame("TIT2", utf8(title))
            return frame("CTOC", content)
        }
        let frames =
            table("toc", 3, ["p1", "p2"], "Contents") + table("p1", 1, ["c1"], "Part 1")
            + table("p2", 1, ["c2"], "Part 2") + chapter("c1", 0, 2000, frame("TIT2", utf8("One")))
            + chapter("c2", 2000, 3000, frame("TIT2", utf8("Two"))) + chapter("c3", 3000, 4000, [])
        let chapters = try info(tag(frames) + audio).info.chapters
        expectEqual(chapters.map(\.title), ["One", "Two", nil])
        expectEqual(chapters.map(\.isListed), [true, true, false])
    }

    @Test func severalTagsInARowAreRead() throws {
        let file = tag(frame("TIT2", utf8("A"))) + tag(frame("TALB", utf8("B"))) + audio
        let tags = try info(file).info.tags
        expectEqual(tags["title"], "A")
        expectEqual(tags["album"], "B")
    }

    @Test func aTagLongerThanTheFileIsIgnored() throws {
        let file = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + frame("TIT2", utf8("A")) + audio
        try expectEqual(info(file).info.container, "mp3")
    }

    @Test func frameSizesOutOfBoundsEndTheTag() throws {
        let frames = frame("TIT2", utf8("A")) + Array("TALB".utf8) + [0x7F, 0x7F, 0x7F, 0x7F, 0, 0] + [1, 2, 3]
        let (info, _) = try info(tag(frames) + audio)
        expectEqual(info.tags, ["title": "A"])
    }

    @Test func tagsAtTheEndAreReadLast() throws {
        func field(_ text: String, _ length: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
        }
        let fields = [("TAG", 3), ("Short", 30), ("Someone", 30), ("", 30), ("2026", 4), ("Words", 30)]
        let old: [UInt8] = fields.flatMap(field) + [0]
        let item: [UInt8] = [4, 0, 0, 0, 0, 0, 0, 0] + Array("Title\0Long".utf8)
        let numbers: [UInt8] = [0xD0, 7, 0, 0, UInt8(32 + item.count), 0, 0, 0, 1, 0, 0, 0]
        let footer: [UInt8] = Array("APETAGEX".utf8) + numbers + [UInt8](repeating: 0, count: 12)
        let tags = try info(audio + item + footer + old).info.tags
        expectEqual(tags["title"], "Long")
        expectEqual(tags["artist"], "Someone")
        expectEqual(tags["comment"], "Words")
    }
}
