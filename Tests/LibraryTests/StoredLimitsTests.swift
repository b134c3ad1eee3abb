@testable import Library
import PodcastModel
import Testing
import TestSupport

/// What the library stores of documents that say more than any publisher needs.
struct StoredLimitsTests {
    private static let inline = "data:image/png;base64," + String(repeating: "A", count: 900_000)
    private static let long = "https://cdn.example/" + String(repeating: "a", count: StoredLimits.urlBytes)

    @Test(arguments: [inline, long, "DATA:image/gif;base64,R0lGOD"])
    func longAndInlineURLsAreNotStored(url: String) throws {
        let (library, store) = try openLibrary()
        var contents = document([
            item(1) {
                ($0.image, $0.facts.link, $0.chaptersURL) = (url, url, url)
                $0.enclosures.append(Enclosure(url: url))
                $0.transcripts = [TranscriptReference(url: url), TranscriptReference(url: "https://cdn.example/1.vtt")]
                $0.details.persons = [Person(name: "Ada", href: url, image: url)]
                $0.chapters = [Chapter(start: MediaTime(seconds: 0), title: "One", link: url, image: url)]
            },
            item(2) { $0.enclosures = [Enclosure(url: url)] },
            item(3),
        ])
        contents.channel.image = url
        contents.channel.link = url
        contents.channel.details.funding = [Funding(url: url, text: "Give")]
        let feed = try store.feeds.addFeed(url: "https://feeds.example/long", title: nil, at: day0)
        let result = try store.refreshes.merge(contents, into: feed, fetched())

        #expect(result.added.count == 2 && result.skipped == 1)
        expectEqual(result.leftOut.urls, 13)
        for table in ["episode", "transcript", "person", "chapter", "episode_details", "feed", "feed_details"] {
            let longest = try library.number(
                "SELECT coalesce(max(length(quote(t.\(Self.columns[table] ?? "image")))), 0) FROM \(table) t")
            #expect(longest < 200, "\(table): \(longest)")
        }
        try expectEqual(
            store.refreshes.merge(contents, into: feed, fetched()).changed, [], "the same again writes nothing")
    }

