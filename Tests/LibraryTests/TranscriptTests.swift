@testable import Library
import PodcastModel
import Testing
import TestSupport

/// Chapters and transcripts that were fetched.
struct TranscriptTests {
    private let fetch = TextFetch(url: "https://cdn.example/1.vtt", time: day0, etag: "\"x\"", language: "en")

    private func cue(_ start: Int, _ text: String, by speaker: String? = nil) -> Cue {
        Cue(
            start: MediaTime(seconds: Double(start)), end: MediaTime(seconds: Double(start) + 4), speaker: speaker,
            text: text)
    }

    private func filled() throws -> LibraryStore {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed(items: [item(1), item(2)])
        try store.texts.storeTranscript(
            [
                cue(0, "Welcome to the show.", by: "Ann"), cue(5, "Glad to be here.", by: "Bob"),
                cue(10, "We talk about\nlighthouses.", by: "Bob"), cue(3700, "The old lighthouse keeper", by: "Ann"),
                cue(3705, "was never seen again."),
            ], of: EpisodeID(1), fetch)
        try store.texts.storeTranscript([Cue(text: "A lighthouse without a time")], of: EpisodeID(2), fetch)
        return store
    }

    @Test func aTranscriptIsGivenBackAsItWasStored() throws {
        let store = try filled()
        let page = try store.texts.transcript(of: EpisodeID(1), from: 0, limit: 3)
        #expect(page.cues.map(\.speaker) == ["Ann", "Bob", "Bob"] && page.hasAfter)
        expectEqual(page.cues[2].text, "We talk about lighthouses.")
        let rest = try store.texts.transcript(of: EpisodeID(1), from: 3, limit: 100)
        #expect(rest.cues.map(\.start) == [MediaTime(seconds: 3700), MediaTime(seconds: 3705)] && !rest.hasAfter)
        #expect(rest.cues[1].end == MediaTime(seconds: 3709) && rest.cues[1].speaker == nil)
        try expectEqual(
            store.texts.transcript(of: EpisodeID(2), from: 0, limit: 9).cues,
            [Cue(text: "A lighthouse without a time")])
        try expectEqual(store.texts.textSources(of: EpisodeID(1)).tries, [.transcript: fetch])
    }

