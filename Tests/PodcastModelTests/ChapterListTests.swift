import PodcastModel
import Testing
import TestSupport

struct ChapterListTests {
    private func chapter(_ seconds: Double, _ title: String? = nil, isListed: Bool = true) -> Chapter {
        Chapter(start: MediaTime(seconds: seconds), title: title, isListed: isListed)
    }

    private var list: ChapterList {
        ChapterList(merging: [
            [
                chapter(0, "Intro"), chapter(60, "News of the week"), chapter(90, "An image", isListed: false),
                chapter(600, "The weather"), chapter(1200, "News of the world"),
            ]
        ])
    }

    private func find(_ word: String, at seconds: Double = 0) -> Result<String?, ChapterFailure> {
        Result { () throws(ChapterFailure) in
            try list.find(ChapterList.Choice(word), at: MediaTime(seconds: seconds)).title
        }
    }

    @Test func aChapterIsHeardUntilTheNextOneOrUntilASkippedPartBeforeIt() {
        func end(_ position: Double, _ skips: Range<Double>...) -> Double? {
            list.heardEnd(
                at: MediaTime(seconds: position),
                skipping: skips.map { MediaTime(seconds: $0.lowerBound)..<MediaTime(seconds: $0.upperBound) })?.seconds
        }
        // An image does not end a chapter.
        #expect(end(0) == 60 && end(70) == 600 && end(1200) == nil)
        expectEqual(end(0, 60..<600), 60)
        #expect(end(70, 500..<1200) == 500 && end(70, 500..<600) == 500)
        expectEqual(end(70, 100..<200), 600)
        // Playback that begins within a skipped part plays it.
        expectEqual(end(550, 500..<600), 600)
    }

    @Test func aChapterOfWhichNothingIsPlayedIsSkipped() {
        func skipped(_ skips: Range<Double>..., duration: Double? = nil) -> [Bool] {
            let skips = skips.map { MediaTime(seconds: $0.lowerBound)..<MediaTime(seconds: $0.upperBound) }
            return list.listed(skipping: skips, duration: duration.map { MediaTime(seconds: $0) }).map(\.isSkipped)
        }
        expectEqual(skipped(), [false, false, false, false])
        expectEqual(skipped(0..<30, 60..<600), [false, true, false, false])
        expectEqual(skipped(60..<599), [false, false, false, false])
        expectEqual(skipped(600..<1500, duration: 1500), [false, false, true, true])
    }

    @Test func theFirstSourceWithSeveralChaptersDecidesAndOthersFillGaps() {
        var linked = chapter(60.4, "Other title")
        linked.link = "https://a.test/"
        linked.end = MediaTime(seconds: 100)
        let merged = ChapterList(merging: [[chapter(0)], [chapter(60), chapter(0, "Intro")], [linked, chapter(300)]])
        expectEqual(merged.chapters.map(\.start), [.zero, MediaTime(seconds: 60)])
        expectEqual(merged.chapters.map(\.title), ["Intro", "Other title"])
        expectEqual(merged.chapters[1].link, "https://a.test/")
        expectEqual(merged.chapters[1].end, MediaTime(seconds: 100))
        expectEqual(
            ChapterList(
                published: [chapter(0, "Cold open"), chapter(9)], ofFile: [chapter(0, "Opening"), chapter(9, "Talk")]
            )
            .chapters.map(\.title), ["Cold open", "Talk"])
        expectEqual(ChapterList(merging: [[], [chapter(5, "Only")]]).chapters.map(\.title), ["Only"])
        #expect(ChapterList(merging: []).chapters.isEmpty)
    }

    @Test func chaptersThatAreNotListedHaveNoNumber() {
        expectEqual(list.listed.count, 4)
        expectEqual(find("3"), .success("The weather"))
        expectEqual(find("5"), .failure(.noSuchNumber(count: 4)))
        expectEqual(find("0"), .failure(.noSuchNumber(count: 4)))
    }

    @Test func nextAndPreviousStepFromThePosition() {
        expectEqual(find("next", at: 0), .success("News of the week"))
        expectEqual(find("next", at: 95), .success("The weather"))
        expectEqual(find("next", at: 1200), .failure(.lastChapter))
        expectEqual(find("previous", at: 603), .success("News of the week"))
        expectEqual(find("previous", at: 605), .success("The weather"))
        expectEqual(find("prev", at: 2), .success("Intro"))
        #expect(ChapterList(merging: []).chapters.isEmpty)
    }

    @Test func chaptersThatAreSkippedArePassedOver() throws {
        let list = ChapterList(merging: [
            (0..<4).map { Chapter(start: MediaTime(seconds: Double($0 * 60)), title: "\($0)") }
        ])
        let skips = [MediaTime(seconds: 60)..<MediaTime(seconds: 120)]
        try expectEqual(list.find(.next, at: MediaTime(seconds: 10), skipping: skips).title, "2")
        try expectEqual(list.find(.previous, at: MediaTime(seconds: 121), skipping: skips).title, "0")
        try expectEqual(list.find(.number(2), at: .zero, skipping: skips).title, "1", "it was asked for by its number")
    }

    @Test func aTitleIsFoundByItsWordsIfOnlyOneHasThem() {
        expectEqual(find("WEATHER"), .success("The weather"))
        expectEqual(find("news of the world"), .success("News of the world"))
        expectEqual(find("news"), .failure(.severalMatch(["2 News of the week", "4 News of the world"])))
        expectEqual(find("sports"), .failure(.noMatch))
    }

    @Test(arguments: [
        ("audio/midi", "http://a.test/1", "MIDI"), ("AUDIO/MIDI; x=y", "http://a.test/1.mp3", "MIDI"),
        ("audio/mpeg", "http://a.test/song.mid?x=.mp3", "MIDI"), (nil, "http://a.test/b.M4P", "Apple DRM"),
        ("application/pdf", "http://a.test/1.mp3", "PDF"), (nil, "http://a.test/paper.pdf", "PDF"),
        ("image/png", "http://a.test/1", "an image"),
    ])
    func whatCannotBePlayedIsNamed(_ type: String?, _ url: String, _ name: String) {
        expectEqual(UnplayableMedia.name(type: type, url: url), name)
    }

    @Test(arguments: [
        ("audio/mpeg", "http://a.test/1.mp3"), (nil, "http://a.test/play"),
        ("application/octet-stream", "a.test/x.mp3"),
        ("audio/mpeg", "http://a.test/slides.pdf"), ("video/mp4", "http://a.test/1.m4v"), (nil, ""),
    ])
    func whatMayBePlayableIsNotNamed(_ type: String?, _ url: String) {
        expectEqual(UnplayableMedia.name(type: type, url: url), nil)
    }

    @Test func aShareOfTheDurationIsWrittenWithAPercentSign() {
        expectEqual(TimeArgument(parsing: "50%"), .share(0.5))
        expectEqual(TimeArgument(parsing: "+10%"), .relativeShare(0.1))
        expectEqual(TimeArgument(parsing: "-2.5%"), .relativeShare(-0.025))
        expectEqual(TimeArgument(parsing: "+-2%"), nil)
        expectEqual(TimeArgument(parsing: "12.5%"), .share(0.125))
        expectEqual(TimeArgument(parsing: "100%"), .share(1))
        for text in ["101%", "+101%", "%", "1:00%", "5m%", "50 %"] { expectEqual(TimeArgument(parsing: text), nil) }
    }
}
