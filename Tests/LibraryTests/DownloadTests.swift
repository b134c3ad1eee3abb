import Library
import LibraryModel
import PodcastModel
import Testing

/// Wishes to keep episodes on disk, and what becomes of them.
struct DownloadTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func aWishBecomesAKeptEpisode() throws {
        let (store, ids) = try storeWithThree()
        try store.wishDownloads(of: [ids[1]], at: now)
        try store.wishDownloads(of: [ids[0]], at: now.adding(seconds: 1))
        #expect(try store.downloadNeeds(limit: 9) == DownloadNeeds(wishes: [ids[1], ids[0]]))
        #expect(try store.downloadIsComplete(ids[1]))
        #expect(try store.downloadNeeds(limit: 9) == DownloadNeeds(wishes: [ids[0]], keptCount: 1))
        #expect(try store.downloadedEpisodes() == [ids[1]])
        // What is kept is not fetched again.
        try store.wishDownloads(of: [ids[1]], at: now)
        #expect(try !store.isDownloadWished(of: ids[1]))
        #expect(throws: LibraryError.notFound("episode 99")) {
            try store.wishDownloads(of: [ids[2], EpisodeID(99)], at: now)
        }
        #expect(try !store.isDownloadWished(of: ids[2]))
    }

    @Test func aWishThatWasTakenBackIsNotFulfilled() throws {
        let (store, ids) = try storeWithThree()
        try store.wishDownloads(of: [ids[0]], at: now)
        try store.dropDownloads(of: [ids[0]])
        #expect(try !store.downloadIsComplete(ids[0]))
        #expect(try store.downloadNeeds(limit: 9).isEmpty)
    }

    @Test func whatWasPlayedIsKeptNoLongerUnlessItIsStarred() throws {
        let (store, ids) = try storeWithThree()
        try store.setStarred(true, [ids[0]])
        try store.wishDownloads(of: ids, at: now)
        for id in ids.prefix(2) { #expect(try store.downloadIsComplete(id)) }
        try store.setPlayed(true, ids, at: now)
        #expect(try store.downloadNeeds(limit: 9) == DownloadNeeds(keptCount: 1))
        #expect(try store.downloadedEpisodes() == [ids[0]])
        // Who wants to hear it again may keep it again.
        try store.wishDownloads(of: [ids[1]], at: now)
        #expect(try store.isDownloadWished(of: ids[1]))
    }
}
