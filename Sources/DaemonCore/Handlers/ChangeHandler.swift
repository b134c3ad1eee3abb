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

    func listChanges(_ request: ListChanges, _ caller: Caller) async throws -> ChangePage {
        let allowed = caller.permission < .admin ? Self.kindsOfDevices : nil
        if let allowed, !request.kinds.allSatisfy(allowed.contains) {
            throw ControlError(
                .notPermitted, "without the permission admin, only changes of subscriptions and positions are listed",
                hint: "kinds: playback, subscription")
        }
        // Save the playback state up to the present second.
        await playbackStore.flush()
        var page = try await library.read {
            try $0.changes.page(
                since: request.since, through: request.through, kinds: request.kinds.isEmpty ? allowed : request.kinds,
                limit: request.limit)
        }
        // Only podcastds have this permission, so that phones do not displace them.
        if let reader = request.reader, caller.permission >= .admin {
            let position = try await library.perform { [page] in
                try $0.changes.recordReader(reader, since: request.since, through: max(1, page.revision))
            }
            page.isRestored = position == .restored
            page.isForgotten = position == .forgotten
        }
        return page
    }

    func applyChanges(_ request: ApplyChanges, _ caller: Caller) async throws -> AppliedChanges {
        guard request.changes.count <= ApplyChanges.most else {
            throw ControlError(.invalidArgument, "\(request.changes.count) changes are more than \(ApplyChanges.most)")
        }
        let now = now()
        let changes = request.changes.map { given in
            var change = given
            if given.subject.kind == .subscription {
                change.subject.feed = given.subject.feed.map(HTTPURL.withoutCredentials)
            }
            // Clamp: only the clocks of podcastds follow each other.
            if caller.permission < .admin { change.time = min(change.time, now) }
            return change
        }
        let known = try await feeds(of: changes)
        let refused = changes.compactMap { objection(to: $0, by: caller, known) }
        let allowed = changes.filter { objection(to: $0, by: caller, known) == nil }
        let status = player.status
        let busy = status.state.isPlaying ? status.entry?.episode : nil
        await playbackStore.flush()
        // Feeds that the changes may remove.
        let leaving = Set(allowed.compactMap { $0.value == nil ? known[$0.subject.feed ?? ""] : nil })
        let unwanted = leaving.isEmpty ? [] : try await stored(of: leaving)
        var applied = try await library.perform { (store) throws(LibraryError) in
            let apply = { () throws(LibraryError) in
                try store.changes.apply(
                    allowed, of: request.device, isFirst: request.isFirst,
                    after: request.isDryRun ? request.feeds : [], except: busy, at: now)
            }
            if request.isDryRun { return try store.trying(apply) }
            let applied = try apply()
            try store.sync.note(request.device, acts: applied.changed, at: now)
            try store.changes.advanceReader(request.device, through: applied.revision)
            return applied
        }
        if !request.isDryRun {
            (applied.details, applied.replaced) = ([], [])
            if applied.changed > 0 {
                if let change = applied.speed {
                    do { try await restore(ClientSetting(.key(Self.speed), change.value?.text)) } catch {
                        applied.refused.append("the speed cannot be set: \(ControlError(reporting: error).what)")
                    }
                }
                let removed = unwanted.filter { applied.feedsRemoved.contains($0.feed) }
                if !removed.isEmpty { try? await downloads.remove(removed) }
                try await announce(applied, allowed, status)
            }
        }
        applied.details = applied.details.map { SafeText.line($0) }
        applied.refused = (refused + applied.refused).prefix(SyncAccount.mostDetails).map {
            SafeText.line($0)
        }
        return applied
    }

    /// Forgets old removals, now and once a day.
    func forgetRemovals(after delay: Duration) {
        decisions.schedule(after: delay) { [self] in
            decisions.start { [self] in
                let now = now()
                try? await library.perform { try $0.changes.prune(at: now) }
                forgetRemovals(after: .seconds(86_400))
            }
        }
    }

    /// The subscriptions among the changes that are here, by their addresses.
    private func feeds(of changes: [LibraryChange]) async throws -> [String: FeedID] {
        let urls = Set(changes.compactMap { $0.subject.kind == .subscription ? $0.subject.feed : nil })
        if urls.isEmpty { return [:] }
        return try await library.read { store in
            try urls.reduce(into: [:]) { $0[$1] = try store.feeds.feed(url: $1)?.id }
        }
    }

    /// Why a caller may not make a change; nil if it may.
    /// - Parameter known: feeds that are subscribed here, whose hosts the user has allowed.
    private func objection(to change: LibraryChange, by caller: Caller, _ known: [String: FeedID]) -> String? {
        let kind = change.subject.kind
        if caller.permission < .admin, !Self.kindsOfDevices.contains(kind) {
            return "a change of the kind \(kind) needs the permission admin"
        }
        guard let value = change.value else { return nil }
        if kind == .speed, let speed = value.text {
            return SettingTable.declaration(Self.speed)?.objection(to: speed).map { "the speed \($0)" }
        }
        switch (change.subject.feed, change.subject.episode) {
        case (let feed?, _) where kind == .subscription: return known[feed] == nil ? objection(toAddress: feed) : nil
        case (nil, let file?): return objection(toAddress: file.url)
        case (_, _): return nil
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

    /// Updates the player, the queue and clients after changes.
    private func announce(_ applied: AppliedChanges, _ all: [LibraryChange], _ status: PlayerStatus) async throws {
        // Subscriptions follow below, feed by feed.
        let parts = Set(
            all.map(\.subject.kind).filter { $0 != .subscription }.map {
                $0 == .listEntry ? .playlists : $0.form.owner.part
            })
        for part in parts { changes.changed(part) }
        if parts.contains(.rules) { decisions.start { [self] in await applyRules() } }
        if applied.episodes > 0 { try await followState(of: status) }
        if !applied.feedsRemoved.isEmpty { try await stopPlaying(Set(applied.feedsRemoved)) }
        // Phones report positions often, and a large queue takes time to read.
        if all.allSatisfy({ $0.subject.kind == .playback }) { return }
        try await queue.reload()
        if applied.feedsAdded.isEmpty, applied.feedsRemoved.isEmpty { return await refreshSound() }
        feedsChanged(
            applied.feedsAdded.changes(.insert)
                + applied.feedsRemoved.changes(.delete))
        // The device need not wait for the episodes.
        if !applied.feedsAdded.isEmpty { decisions.start { [self] in _ = try? await refresh(RefreshFeeds()) } }
    }
}

extension LibraryChange.Form.Owner {
    /// The part of the status that lists the subjects.
    fileprivate var part: StatusPart {
        switch self {
        case .episode: .episodes
        case .feed: .feeds
        case .feeds: .rules
        case .none: .playlists
        }
    }
}
