@testable import Library
import PodcastModel
import Testing
import TestSupport

/// How notes are kept.
struct NotesTests {
    /// Takes `*word*` for said with weight.
    private final class StarReader {
        var read = 0

        func text(ofNotes written: String) -> MarkedText {
            read += 1
            let parts = written.split(separator: "*", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return MarkedText(written) }
            let start = parts[0].utf8.count
            return MarkedText(parts.joined(), marks: [.init(.strong, start..<(start + parts[1].utf8.count))])
        }
    }

    private func notes(_ number: Int, summary: String?, content: String?) -> Item {
        item(number) { ($0.summary, $0.content) = (summary, content) }
    }

    @Test func notesAreKeptAsWordsWithMarks() throws {
        let store = try TemporaryLibrary().open()
        store.readNotes = StarReader().text
        _ = try store.addFeed(items: [notes(1, summary: "In short", content: "All *of* it")])
        let kept = try store.episodes.notes(of: EpisodeID(1))
        expectEqual(kept.content, MarkedText("All of it", marks: [.init(.strong, 4..<6)]))
        expectEqual(kept.summary, MarkedText("In short"))
        expectEqual(kept.content?.html, "<p>All <strong>of</strong> it</p>")
    }

    @Test(arguments: ["All *of* it", "All of", "All of…", "All of it..."])
    func aSummaryThatTheContentBeginsWithIsNotKeptTwice(_ summary: String) throws {
        let store = try TemporaryLibrary().open()
        store.readNotes = StarReader().text
        _ = try store.addFeed(items: [notes(1, summary: summary, content: "All of it")])
        try expectEqual(store.episodes.notes(of: EpisodeID(1)).summary, nil)
    }

    @Test func onlyWhatIsNewOrChangedIsRead() throws {
        let store = try TemporaryLibrary().open()
        let reader = StarReader()
        store.readNotes = reader.text
        var items = (1...5).map { notes($0, summary: nil, content: "Words \($0)") }
        let feed = try store.addFeed(items: items)
        expectEqual(reader.read, 5)
        items[2].content = "Other words"
        _ = try store.refreshes.merge(document(items), into: feed, fetched())
        expectEqual(reader.read, 6)
    }

    @Test func aFeedsDescriptionIsConvertedOnceWhenItEnters() throws {
        let store = try TemporaryLibrary().open()
        let reader = StarReader()
        store.readNotes = reader.text
        let feed = try store.addFeed("first")
        var contents = document([])
        contents.channel.summary = "More *of* it"
        for _ in 1...2 { _ = try store.refreshes.merge(contents, into: feed, fetched()) }
        expectEqual(reader.read, 1)
        try expectEqual(store.feeds.feed(feed).summary, "More of it")
    }

    @Test func allMarksAreReadBackAsTheyWereWritten() {
        let text = MarkedText(
            "Today\n\nBread\nSalt",
            marks: [
                .init(.heading, 0..<5), .init(.list(isOrdered: true), 7..<17), .init(.item, 7..<12),
                .init(.link("https://a.example/x"), 7..<12), .init(.item, 13..<17), .init(.emphasis, 14..<16),
            ])
        expectEqual(text.marks.count, 6)
        expectEqual(MarkedText(text.words, marks: StoredMarks.marks(StoredMarks.text(text.marks) ?? "")), text)
        expectEqual(StoredMarks.marks("x1,2\nb-5,9\nb1\na1,2\nb99999999999999999999,1\n\n b1,1"), [])
    }
}
