internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads

// The log of changes, which podcastds and other devices of a user exchange.

extension DaemonParts {
    private static let speed = "playback.speed"

    /// Kinds of changes that callers without `admin` can list and apply. Others may name private feeds or delete episodes.
    private static let kindsOfDevices: [LibraryChange.Kind] = [.playback, .subscription]

    func listChanges(_ request: ListChanges, _ caller: Caller) async throws -> ChangeListReply {
        let allowed = caller.permission < .admin ? Self.kindsOfDevices : nil
        if let allowed, !request.kinds.allSatisfy(allowed.contains) {
            throw ControlError(
                .notPermitted, "without the permission admin, only changes of subscriptions and positions are listed",
                hint: "kinds: playback, subscription")
        }
        // Save the playback state up to the present second.
        await playbackStore.flush()
        let page = try await library.read {
            try $0.changes.page(
                since: request.since, through: request.through, kinds: request.kinds.isEmpty ? allowed : request.kinds,
                limit: request.limit)
        }
        var isKnown = true
        if let reader = request.reader, caller.permission >= .control {
            isKnown = try await library.perform {
                try $0.changes.recordReader(reader, since: request.since, through: max(1, page.revision))
            }
        }
        return ChangeListReply {
            $0.isRestored = !isKnown
            $0.changes = page.changes
            $0.revision = page.revision
            $0.latest = page.latest
            $0.hasMore = page.hasMore
        }
    }

    func applyChanges(_ request: ApplyChanges, _ caller: Caller) async throws -> ChangesAppliedReply {
        guard request.changes.count <= ApplyChanges.most else {
            throw ControlError(.invalidArgument, "\(request.changes.count) changes are more than \(ApplyChanges.most)")
        }
        let now = now()
        let subscribed = try await subscribed(of: request.changes)
        var refused: [String] = []
        let allowed = request.changes.compactMap { given -> LibraryChange? in
            var change = given
            if case .subscription(let url, let isSet) = given.content {
                change.content = .subscription(feed: HTTPURL.withoutCredentials(url), isSet: isSet)
            }
            // Clamp: only the clocks of podcastds follow each other.
            if caller.permission < .admin { change.time = min(change.time, now) }
            if let objection = objection(to: change.content, by: caller, subscribed) {
                refused.append(objection)
                return nil
            }
            return change
        }
        let status = player.status
        let busy = status.state.isPlaying ? status.entry?.episode : nil
        await playbackStore.flush()
        let unwanted = try await storedEpisodes(of: allowed)
        var applied = try await library.perform { (store) throws(LibraryError) in
            let apply = { () throws(LibraryError) in
                try store.changes.apply(allowed, of: request.device, isFirst: request.isFirst, except: busy, at: now)
            }
            if request.isDryRun { return try store.trying(apply) }
            let applied = try apply()
            try store.sync.note(request.device, acts: applied.changed, at: now)
            // The caller has these changes.
            _ = try store.changes.recordReader(request.device, since: 0, through: applied.revision)
            return applied
        }
        if !request.isDryRun, applied.changed > 0 {
            if let change = applied.speed, case .speed(let speed) = change.content {
                do {
                    try await changeSetting(Self.speed, to: speed, as: .speed, title: "all feeds")
                    try await library.perform { try $0.changes.settle(change) }
                } catch { applied.refused.append("the speed cannot be set: \(ControlError(reporting: error).what)") }
            }
            let removed = unwanted.filter { applied.feedsRemoved.contains($0.feed) }
            if !removed.isEmpty { try? await downloads.remove(removed) }
            try await announce(applied, allowed, status)
        }
        return ChangesAppliedReply {
            $0.changed = applied.changed
            $0.unchanged = applied.unchanged
            $0.feeds = applied.feedsAdded.count + applied.feedsRemoved.count
            $0.episodes = applied.episodes
            if request.isDryRun {
                $0.details = applied.details.map { SafeText.line($0) }
                $0.replaced = applied.replaced
            }
            $0.refused = (refused + applied.refused).prefix(SyncAccount.mostDetails).map { SafeText.line($0) }
            $0.before = applied.before
            $0.revision = applied.revision
        }
    }

