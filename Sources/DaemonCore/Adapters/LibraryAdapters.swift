internal import ControlLanguage
internal import ControlProtocol
internal import Downloads
internal import JSON
internal import Library
public import LibraryModel
public import PlayChoosing
internal import Playback
internal import Playlist
public import PodcastModel
internal import Refreshing
public import RuleApplying
public import SharedQueue
public import UserActions
internal import WireMapping

// The daemon's services as ports of other modules.

extension LibraryService: LibraryAccess {
    nonisolated func access<Result: Sendable>(
        _ job: @Sendable (any LibraryStores) throws -> Result
    ) async throws -> Result {
        try await perform { try job($0) }
    }

    nonisolated func query<Result: Sendable>(
        _ job: @escaping @Sendable (any LibraryStores) throws -> Result
    ) async throws -> Result {
        try await read { try job($0) }
    }
}

extension QueueService: ChoiceQueue, UndoQueue, RuleQueue {
    /// See `ChoiceQueue`.
    public var queuedEpisodes: Set<EpisodeID> { Set(snapshot.entries.map(\.episode)) }

    /// See `RuleQueue`.
    public func applyRulesToNew(at now: Timestamp) async throws -> RuleOutcome {
        try await judge { store, nextIndex in
            try store.rules.judgeNewEpisodes(nextIndex: nextIndex, at: now)
        } outcome: {
            $0
        }
    }

    /// See `RuleQueue`.
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
        guard let answer = outcome.document["feeds"]?.arrayValue?.first else { return nil }
        if let id = answer["id"]?.integerValue { return .subscribed(FeedID(id)) }
        guard let feed = answer["feedURL"]?.stringValue else { return nil }
        let newest = answer["newest"].flatMap { newest in
            newest["url"]?.stringValue.map { FoundEpisode(url: $0, title: newest["title"]?.stringValue) }
        }
        return .other(title: answer["title"]?.stringValue, url: feed, newest: newest)
    }
}

struct PlayerActions: SeekingPlayer {
    let player: Player

    var status: PlayerStatus { player.status }
    func seek(_ time: TimeArgument) async throws { try await player.seek(time) }
    func previous() async throws { try await player.previous() }
    func stop() async throws { try await player.stop() }
}

struct ManagedDownloads: DownloadManaging {
    let manager: DownloadManager

    func retry(_ episodes: [EpisodeID]) async { await manager.retry(episodes) }
    func remove(_ episodes: [Episode]) async throws { try await manager.remove(episodes) }
    func description(of episode: EpisodeID) async -> String { await manager.description(of: episode) }

    func states() async -> [EpisodeID: DownloadState] {
        await manager.failures.mapValues { .failed(reason: $0.reason, retryAfter: $0.retryAfter) }.merging(
            await manager.underWay.map { [$0.episode: .underWay(progress: $0.progress)] } ?? [:]
        ) { $1 }
    }
}
