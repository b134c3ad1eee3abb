internal import Configuration
internal import FeedRefresh
internal import Library
internal import LibraryModel
internal import PodcastModel

extension LibrarySession {
    /// Has the rules judge what came, and drops what no policy keeps, unless a daemon has this library: it does so itself
    /// when it is told of the feeds, because the queue that its clients share is its own. What is left over here waits
    /// in the library.
    func applyRules(_ clock: any RefreshClock) {
        if LibraryLock.isHeld(.daemon, in: folder.path) { return }
        do throws(LibraryError) {
            while try store.rules.judgeNewEpisodes(nextIndex: nil, at: clock.wallTime).hasMore {}
            while try store.retention.restoreKept(at: clock.wallTime).hasMore {}
            for feed in try store.retention.feedsUnderRetention(at: clock.wallTime) {
                while try !store.retention.archiveDropped(of: feed, at: clock.wallTime).isEmpty {}
            }
        } catch {
            // The feeds are refreshed; rules and retention go on from here the next time.
            return
        }
    }
}