    /// The feeds among the changes that are subscribed here.
    private func subscribed(of changes: [LibraryChange]) async throws -> Set<String> {
        let urls = changes.compactMap { if case .subscription(let url, isSet: true) = $0.content { url } else { nil } }
        if urls.isEmpty { return [] }
        return try await library.read { store in
            Set(try urls.filter { try store.feeds.feed(url: $0) != nil })
        }
    }

    /// Why a caller may not make a change; nil if it may.
    /// - Parameter subscribed: feeds that are subscribed here, whose hosts the user has allowed.
    private func objection(
        to content: LibraryChange.Content, by caller: Caller, _ subscribed: Set<String>
    ) -> String? {
        if caller.permission < .admin, !Self.kindsOfDevices.contains(content.kind) {
            return "a change of the kind \(content.kind) needs the permission admin"
        }
        switch content {
        case .subscription(let url, isSet: true): return subscribed.contains(url) ? nil : objection(toAddress: url)
        case .speed(let value?):
            return SettingTable.declaration(Self.speed)?.objection(to: value).map { "the speed \($0)" }
        case _:
            guard !content.isRemoval, let episode = content.episode, episode.feed == nil else { return nil }
            return objection(toAddress: episode.identity.url)
        }
    }

    /// Why another device may not add an address; nil if it may.
    func objection(toAddress url: String) -> String? {
        guard WebAddress.isFetchable(url), let host = HTTPURL.host(of: url) else {
            return "\(url) is not a valid address"
        }
        if media.privateHosts.allows(host) { return nil }
        return "\(url) has a private address; to allow this, name the host in the setting network.private_hosts"
    }

    /// Downloaded and cached episodes of the feeds that the changes may remove.
    private func storedEpisodes(of changes: [LibraryChange]) async throws -> [Episode] {
        let urls = changes.compactMap { change in
            if case .subscription(let url, isSet: false) = change.content { url } else { nil }
        }
        if urls.isEmpty { return [] }
        let feeds = try await library.read { store in try urls.compactMap { try store.feeds.feed(url: $0)?.id } }
        return try await stored(of: Set(feeds))
    }

    /// Updates the player, the queue and clients after changes.
    private func announce(_ applied: AppliedChanges, _ all: [LibraryChange], _ status: PlayerStatus) async throws {
        var parts: Set<StatusPart> = []
        for change in all {
            switch change.content {
            case .playback, .star, .note, .bookmark, .queueEntry: parts.insert(.episodes)
            case .tag, .feedSetting: parts.insert(.feeds)
            case .rule, .retention: parts.insert(.rules)
            case .playlist: parts.insert(.playlists)
            case .subscription, .speed: break
            }
        }
        for part in parts { changes.changed(part) }
        if parts.contains(.rules) { decisions.start { [self] in await applyRules() } }
        if applied.episodes > 0 { try await followState(of: status) }
        if !applied.feedsRemoved.isEmpty { try await stopPlaying(Set(applied.feedsRemoved)) }
        // Phones report positions often, and a large queue takes time to read.
        if !all.contains(where: \.content.isOfQueueOrSound) { return }
        try await queue.reload()
        if applied.feedsAdded.isEmpty, applied.feedsRemoved.isEmpty { return await refreshSound() }
        feedsChanged(
            applied.feedsAdded.map { RowChange(.insert, $0.rawValue) }
                + applied.feedsRemoved.map { RowChange(.delete, $0.rawValue) })
        // The device need not wait for the episodes.
        if !applied.feedsAdded.isEmpty { decisions.start { [self] in _ = try? await refresh(RefreshFeeds()) } }
    }
}

extension LibraryChange.Content {
    /// Whether the change may concern the queue, or how an episode sounds.
    fileprivate var isOfQueueOrSound: Bool {
        switch self {
        case .playback, .star, .note, .rule, .retention, .playlist, .speed: false
        case .bookmark, .queueEntry, .subscription, .tag, .feedSetting: true
        }
    }
}
