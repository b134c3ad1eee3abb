public import PodcastModel
internal import SystemCalls

/// The feeds that this process refreshes, so that no other one fetches them at the same time. A feed of another process delays
/// only itself. The claims end with the process.
public final class RefreshClaims {
    private let locks: RangeLocks
    private var ours: Set<FeedID> = []

    /// - Parameter directory: the library's folder.
    /// - Throws: `unavailable` if the lock file cannot be opened.
    public init(in directory: String) throws(LibraryLockError) {
        let path = "\(directory)/\(LibraryLock.Role.refresher.rawValue)"
        do throws(SystemError) { locks = try RangeLocks(path: path) } catch {
            throw .unavailable("\(path): \(error.reason)")
        }
    }

    /// Claims a feed; false if another process refreshes it.
    public func claim(_ feed: FeedID) -> Bool {
        if ours.contains(feed) { return true }
        // Without working locks a feed may be fetched twice, which does no harm.
        guard (try? locks.tryLock(feed.rawValue)) ?? true else { return false }
        ours.insert(feed)
        return true
    }

    public func release(_ feed: FeedID) {
        if ours.remove(feed) != nil { locks.unlock(feed.rawValue) }
    }
}
