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

    @Test func theFilesTimesOfTheSameChaptersWin() {
        var published = [chapter(0, "Intro"), chapter(25, "Talk")]
        published[1].link = "https://a.test/"
        let list = ChapterList(published: published, ofFile: [chapter(0, "Intro"), chapter(20, "Talk")])
        expectEqual(list.chapters.map(\.start.seconds), [0, 20])
        expectEqual(list.chapters[1].link, "https://a.test/")
    }

    @Test func theFilesChaptersWinIfItsLengthIsNotTheAnnouncedOne() {
        func starts(_ announced: Double) -> [Double] {
            ChapterList(
                published: [chapter(0, "A"), chapter(25, "B")], ofFile: [chapter(0, "One"), chapter(55, "Two")],
                duration: MediaTime(seconds: 130), announced: MediaTime(seconds: announced)
            ).chapters.map(\.start.seconds)
        }
        #expect(starts(100) == [0, 55] && starts(125) == [0, 25])
    }

    @Test func chaptersAfterTheEndAreLeftOutAndUntitledOnesGetANumber() {
        let list = ChapterList(
            published: [chapter(0), chapter(9, isListed: false), chapter(10, ""), chapter(20, "C"), chapter(100, "D")],
            ofFile: [], duration: MediaTime(seconds: 60))
        expectEqual(list.chapters.map(\.title), ["Chapter 1", nil, "Chapter 2", "C"])
    }

    @Test func timesInNotesAreChapters() {
        func chapters(_ notes: String, of seconds: Double? = nil) -> [String] {
            TimeCodes.chapters(in: notes, of: seconds.map { MediaTime(seconds: $0) }).map {
                "\($0.start.seconds) \($0.title ?? "")"
            }
        }
        let notes = """
            With the guest. At 8:30pm we talk.
            0:00 - Intro
            (0:20) Second
            • [00:01:20] Third: 2:30 minutes
            1:02:03 – “Fourth”
            """
        expectEqual(chapters(notes), ["0.0 Intro", "20.0 Second", "80.0 Third: 2:30 minutes", "3723.0 “Fourth”"])
        #expect(chapters(notes, of: 3000).isEmpty, "not of this episode")
        #expect(chapters("0:20 Second\n0:00 First").isEmpty && chapters("1:00 Alone").isEmpty)
        #expect(chapters("See you at 20:15\nor at 21:15").isEmpty)
    }

    @Test func timesInATextAreFoundWithTheirPlaces() {
        let text = "ab 1:02, (12:34:56)–2:03. 1:75 1:2 12:30:45:67 9:00pm v1:23"
        expectEqual(TimeCodes.find(in: text).map { String(text[$0.place]) }, ["1:02", "12:34:56", "2:03"])
        expectEqual(TimeCodes.find(in: text).map(\.time.seconds), [62, 45_296, 123])
    }

    @Test func theFilesChaptersWinOverTimesInNotes() {
        let notes = TimeCodes.chapters(in: "0:00 A\n0:30 B", of: nil)
        let file = [chapter(0, "One"), chapter(9, "Two")]
        expectEqual(ChapterList(published: notes, ofFile: file).chapters.map(\.title), ["One", "Two"])
        expectEqual(ChapterList(published: notes, ofFile: []).chapters.map(\.title), ["A", "B"])
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
