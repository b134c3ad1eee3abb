internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Has the rules judge what came, and drops what no policy keeps.
///
/// While a daemon runs it is the only one who judges: podcast-refresh tells it what it merged, so the queue that all
/// clients share is edited where it lives. What came while nobody judged waits in the library.
struct RuleKeeper: Sendable {
    let library: LibraryService
    let queue: QueueService
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    /// Judges what is new and drops what is due, in short pieces between which others get their turn. What fails, on a
    /// full disk for example, is done after the next change.
    func settle() async {
        while let outcome = try? await judgeNew(), outcome.hasMore {}
        let now = now()
        while let restored = try? await library.perform({ try $0.restoreKept(at: now) }), restored.hasMore {
            if !restored.episodes.isEmpty { changes.changed(.episodes) }
        }
        guard let feeds = try? await library.perform({ try $0.feedsUnderRetention(at: now) }) else { return }
        for feed in feeds {
            while let dropped = try? await library.perform({ try $0.archiveDropped(of: feed, at: now) }),
                !dropped.isEmpty
            {
                changes.changed(.episodes)
            }
        }
    }

    /// Judges what is stored and new, because somebody asks for it.
    func apply(to feed: FeedID?) async throws -> (judged: Int, changed: Int) {
        var (judged, acted): (Int, Int) = (0, 0)
        var place: EpisodeKey?
        let now = now()
        repeat {
            let from = place
            let (outcome, next) = try await queue.judge { store, nextIndex in
                try store.judgeStoredEpisodes(feed: feed, after: from, nextIndex: nextIndex, at: now)
            } outcome: {
                $0.outcome
            }
            judged += outcome.judged
            acted += outcome.changed.count
            if !outcome.changed.isEmpty { changes.changed(.episodes) }
            place = next
        } while place != nil
        return (judged, acted)
    }

    private func judgeNew() async throws -> RuleOutcome {
        let now = now()
        let outcome = try await queue.judge { store, nextIndex in
            try store.judgeNewEpisodes(nextIndex: nextIndex, at: now)
        } outcome: {
            $0
        }
        if !outcome.changed.isEmpty { changes.changed(.episodes) }
        return outcome
    }
}
