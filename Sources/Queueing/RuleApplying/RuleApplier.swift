public import Library
public import PodcastModel

/// The queue functions that `RuleApplier` needs, because rules may queue episodes. Each call is one short commit.
public protocol RuleQueue: Sendable {
    func applyRulesToNew(at now: Timestamp) async throws -> RuleOutcome
    /// Applies the rules to the next stored episodes after `place`.
    /// - Returns: the outcome, and the next place; nil at the end.
    func applyRulesToStored(
        of feed: FeedID?, after place: EpisodeKey?, at now: Timestamp
    ) async throws -> (outcome: RuleOutcome, next: EpisodeKey?)
}

/// Applies rules to new episodes and then the retention policies.
///
/// Only a running daemon applies rules; podcast-refresh only reports merged episodes, so that the shared queue is
/// edited in one process. Episodes that arrive without a daemon wait in the library.
public struct RuleApplier: Sendable {
    private let library: any LibraryAccess
    private let queue: any RuleQueue
    private let now: @Sendable () -> Timestamp
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void

    /// - Parameter episodesChanged: called with the episodes after changes that clients see.
    public init(
        library: any LibraryAccess, queue: any RuleQueue, now: @escaping @Sendable () -> Timestamp,
        episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.library = library
        self.queue = queue
        self.now = now
        self.episodesChanged = episodesChanged
    }

    /// Applies the rules to new episodes, then hides episodes that no policy keeps.
    /// - Returns: the number of new episodes, if there are rules.
    @discardableResult
    public func settle() async -> Int {
        let now = now()
        var judged = 0
        while let outcome = try? await queue.applyRulesToNew(at: now) {
            judged += outcome.judged
            if !outcome.changed.isEmpty { episodesChanged(outcome.changed) }
            if !outcome.hasMore { break }
        }
        while let restored = try? await library.perform({ try $0.retention.restoreKept(at: now) }) {
            if !restored.episodes.isEmpty { episodesChanged(restored.episodes) }
            if !restored.hasMore { break }
        }
        guard let feeds = try? await library.perform({ try $0.retention.feedsUnderRetention(at: now) }) else {
            return judged
        }
        for feed in feeds {
            while let dropped = try? await library.perform({ try $0.retention.archiveDropped(of: feed, at: now) }),
                !dropped.isEmpty
            {
                episodesChanged(dropped)
            }
        }
        return judged
    }

    /// Applies the rules to new stored episodes, on a user's request.
    /// - Returns: the number of episodes, and the number that a rule changed.
    public func apply(to feed: FeedID?) async throws -> (judged: Int, changed: Int) {
        var (judged, changed) = (0, 0)
        var place: EpisodeKey?
        let now = now()
        repeat {
            let (outcome, next) = try await queue.applyRulesToStored(of: feed, after: place, at: now)
            judged += outcome.judged
            changed += outcome.changed.count
            if !outcome.changed.isEmpty { episodesChanged(outcome.changed) }
            place = next
        } while place != nil
        return (judged, changed)
    }
}