    @Test func whatIsSaidIsFoundWithItsTimeAndTheWordsAround() throws {
        let store = try filled()
        let places = try store.episodes.transcriptMatches("lighthouse", in: EpisodeID(1), after: nil, limit: 10)
        try #require(places.map(\.cue.start) == [MediaTime(seconds: 10), MediaTime(seconds: 3700)])
        expectEqual(places[1].excerpt, Excerpt(pieces: ["The old ", "lighthouse", " keeper"]))
        #expect(places[1].after == "was never seen again." && places[1].before == nil)
        try expectEqual(
            store.episodes.transcriptMatches("\"lighthouse keeper\"", in: nil, after: nil, limit: 10).count, 1)
        try expectEqual(
            store.episodes.transcriptMatches("lighthouse", in: nil, after: nil, limit: 10).map(\.episode.id.rawValue),
            [2, 1, 1])
        try expectEqual(
            store.episodes.transcriptMatches("keeper again", in: nil, after: nil, limit: 10).isEmpty, false,
            "words of neighbouring cues")
        try expectEqual(store.episodes.transcriptMatches("nowhere", in: nil, after: nil, limit: 10), [])
        #expect(throws: LibraryError.self) {
            try store.episodes.transcriptMatches("x", in: EpisodeID(99), after: nil, limit: 1)
        }
    }

    @Test(arguments: 1...4) func placesArePagedWithoutGapsOrRepetitions(limit: Int) throws {
        let store = try filled()
        // Passages of two transcripts that were stored at the same time.
        try store.texts.storeTranscript([cue(20, "Another lighthouse, and a lighthouse")], of: EpisodeID(2), fetch)
        for episode in [nil, EpisodeID(1)] {
            let all = try store.episodes.transcriptMatches("lighthouse", in: episode, after: nil, limit: 100)
            var pages: [TranscriptMatch] = []
            while true {
                let page = try store.episodes.transcriptMatches(
                    "lighthouse", in: episode, after: pages.last?.key, limit: limit)
                if page.isEmpty { break }
                pages += page
            }
            #expect(pages == all && all.count == (episode == nil ? 3 : 2))
        }
    }

    @Test func aSearchFindsEpisodesByWhatIsSaidInThem() throws {
        let store = try filled()
        let page = try store.episodes.page(EpisodeFilter(text: "keeper"), order: .bestFirst, at: .first, limit: 10)
        expectEqual(page.episodes.map(\.id), [EpisodeID(1)])
        expectEqual(page.excerpts[EpisodeID(1)]?.pieces, ["The old lighthouse ", "keeper", " was never seen again."])
        try expectEqual(store.all(EpisodeFilter(isStarred: true, text: "keeper")), [])
        try store.episodes.setStarred(true, [EpisodeID(1)])
        try expectEqual(store.all(EpisodeFilter(isStarred: true, text: "keeper")).count, 1)
        try expectEqual(
            store.episodes.matching(EpisodeFilter(text: "keeper"), among: [EpisodeID(2), EpisodeID(1)]), [EpisodeID(1)])
    }

    @Test func whatMustNotOccurMustNotBeSaidEither() throws {
        let store = try filled()
        func found(_ text: String) throws -> [EpisodeID] { try store.all(EpisodeFilter(text: text)).map(\.id) }
        try expectEqual(found("lighthouse").count, 2)
        try expectEqual(found("lighthouse -keeper"), [EpisodeID(2)], "said a minute away from the lighthouse counts")
        try expectEqual(found("lighthouse -welcome"), [EpisodeID(2)])
        try expectEqual(found("keeper -\"Episode 1\""), [], "its title counts too")
        try expectEqual(found("episode -keeper"), [EpisodeID(2)], "what notes have is not said")
        try expectEqual(found("keeper -elsewhere"), [EpisodeID(1)])
        try expectEqual(
            store.episodes.matching(EpisodeFilter(text: "episode -keeper"), among: [EpisodeID(1), EpisodeID(2)]),
            [EpisodeID(2)])
    }

    @Test func aNewTranscriptTakesThePlaceOfTheOldOne() throws {
        let store = try filled()
        while try store.performMaintenance() {}
        try store.texts.storeTranscript([cue(1, "Something else")], of: EpisodeID(1), fetch)
        try expectEqual(store.episodes.transcriptMatches("keeper", in: nil, after: nil, limit: 9), [])
        try expectEqual(store.episodes.transcriptMatches("else", in: nil, after: nil, limit: 9).count, 1)
    }

    @Test func chaptersOfTheFeedGoBeforeFetchedOnes() throws {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed(items: [item(1), item(2) { $0.chapters = [Chapter(start: .zero, title: "Own")] }])
        for id in [1, 2] as [Int64] {
            try store.texts.storeChapters([Chapter(start: .zero, title: "Fetched")], of: EpisodeID(id), fetch)
        }
        try expectEqual(store.episodes.notes(of: EpisodeID(1)).chapters.map(\.title), ["Fetched"])
        try expectEqual(store.episodes.notes(of: EpisodeID(2)).chapters.map(\.title), ["Own"])
    }

    @Test func documentsAreAskedForAgainAfterADayAndLaterAfterFailures() {
        var sources = EpisodeTextSources(chaptersURL: "https://cdn.example/1.json")
        #expect(sources.isDue(.chapters, at: day0) && !sources.isDue(.transcript, at: day0))
        sources.tries[.chapters] = fetch
        #expect(!sources.isDue(.chapters, at: day0.adding(seconds: 86_000)))
        #expect(sources.isDue(.chapters, at: day0.adding(days: 1)))
        #expect(sources.isDue(.chapters, at: day0.adding(days: -3)), "the clock went back")
        for (failures, minutes) in [(1, 15), (2, 60), (3, 240), (8, 10_080), (99, 10_080)] as [(Int, Int64)] {
            sources.tries[.chapters] = TextFetch(url: "x", time: day0, failures: failures)
            #expect(!sources.isDue(.chapters, at: day0.adding(seconds: minutes * 60 - 1)), "\(failures)")
            #expect(sources.isDue(.chapters, at: day0.adding(seconds: minutes * 60)), "\(failures)")
        }
    }
}
