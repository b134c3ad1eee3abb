internal import ControlLanguage
internal import ControlProtocol
internal import Downloads
public import Library
public import PodcastModel
public import Queueing
internal import Refreshing

// The daemon's services as ports of other modules.

extension QueueService: UndoQueue {}

extension QueueService: RuleQueue {
    public func applyRulesToNew(at now: Timestamp) async throws -> RuleOutcome {
        try await judge { store, nextIndex in
            try store.rules.judgeNewEpisodes(nextIndex: nextIndex, at: now)
        } outcome: {
            $0
        }
    }

    public func applyRulesToStored(
        of feed: FeedID?, after place: EpisodeKey?, at now: Timestamp
    ) async throws -> (outcome: RuleOutcome, next: EpisodeKey?) {
        try await judge { store, nextIndex in
            try store.rules.judgeStoredEpisodes(feed: feed, after: place, nextIndex: nextIndex, at: now)
        } outcome: {
            $0.outcome
        }
    }
}

/// Looks at a feed through podcast-refresh.
struct RefreshLookup: FeedLookup {
    let refresher: RefreshRunners

    func feed(at url: String) async throws -> FoundFeed? {
        let outcome = try await refresher.run(["add", "--urls-only", "--newest"], on: [url])
        let answer = SubscriptionsReply(json: outcome.document)?.feeds.first
        if let feed = answer?.feed { return .subscribed(feed.feed.id) }
        return answer?.found.map { found in
            .other(
                title: found.title, url: found.url,
                newest: found.newestURL.map { FoundEpisode(url: $0, title: found.newestTitle) })
        }
    }
}

struct ManagedDownloads: DownloadManaging {
    let manager: DownloadManager

    func retry(_ episodes: [EpisodeID]) async { await manager.retry(episodes) }
    func remove(_ episodes: [Episode]) async throws { try await manager.remove(episodes) }
    func description(of episode: EpisodeID) async -> String { await manager.description(of: episode) }

    func wholeFiles() async -> [String: String] { await manager.wholeFiles }
    func wholeFile(url: String) async -> String? { await manager.wholeFile(url: url) }

    func states() async -> [EpisodeID: DownloadState] {
        await manager.failures.mapValues { .failed(reason: $0.reason, retryAfter: $0.retryAfter) }.merging(
            await manager.underWay.map { [$0.episode: .underWay(progress: $0.progress)] } ?? [:]
        ) { $1 }
    }
}
