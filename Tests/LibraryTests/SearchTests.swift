@testable import Library
import PodcastModel
import SQLite
import TestSupport
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
        try expectEqual(titles(store, "big"), ["The big interview", "A big day", "Interviews, bigger ones"])
        try expectEqual(titles(store, "big inter"), ["The big interview"])
        try expectEqual(titles(store, "BIG day"), ["A big day"])
        try expectEqual(store.episodes.count(EpisodeFilter(text: "big"), upTo: 100), .exactly(3))
        try expectEqual(store.episodes.count(EpisodeFilter(text: "big"), upTo: 2), .atLeast(2))
    }

    @Test func aSearchKeepsNobodyFromWriting() throws {
        let (library, store) = try openLibrary()
        _ = try store.addFeed(items: [item(1) { $0.title = "The big interview" }])
        try expectEqual(titles(store, "big inter"), ["The big interview"])
        // A snapshot that the search had kept would be behind what another process writes now.
        _ = try library.open().feeds.addFeed(url: "https://b.example/feed", title: "B", at: Timestamp(seconds: 1))
        _ = try store.feeds.addFeed(url: "https://c.example/feed", title: "C", at: Timestamp(seconds: 2))
        try expectEqual(store.feeds.feeds().count, 3)
    }

    @Test func lettersWithStrokesAndOfFullWidthAreFolded() throws {
        let named = ["Łódź", "Smørrebrød", "Đà Nẵng", "Ilık su", "Ærø", "ＡＢＣ２"]
        let store = try store(named)
        for (text, title) in zip(["lodz", "smorrebrod", "da nang", "ilik", "aero", "abc2"], named) {
            try expectEqual(titles(store, text), [title])
            try expectEqual(titles(store, title), [title])
        }
    }

    @Test func diacriticsAreFolded() throws {
        let store = try store(["Über den Fluß nach Kraków"])
        try expectEqual(titles(store, "uber krakow").count, 1)
        try expectEqual(titles(store, "ÜBER").count, 1)
    }

    /// Texts of several scripts, with the marks that people leave out when they search.
    private static let marked: [(text: String, typed: String)] = [
        ("Ο φάρος του Οδυσσέα", "φαρος"), ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"), ("ᾠδὴ τοῦ ναύτη", "ωδη του ναυτη"),
        ("Ёлка и ёжик", "елка и ежик"), ("Мой май", "мои маи"), ("Їжак", "іжак"), ("дав\u{301}но", "давно"),
        ("דָּוִד הַמֶּלֶךְ", "דוד המלך"), ("مُحَمَّد في البحّار", "محمد في البحار"), ("أحمد وإيمان", "احمد وايمان"),
        ("مـــدرسة", "مدرسه"), ("قرآن", "قران"), ("Große Straße", "grosse strasse"), ("GROẞE", "große"),
        ("Việt Nam ngày", "viet nam ngay"), ("φαρος", "φάρος"), ("ежик", "ёжик"), ("محمد", "مُحَمَّد"),
    ]

    @Test(arguments: marked)
    func marksMakeNoDifferenceInAnyScript(text: String, typed: String) throws {
        let store = try store([text, "Another"], notes: "<p>Another one</p>")
        try expectEqual(titles(store, typed), [text])
        try expectEqual(titles(store, "\"\(typed)\""), [text])
        try expectEqual(titles(store, String(typed.dropLast())), [text])
        try expectEqual(store.episodes.resolveEpisode(typed).title, text)
        let filter = EpisodeFilter(try EpisodeExpression(parsing: "title:\"\(typed)\""), at: day0)
        try expectEqual(store.all(filter).map(\.title), [text])
        let inNotes = try self.store(["One"], notes: "so, \(text), it goes")
        let page = try inNotes.episodes.page(EpisodeFilter(text: typed), order: .bestFirst, at: .first, limit: 1)
        let pieces = try #require(page.excerpts.values.first).pieces
        expectEqual(pieces.joined(), "so, \(text), it goes")
        expectContains(text, pieces[1])
    }

    @Test(arguments: [
        ("We don't know", "dont"), ("We don’t know", "dont know"), ("Joan’s show", "joans"), ("L'amour fou", "lamour"),
        ("L’amour fou", "amour fou"), ("We don’t know", "don't know"),
    ])
    func anApostropheMayBeLeftOut(text: String, typed: String) throws {
        let store = try store([text, "Another"], notes: "<p>Another one</p>")
        try expectEqual(titles(store, typed), [text])
        try expectEqual(store.episodes.resolveEpisode(typed).title, text)
        let filter = EpisodeFilter(try EpisodeExpression(parsing: "title:\"\(typed)\""), at: day0)
        try expectEqual(store.all(filter).map(\.title), [text])
        try expectEqual(titles(self.store(["One"], notes: "so, \(text), it goes"), typed), ["One"])
    }

    @Test(arguments: ["\"amour fou\"", "\"l’amour fou\"", "\"fou dit\""])
    func anApostropheSeparatesNoPhrase(typed: String) throws {
        let store = try store(["One"], notes: "C’est l'amour fou, dit-elle")
        try expectEqual(titles(store, typed), ["One"])
        let page = try store.episodes.page(EpisodeFilter(text: typed), order: .bestFirst, at: .first, limit: 1)
        let pieces = try #require(page.excerpts.values.first).pieces
        expectEqual(pieces.joined(), "C’est l'amour fou, dit-elle")
        expectContains(pieces[1], "fou")
    }

    @Test func twoLettersStandForNoUmlaut() throws {
        let store = try store(["Müller"])
        try expectEqual(titles(store, "muller"), ["Müller"])
        try expectEqual(titles(store, "mueller"), [])
    }

    @Test func aPartOfAMarkedTitleIsFoundInsideAWord() throws {
        let store = try store(["Der Kölner Dom", "Ο φάρος"])
        try expectEqual(store.episodes.resolveEpisode("olner").title, "Der Kölner Dom")
        try expectEqual(store.episodes.resolveEpisode("αρο").title, "Ο φάρος")
    }

    @Test func notesAreSearchedToo() throws {
        let store = try store(["One"], notes: "<p>We meet the <b>cartographer</b></p>")
        try expectEqual(titles(store, "cartographer"), ["One"])
    }

    @Test func aQuoteWithAMarkBehindItIsNoOperatorEither() throws {
        // Both scalars are one character, but to SQLite the quote is one.
        let store = try store(["x y"])
        for text in ["x \u{C4}\u{1}\"\u{301} y", "\"\u{301} x y\"", "\"x\0\u{301}y"] { _ = try titles(store, text) }
        try expectEqual(titles(store, "x\"\u{301} y").count, 1)
    }

    @Test func noCharacterIsAnOperator() throws {
        let store = try store(["Rock & roll: AND \"more\" (live)", "x"])
        for text in ["roll: AND", "\"more\"", "(live", "roll*", "NOT", "title:rock", "a\0b", "-roll", "^rock", "'"] {
            _ = try titles(store, text)
        }
        try expectEqual(titles(store, "\"more").count, 1)
        try expectEqual(titles(store, "roll: AND").count, 1)
        try expectEqual(titles(store, "& --"), [])
        try expectEqual(titles(store, String(repeating: "word ", count: 10_000)), [])
        try expectEqual(titles(store, String(repeating: "w", count: 1_000_000)), [])
    }

    @Test func wordsCombineWithOtherConditions() throws {
        let store = try store(["red one", "red two", "blue"])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try expectEqual(store.all(EpisodeFilter(isPlayed: false, text: "red")).map(\.id), [ids[1]])
        try expectEqual(store.all(EpisodeFilter(feed: FeedID(99), text: "red")), [])
    }

    @Test func changedTextsAreFoundByTheirNewWordsOnly() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: [
            item(1) { ($0.title, $0.content) = ("Before", "oldnotes") }
        ])
        while try store.performMaintenance() {}
        try expectEqual(titles(store, "before oldnotes").count, 1)
        _ = try store.refreshes.merge(
            document([
                item(1) { ($0.title, $0.content) = ("After", "newnotes") }
            ]), into: feed, fetched())
        #expect(try titles(store, "before").isEmpty)
        #expect(try titles(store, "oldnotes").isEmpty)
        try expectEqual(titles(store, "after newnotes").count, 1)
        for index in ["title_search", "search", "spoken_search"] {
            try library.connection().execute("INSERT INTO \(index)(\(index)) VALUES ('integrity-check')")
        }
    }

    @Test func phrasesStandTogetherAndExcludedWordsMustNotOccur() throws {
        let store = try store(["The long way home", "Home the long way", "Home alone", "A home-made pie"])
        try expectEqual(titles(store, "\"way home\""), ["The long way home"])
        try expectEqual(titles(store, "\"long way\" home").count, 2)
        try expectEqual(titles(store, "home -long"), ["Home alone", "A home-made pie"])
        try expectEqual(titles(store, "home -\"long way\" -alone"), ["A home-made pie"])
        try expectEqual(titles(store, "-home"), [], "something has to occur")
        try expectEqual(titles(store, "\"the lo").count, 2, "a phrase that is still being typed")
        try expectEqual(titles(store, "\"the lo\""), [])
    }

    @Test(arguments: [EpisodeOrder.newestFirst, .oldestFirst, .bestFirst])
    func wordsMayBeInTheTitleOfTheFeedIfTheFilterSaysSo(_ order: EpisodeOrder) throws {
        let store = try TemporaryLibrary().open()
        func titled(_ titles: String..., notes: String? = nil) -> [Item] {
            titles.map { title in
                item(Int(title.suffix(1)) ?? 0) { ($0.title, $0.summary, $0.content) = (title, nil, notes) }
            }
        }
        _ = try store.addFeed("a", items: titled("Fog 1", "Sand 2", notes: "of salt"), title: "Lantern Room")
        _ = try store.addFeed("b", items: titled("A lantern 3", "Fog 4", "Sand 5"), title: "海の声 Krümel")
        func found(_ text: String) throws -> Set<String> {
            var filter = EpisodeFilter(text: text)
            filter.searchesFeedTitles = true
            let all = try store.all(filter, order: order, pageSize: 2).map(\.title)
            try expectEqual(store.episodes.count(filter, upTo: 100), .exactly(all.count), "\(text)")
            let ids = try store.all().map(\.id)
            let single = try store.episodes.matching(filter, among: ids).compactMap {
                try store.episodes.episodes([$0]).first
            }
            expectEqual(Set(single.map(\.title)), Set(all), "\(text)")
            expectEqual(Set(all).count, all.count, "\(text)")
            return Set(all)
        }
        try expectEqual(found("lantern"), ["Fog 1", "Sand 2", "A lantern 3"])
        try expectEqual(found("lantern fo"), ["Fog 1"])
        try expectEqual(found("room lantern"), ["Fog 1", "Sand 2"])
        try expectEqual(found("海"), ["A lantern 3", "Fog 4", "Sand 5"])
        try expectEqual(found("kru sand"), ["Sand 5"])
        try expectEqual(found("lantern -salt"), ["A lantern 3"])
        try expectEqual(found("lantern -fog -salt"), ["A lantern 3"])
        try expectEqual(found("room fog -sand"), ["Fog 1"])
        try expectEqual(store.all(EpisodeFilter(text: "lantern"), order: order).map(\.title), ["A lantern 3"])
    }

    @Test func anExcludedWordOfTheNotesCountsToo() throws {
        let store = try store(["Big one", "Big two"], notes: "words of an interview")
        try expectEqual(titles(store, "big -interview"), [])
        try expectEqual(titles(store, "big -nothing").count, 2)
    }

    @Test(arguments: ["東京", "東京散歩", "第十二回 散歩", "\"回東\"", "散"])
    func writingWithoutBlanksIsFoundByAnyPart(_ text: String) throws {
        let store = try store(["第十二回東京散歩", "京都の東"], notes: "これは番組です")
        try expectContains(titles(store, text), "第十二回東京散歩")
        try expectEqual(titles(store, "京東"), [])
        try expectEqual(titles(store, "番組").count, 2)
        try expectEqual(titles(try self.store(["กรุงเทพมหานคร"]), "เทพ").count, 1)
    }

    @Test func titlesComeBeforeNotesAndMoreBeforeLess() throws {
        let store = try TemporaryLibrary().open()
        func notes(_ number: Int, _ title: String, _ text: String) -> Item {
            item(number) { ($0.title, $0.summary, $0.content) = (title, nil, text) }
        }
        _ = try store.addFeed(items: [
            notes(1, "Of a storm", "nothing"), notes(2, "Once", "a storm, once"),
            notes(3, "Often", "storm storm storm storm storm"), notes(4, "Storm warning", "nothing"),
            notes(5, "Once more", "a storm, once"),
        ])
        let page = try store.episodes.page(EpisodeFilter(text: "storm"), order: .bestFirst, at: .first, limit: 10)
        expectEqual(page.episodes.map(\.title), ["Storm warning", "Of a storm", "Often", "Once more", "Once"])
        expectEqual(page.excerpts[page.episodes[4].id], Excerpt(pieces: ["a ", "storm", ", once"]))
        expectEqual(page.excerpts[page.episodes[0].id], nil, "it is in the title alone")
    }

    @Test func pagesOfASearchFollowOneAnother() throws {
        let store = try store((1...95).map { "Talk \($0)" } + ["Other"])
        let filter = EpisodeFilter(text: "talk")
        for order in [EpisodeOrder.bestFirst, .newestFirst, .oldestFirst] {
            let all = try store.all(filter, order: order, pageSize: 10)
            #expect(all.count == 95 && Set(all.map(\.id)).count == 95)
            let last = try store.episodes.page(filter, order: order, at: .last, limit: 10)
            #expect(last.episodes == Array(all.suffix(10)) && last.hasBefore && !last.hasAfter)
            let before = try store.episodes.page(filter, order: order, at: .before(last.episodes[0].key), limit: 10)
            #expect(before.episodes == Array(all[75..<85]) && before.hasBefore && before.hasAfter)
        }
        try expectEqual(store.episodes.count(filter, upTo: 1000), .exactly(95))
    }

    @Test func anExcerptHoldsNoControlCharacter() throws {
        let store = try store(["One"], notes: "so\u{1B}[31m it\u{2} was\nfound\u{9B} here")
        let page = try store.episodes.page(EpisodeFilter(text: "found"), order: .bestFirst, at: .first, limit: 1)
        expectEqual(page.excerpts.values.first, Excerpt(pieces: ["so[31m it was ", "found", " here"]))
    }

    @Test func aTitleIsLookedUpWithoutWaitingForTheNotes() throws {
        let (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...300).map { item($0) })
        try expectEqual(store.episodes.resolveEpisode("Episode 271").title, "Episode 271")
        try expectEqual(library.number("SELECT titled_through FROM index_state"), 300)
        try expectEqual(library.number("SELECT searched_through FROM index_state"), 0)
    }

    @Test func aShortPrefixIsAWholeWordInTheNotesOfALargeLibrary() throws {
        let (library, store) = try openLibrary()
        _ = try store.addFeed(items: [
            item(1) { ($0.title, $0.summary, $0.content) = ("Stormy", nil, nil) },
            item(2) { ($0.title, $0.summary, $0.content) = ("Calm", nil, "a storm") },
        ])
        try expectEqual(titles(store, "sto"), ["Stormy", "Calm"])
        try library.connection().execute("UPDATE index_state SET searched_through = 100000")
        for prefix in ["s", "st", "sto"] { try expectEqual(titles(store, prefix), ["Stormy"]) }
        try expectEqual(titles(store, "stor"), ["Stormy", "Calm"])
    }

    @Test func anEpisodeIsFoundByNumberURLAndPartOfItsTitle() throws {
        let store = try store(["The Grand Tour", "Grand finale", "A tour"])
        try expectEqual(store.episodes.resolveEpisode("2").title, "Grand finale")
        try expectEqual(store.episodes.resolveEpisode("https://cdn.example/show/3.mp3").title, "A tour")
        try expectEqual(store.episodes.resolveEpisode("finale").title, "Grand finale")
        try expectEqual(store.episodes.resolveEpisode("the grand").title, "The Grand Tour")
        try expectEqual(store.episodes.resolveEpisode("inal").title, "Grand finale", "a part inside of a word")
        let several = #expect(throws: LibraryError.self) { try store.episodes.resolveEpisode("grand") }
        guard case .ambiguous("grand", of: .episode, let candidates)? = several else {
            Issue.record("\(String(describing: several))")
            return
        }
        expectEqual(Set(candidates.map { "\($0.label) \($0.title)" }), ["e2 Grand finale", "e1 The Grand Tour"])
        #expect(throws: LibraryError.notFound("4711", of: .episode)) { try store.episodes.resolveEpisode("4711") }
        #expect(throws: LibraryError.notFound("https://cdn.example/none.mp3", of: .episode)) {
            try store.episodes.resolveEpisode("https://cdn.example/none.mp3")
        }
        #expect(throws: LibraryError.notFound("", of: .episode)) { try store.episodes.resolveEpisode("") }
    }

    @Test func aWholeTitleGoesBeforeAPart() throws {
        let store = try store(["Tour", "Tour de France"])
        try expectEqual(store.episodes.resolveEpisode("tour").title, "Tour")
    }

    @Test func aNumberIsNeverATitle() throws {
        let store = try store(["1984"])
        #expect(throws: LibraryError.notFound("1984", of: .episode)) { try store.episodes.resolveEpisode("1984") }
        try expectEqual(store.episodes.resolveEpisode("e1").title, "1984")
    }

    @Test func aTitleIsFoundInAnySpellingOfItsLetters() throws {
        let store = try store(["Die große Straße nach Kraków", "Fuß und Fluß"])
        try expectEqual(store.episodes.resolveEpisode("grosse strasse").title, "Die große Straße nach Kraków")
        try expectEqual(store.episodes.resolveEpisode("KRAKOW").title, "Die große Straße nach Kraków")
        try expectEqual(store.episodes.resolveEpisode("fluss fuss").title, "Fuß und Fluß")
        try expectEqual(store.episodes.resolveEpisode("straße").title, "Die große Straße nach Kraków")
    }

    @Test func aNameMeansFeedsEpisodesAndRangesOfIds() throws {
        let store = try store(["One", "Two", "Three"])
        let feed = try store.feeds.feeds()[0]
        func named(_ word: String, _ kind: NamedKind = .feedOrEpisode) throws -> [NamedCandidate.Object] {
            try store.names.resolve(Name(word, number: .episode), word: word, kind, isExact: true)
        }
        try expectEqual(named("e2"), [.episode(EpisodeID(2))])
        try expectEqual(named("e2-e9"), [.episode(EpisodeID(2)), .episode(EpisodeID(3))])
        try expectEqual(named(feed.id.label), [.feed(feed.id)])
        try expectEqual(named(feed.title), [.feed(feed.id)])
        try expectEqual(named(feed.url), [.feed(feed.id)])
        _ = try store.queue.insertEntries([EpisodeID(3), EpisodeID(1)], at: 0)
        try expectEqual(named("#1"), [.episode(EpisodeID(3))])
        try expectEqual(named("#1-2"), [.episode(EpisodeID(3)), .episode(EpisodeID(1))])
        #expect(throws: LibraryError.notFound("#3", of: .entry)) { try named("#3") }
        #expect(throws: LibraryError.notFound("e7", of: .feedOrEpisode)) { try named("e7") }
        #expect(throws: LibraryError.otherKind("e2", needed: .feed)) { try named("e2", .feed) }
        #expect(throws: LibraryError.otherKind("f1", needed: .episode)) { try named("f1", .episode) }
        #expect(
            throws: LibraryError.inexact(
                "thre",
                NamedCandidate(
                    .episode(EpisodeID(3)), title: "Three", feedTitle: try store.feeds.feed(FeedID(1)).title,
                    published: try store.episodes.episode(EpisodeID(3)).published))
        ) { try named("thre") }
    }

    @Test func titlesWithoutSpacesBetweenWordsAreFoundByAPart() throws {
        let store = try store(["第十二回東京散歩"])
        try expectEqual(store.episodes.resolveEpisode("東京").title, "第十二回東京散歩")
    }

    @Test func whoNamesAnEpisodeDoesNotWaitForTheIndexOfWords() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: [item(1), item(2)])
        while try store.performMaintenance() {}
        let through = "SELECT searched_through FROM index_state"
        let indexed = try library.number(through)
        let more = (1...300).map { number in item(number) { if number < 3 { $0.title = "Renamed \(number)" } } }
        _ = try store.refreshes.merge(document(more), into: feed, fetched())
        try expectEqual(store.episodes.resolveEpisode("renamed 2").enclosure.url, more[1].enclosures[0].url)
        try expectEqual(store.episodes.resolveEpisode("episode 250").enclosure.url, more[249].enclosures[0].url)
        try expectEqual(library.number(through), indexed)
    }
}