    @Test(arguments: ["<p>Before</p><img src=\"\(inline)\"><p>After</p>", "Before &lt;img src='\(inline)'&gt; After"])
    func textAfterAnInlinePictureIsKept(notes: String) throws {
        let store = try TemporaryLibrary().open()
        let feed = try store.feeds.addFeed(url: "https://feeds.example/pictures", title: nil, at: day0)
        let result = try store.refreshes.merge(document([item(1) { $0.content = notes }]), into: feed, fetched())
        #expect(result.leftOut.urls == 1 && result.leftOut.textBytes == 0)
        let stored = try store.episodes.notes(of: try #require(result.added.first)).content?.words ?? ""
        #expect(stored.contains("Before") && stored.contains("After") && !stored.contains("AAAA"))
    }

    private static let columns = [
        "transcript": "url", "episode_details": "document", "feed_details": "document",
    ]

    @Test func listsAndTextsOfAnEpisodeAreBoundedAndCounted() throws {
        let (library, store) = try openLibrary()
        let many = item(1) {
            $0.enclosures += (0..<2_000).map { Enclosure(url: "https://cdn.example/\($0)") }
            $0.chapters = (0..<2_000).map { Chapter(start: MediaTime(milliseconds: Int64($0) * 1_000), title: "x") }
            $0.transcripts = (0..<2_000).map { TranscriptReference(url: "https://cdn.example/\($0).vtt") }
            $0.details.persons = (0..<2_000).map { Person(name: "Person \($0)") }
            $0.content = String(repeating: "ü", count: StoredLimits.notesBytes)
            $0.guid = String(repeating: "g", count: 100_000)
        }
        let feed = try store.feeds.addFeed(url: "https://feeds.example/many", title: nil, at: day0)
        let result = try store.refreshes.merge(document([many]), into: feed, fetched())
        try expectEqual(library.number("SELECT count(*) FROM chapter"), 1_000)
        try expectEqual(library.number("SELECT count(*) FROM transcript"), 50)
        try expectEqual(library.number("SELECT count(*) FROM person"), 100)
        try expectEqual(
            library.number("SELECT length(CAST(content AS BLOB)) FROM episode_notes"), StoredLimits.notesBytes)
        #expect(try library.number("SELECT length(guid) FROM episode") < 100)
        expectEqual(result.leftOut.listMembers, 8_001 - 50 - 1_000 - 50 - 100)
        expectEqual(result.leftOut.textBytes, StoredLimits.notesBytes + 100_000)
        try expectEqual(store.refreshes.merge(document([many]), into: feed, fetched()).changed, [])
    }

    @Test func anHonestArchiveIsStoredWhole() throws {
        let items = (1...200).map { number in
            item(number) {
                $0.content = String(repeating: "<p>Notes of \(number).</p>", count: 500)
                $0.transcripts = ["vtt", "srt", "json"].map {
                    TranscriptReference(url: "https://cdn.example/\(number).\($0)")
                }
                $0.image = "https://cdn.example/\(number).jpg"
            }
        }
        var leftOut = LeftOut()
        let sizes = try items.map { item in try MergeItem(item, &leftOut).storedBytes }
        expectEqual(leftOut, LeftOut())
        #expect(sizes.reduce(0, +) * 100 < StoredLimits.feedBytes, "20,000 such episodes fit")
    }

    // MARK: The share of a feed

    private func feed(limit: (episodes: Int, bytes: Int64)) throws -> MergedFeed {
        let feed = try MergedFeed((1...10).map { item($0) })
        feed.store.feedLimit = limit
        return feed
    }

    @Test func whatAFeedDroppedAndNobodyTouchedMakesRoomTheOldestFirst() throws {
        let feed = try feed(limit: (episodes: 15, bytes: .max))
        let ids = try feed.store.all(order: .oldestFirst).map(\.id)
        try feed.store.episodes.setPlayed(true, [ids[0]], at: day0)
        _ = try feed.store.queue.insertEntries([ids[1]], at: 0)
        try feed.store.episodes.setStarred(true, [ids[2]])
        try feed.store.episodes.setNote("remember", of: ids[3])
        try feed.store.episodes.savePosition(MediaTime(seconds: 5), of: ids[4], at: day0, isDurable: true)
        try feed.store.downloads.requestDownloads(of: [ids[5]], at: day0)
        let result = try feed.merge((11...18).map { item($0) })
        expectEqual(result.added.count, 8)
        #expect(result.leftOut.removedEpisodes == 3 && result.leftOut.items == 0)
        let titles = try feed.store.all(order: .oldestFirst).map(\.title)
        expectEqual(titles, ([1, 2, 3, 4, 5, 6, 10] + (11...18)).map { "Episode \($0)" })
    }

    @Test func whatAFullFeedListsAgainMakesNoRoom() throws {
        let feed = try feed(limit: (episodes: 15, bytes: .max))
        _ = try feed.merge((3...10).map { item($0) })
        let again = item(1) { $0.transcripts = [TranscriptReference(url: "https://cdn.example/1.vtt")] }
        let result = try feed.merge([again] + (11...17).map { item($0) })
        #expect(result.added.count == 7 && result.leftOut.removedEpisodes == 2)
        let titles = try feed.store.all(order: .oldestFirst).map(\.title)
        #expect(titles.contains("Episode 1") && !titles.contains("Episode 2"))
    }

    @Test func theOldestNewItemsAreLeftOutWhereNothingCanMakeRoom() throws {
        let feed = try feed(limit: (episodes: 12, bytes: .max))
        let result = try feed.merge((1...16).map { item($0) })
        #expect(result.added.count == 2 && result.leftOut.items == 4 && result.leftOut.removedEpisodes == 0)
        try expectEqual(feed.store.all().map(\.title).prefix(2), ["Episode 16", "Episode 15"])
        try expectEqual(feed.merge((1...16).map { item($0) }).added, [])
    }

    @Test func aFeedThatRenewsEverythingAtEachRefreshStopsGrowing() throws {
        let feed = try feed(limit: (episodes: 1_000, bytes: 40_000))
        var pages: [Int] = []
        for generation in 1...8 {
            let items = (1...20).map { number in
                item(generation * 100 + number) { $0.content = String(repeating: "x", count: 500) }
            }
            _ = try feed.merge(items)
            while try feed.store.performMaintenance() {}
            pages.append(try feed.library.number("PRAGMA page_count"))
        }
        #expect(try feed.store.all().count <= 40)
        #expect(pages[7] <= pages[3] + 5, "\(pages)")
    }

    @Test func aPreviewNamesWhatWouldNotBeStored() throws {
        let feed = try feed(limit: (episodes: 10, bytes: .max))
        let id = try feed.store.feeds.feeds()[0].id
        let preview = try feed.store.identity.previewMerge(
            document((1...11).map { item($0) { $0.image = Self.inline } }), .whole, into: id, at: day0)
        #expect(preview.leftOut.items == 1 && preview.leftOut.urls == 11)
        expectEqual(preview.rows.last?.outcome, .skipped(.beyondShare))
        expectEqual(preview.leftOut.lines.count, 2)
    }
}
