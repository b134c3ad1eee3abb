internal import Configuration
internal import FeedRefresh
internal import Library
internal import LibraryModel
internal import PodcastModel

extension LibrarySession {
    /// Applies rules to new episodes and then the retention policies, unless a daemon has this library: the daemon does so
    /// itself when the refresh is reported to it, because it owns the queue. Episodes that are not processed here wait in
    /// the library.
    func applyRules(_ clock: any RefreshClock) {
        if LibraryLock.isHeld(.daemon, in: folder.path) { return }
        do throws(LibraryError) {
            while try store.rules.judgeNewEpisodes(nextIndex: nil, at: clock.wallTime).hasMore {}
            while try store.retention.restoreKept(at: clock.wallTime).hasMore {}
            for feed in try store.retention.feedsUnderRetention(at: clock.wallTime) {
                while try !store.retention.archiveDropped(of: feed, at: clock.wallTime).isEmpty {}
            }
        } catch {
            // The feeds are refreshed; rules and retention continue from here the next time.
            return
        }
    }
}
