import Library
import LibraryModel
import PodcastModel
import SQLite
import Testing

struct SearchTests {
    private func store(_ titles: [String], notes: String? = nil) throws -> LibraryStore {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed(
            items: titles.enumerated().map { index, title in
                item(index + 1) {
                    $0.title = title
                    $0.summary = nil
                    $0.content = notes
                }
            })
        return store
    }

    private func titles(_ store: LibraryStore, _ text: String) throws -> [String] {
        try store.all(EpisodeFilter(text: text), order: .oldestFirst).map(\.title)
    }

    @Test func allWordsMustOccurAndTheLastMayBeABeginning() throws {
        let store = try store(["The big interview", "A big day", "Interviews, bigger ones"])
        #expect(try titles(store, "big") == ["The big interview", "A big day", "Interviews, bigger ones"])
        #expect(try titles(store, "big inter") == ["The big interview"])
        #expect(try titles(store, "BIG day") == ["A big day"])
        #expect(try store.count(EpisodeFilter(text: "big"), upTo: 100) == .exactly(3))
        #expect(try store.count(EpisodeFilter(text: "big"), upTo: 2) == .atLeast(2))
    }

    @Test func diacriticsAreFolded() throws {
        let store = try store(["Über den Fluß nach Kraków"])
        #expect(try titles(store, "uber krakow").count == 1)
        #expect(try titles(store, "ÜBER").count == 1)
    }

    @Test func notesAreSearchedToo() throws {
        let store = try store(["One"], notes: "<p>We meet the <b>cartographer</b></p>")
        #expect(try titles(store, "cartographer") == ["One"])
    }

    @Test func noCharacterIsAnOperator() throws {
        let store = try store(["Rock & roll: AND \"more\" (live)", "x"])
        for text in ["roll: AND", "\"more\"", "(live", "roll*", "NOT", "title:rock", "a\0b", "-roll", "^rock", "'"] {
            _ = try titles(store, text)
        }
        #expect(try titles(store, "\"more").count == 1)
        #expect(try titles(store, "roll: AND").count == 1)
        #expect(try titles(store, "& --") == [])
        #expect(try titles(store, String(repeating: "word ", count: 10_000)) == [])
        #expect(try titles(store, String(repeating: "w", count: 1_000_000)) == [])
    }

    @Test func wordsCombineWithOtherConditions() throws {
        let store = try store(["red one", "red two", "blue"])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.setPlayed(true, [ids[0]], at: day0)
        #expect(try store.all(EpisodeFilter(isPlayed: false, text: "red")).map(\.id) == [ids[1]])
        #expect(try store.all(EpisodeFilter(feed: FeedID(99), text: "red")) == [])
    }

    @Test func changedTextsAreFoundByTheirNewWordsOnly() throws {
        let library = try TemporaryLibrary()
        let store = try library.open()
        let feed = try store.addFeed(items: [
            item(1) {
                $0.title = "Before"; $0.content = "oldnotes"
            }
        ])
        while try store.performMaintenance() {}
        #expect(try titles(store, "before oldnotes").count == 1)
        _ = try store.merge(
            document([
                item(1) {
                    $0.title = "After"; $0.content = "newnotes"
                }
            ]), into: feed, fetched())
        #expect(try titles(store, "before").isEmpty)
        #expect(try titles(store, "oldnotes").isEmpty)
        #expect(try titles(store, "after newnotes").count == 1)
        try library.connection().execute("INSERT INTO search(search) VALUES ('integrity-check')")
    }

    @Test func anEpisodeIsFoundByNumberURLAndPartOfItsTitle() throws {
        let store = try store(["The Grand Tour", "Grand finale", "A tour"])
        #expect(try store.resolveEpisode("2").title == "Grand finale")
        #expect(try store.resolveEpisode("https://cdn.example/show/3.mp3").title == "A tour")
        #expect(try store.resolveEpisode("finale").title == "Grand finale")
        #expect(try store.resolveEpisode("the grand").title == "The Grand Tour")
        #expect(try store.resolveEpisode("inal").title == "Grand finale", "a part inside of a word")
        #expect(throws: LibraryError.ambiguous("grand", candidates: ["Grand finale", "The Grand Tour"])) {
            try store.resolveEpisode("grand")
        }
        #expect(throws: LibraryError.notFound("4711")) { try store.resolveEpisode("4711") }
        #expect(throws: LibraryError.notFound("https://cdn.example/none.mp3")) {
            try store.resolveEpisode("https://cdn.example/none.mp3")
        }
        #expect(throws: LibraryError.notFound("")) { try store.resolveEpisode("") }
    }

    @Test func aWholeTitleGoesBeforeAPart() throws {
        let store = try store(["Tour", "Tour de France"])
        #expect(try store.resolveEpisode("tour").title == "Tour")
    }

    @Test func aNumberThatIsATitleIsFoundWhenNoEpisodeHasIt() throws {
        let store = try store(["1984"])
        #expect(try store.resolveEpisode("1984").title == "1984")
    }

    @Test func titlesWithoutSpacesBetweenWordsAreFoundByAPart() throws {
        let store = try store(["第十二回東京散歩"])
        #expect(try store.resolveEpisode("東京").title == "第十二回東京散歩")
    }
}
