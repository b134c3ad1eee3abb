internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import LibraryUpkeep
internal import Playback
internal import PodcastModel

// Synchronization with other devices of the listener.

extension DaemonParts {
    var syncAnswers: [AnsweredCommand] {
        decisions.answers(accounts, synchronize, trySynchronization, handOver)
            + decisions.answers(libraryChanges, subscriptionChanges, record)
            + decisions.answers(sharedState, applySharedState) + [decisions.answer(reportAccount)]
            + decisions.answers(devices, noteDevice, removeDevice)
            + decisions.answers(pair, password, clientSettings)
    }

    // MARK: accounts

    /// What podcast-sync reports, and accounts that are kept although podcast-sync does not run.
    private var accountList: SyncAccountListReply {
        get async throws {
            let reported = sync.status.accounts
            let kept = try await library.read { try $0.sync.accounts() }
            // While podcast-sync runs, accounts that sync.conf no longer has are left out.
            return SyncAccountListReply(reported.isEmpty ? kept : reported)
        }
    }

    private func accounts(_ request: ListSyncAccounts) async throws -> SyncAccountListReply { try await accountList }

    private func synchronize(_ request: Synchronize) async throws -> SyncAccountListReply {
        _ = try await sync.order(isTrial: false)
        return try await accountList
    }

    private func trySynchronization(_ request: TrySynchronization) async throws -> SyncAccountListReply {
        _ = try await sync.order(isTrial: true)
        return try await accountList
    }

    private func handOver(_ request: HandOver) async throws -> SyncAccount {
        try sync.require(request.name)
        guard player.status.entry != nil else { throw PlayerError.nothingPlaying }
        let failure = try await sync.order(handOver: request.name)
        guard failure == nil, let account = sync.status.accounts.first(where: { $0.name == request.name }) else {
            throw ControlError(.unavailable, failure ?? "podcast-sync has ended", hint: "nothing is changed here")
        }
        return account
    }

    private func reportAccount(_ request: ReportAccount, _ caller: Caller) async throws -> SyncAccount {
        var account = request.account
        account.details = account.details.prefix(SyncAccount.mostDetails).map { SafeText.line($0) }
        if account.state == .idle, account.theirs > 0 { account.lastSync = now() }
        let kept = try await library.perform { [account] store in try store.sync.save(account) }
        var shown = kept
        shown.base = ""
        sync.report(shown, order: request.order, from: caller.connection)
        return account.state == .running ? kept : shown
    }

    // MARK: changes and devices

    private func libraryChanges(_ request: ListLibraryChanges) async throws -> LibraryChanges {
        let now = now()
        let key = try request.after.map { (text) throws(ControlError) in
            guard let key = ChangeKey(parsing: text) else {
                throw ControlError(.invalidArgument, "'\(text)' is not a key of a row")
            }
            return key
        }
        // Save the playback state up to the present second.
        await playbackStore.flush()
        return try await library.read {
            try $0.sync.changes(since: request.since, after: key, limit: request.limit, at: now)
        }
    }

    private func subscriptionChanges(_ request: ListSubscriptionChanges) async throws -> PageReply<SubscriptionChange> {
        let rows = try await library.read {
            try $0.sync.subscriptions(since: request.since, after: request.after, limit: request.limit)
        }
        return PageReply(rows, hasAfter: rows.count == request.limit)
    }

    private func record(_ request: RecordActs) async throws -> ActsRecordedReply {
        let now = now()
        let acts = request.acts.compactMap(DeviceAct.init(json:)).filter { WebAddress.isFetchable($0.url) }
        guard acts.count == request.acts.count else {
            throw ControlError(
                .invalidArgument, "\(request.acts.count - acts.count) of the acts cannot be read",
                hint: "each needs kind, url and time")
        }
        let status = player.status
        let busy = status.state.isPlaying ? status.entry?.episode : nil
        await playbackStore.flush()
        if request.isTrial {
            return ActsRecordedReply(
                try await library.perform { try $0.sync.record(acts, of: "", except: busy, isTrial: true, at: now) })
        }
        let recorded = try await library.perform { store in
            let recorded = try store.sync.record(acts, of: request.device, except: busy, at: now)
            try store.sync.note(request.device, acts: acts.count, at: now)
            return recorded
        }
        if recorded.counts.found > 0 {
            changes.episodesChanged(nil)
            try await followState(of: status)
        }
        return ActsRecordedReply(recorded)
    }

    func setPosition(_ request: SetPosition) async throws -> PositionSetReply {
        let (now, status) = (now(), player.status)
        guard let time = request.time.map(Timestamp.init(parsing:)) ?? now else {
            throw ControlError(.invalidArgument, "'\(request.time ?? "")' is not a time such as 2027-01-31T09:00:00Z")
        }
        let busy = status.state.isPlaying ? status.entry?.episode : nil
        await playbackStore.flush()
        let (episode, isChanged) = try await library.perform { store in
            let episode = try store.episodes.resolveEpisode(request.episode)
            if let device = request.device {
                try store.sync.note(device, acts: 1, at: now)
                if episode.id == busy { return (episode, false) }
            } else if episode.id == busy {
                throw ControlError(.conflict, "'\(episode.title)' plays now", hint: "podcastctl seek TIME")
            }
            let isChanged = try store.sync.setPosition(
                try Self.place(request.position, from: episode.state.position, in: episode),
                isPlayed: request.isPlayed, of: episode.id, device: request.device, heard: time, at: now)
            return (try store.episodes.episode(episode.id), isChanged)
        }
        if isChanged {
            changes.episodesChanged([episode.id], .position, .mark)
            try await followState(of: status)
        }
        return PositionSetReply {
            ($0.episode, $0.title, $0.isChanged) = (episode.id, episode.title, isChanged)
            ($0.position, $0.isPlayed) = (episode.state.position, episode.state.isPlayed)
        }
    }

    /// Moves a paused episode to the place where another device stopped.
    private func followState(of status: PlayerStatus) async throws {
        guard status.state == .paused, let paused = status.entry?.episode, paused == player.status.entry?.episode else {
            return
        }
        let state = try await library.read { try $0.episodes.episode(paused).state }
        if abs(state.position.seconds - status.position.seconds) > 1, !state.isPlayed {
            try await player.seek(.absolute(state.position))
        }
    }

    private func devices(_ request: ListDevices) async throws -> DeviceListReply {
        DeviceListReply(try await library.read { try $0.sync.devices() })
    }

    private func noteDevice(_ request: NoteDevice) async throws -> SyncDevice {
        let now = now()
        return try await library.perform { store in
            try store.sync.note(request.name, caption: request.caption, kind: request.kind, at: now)
            return try Self.device(request.name, store)
        }
    }

    private func removeDevice(_ request: RemoveDevice) async throws -> SyncDevice {
        let removed = try await library.perform { store in
            let removed = try Self.device(request.name, store)
            try store.sync.remove(removed.name)
            return removed
        }
        changes.changed(.sync)
        return removed
    }

    private func pair(_ request: PairDevice) async throws -> SyncDevice {
        let now = now()
        let paired = try await library.perform { store in
            try store.sync.pair(
                request.name, caption: request.caption, owner: request.owner, hash: request.hash, at: now)
            return try Self.device(request.name, store)
        }
        changes.changed(.sync)
        return paired
    }

    private func password(_ request: ShowPassword) async throws -> AppPasswordReply {
        guard let found = try await library.read({ try $0.sync.password(of: request.name) }) else {
            throw LibraryError.notFound("an app password of '\(request.name)'")
        }
        return AppPasswordReply { ($0.name, $0.owner, $0.hash) = (request.name, found.owner, found.hash) }
    }

    private func clientSettings(_ request: ChangeClientSettings) async throws -> ClientSettingsReply {
        var set: [(key: String, value: String)] = []
        if case .object(let members)? = request.set {
            set = members.map { ($0.name, String(decoding: $0.value.bytes, as: UTF8.self)) }
        }
        guard set.allSatisfy({ (1...100).contains($0.key.utf8.count) && $0.value.utf8.count <= 4096 }) else {
            throw ControlError(.invalidArgument, "a key has 1 to 100 bytes, and a value as JSON 4096 at most")
        }
        let kept = try await library.perform { [set] store in
            if !set.isEmpty || !request.remove.isEmpty {
                try store.sync.change(request.scope, set: set, removing: request.remove)
            }
            return try store.sync.settings(of: request.scope)
        }
        return ClientSettingsReply {
            $0.settings = .object(kept.map { .init($0.key, (try? JSONValue(parsing: $0.value)) ?? .null) })
        }
    }

    private static func device(_ name: String, _ store: LibraryStore) throws -> SyncDevice {
        let devices = try store.sync.devices()
        let called = devices.filter { $0.caption == name }
        if called.count > 1, !devices.contains(where: { $0.name == name }) {
            throw ControlError(
                .invalidArgument, "\(called.count) devices are called '\(name)'",
                hint: "give a name: \(called.map(\.name).joined(separator: ", "))")
        }
        guard let device = devices.first(where: { $0.name == name }) ?? called.first else {
            throw LibraryError.notFound("device '\(name)'")
        }
        return device
    }
}

extension ActsRecordedReply {
    fileprivate init(_ recorded: (counts: EpisodeImportCounts, unknown: Int, details: [String])) {
        self.init()
        (changed, unchanged) = (recorded.counts.found, recorded.counts.unchanged)
        (waiting, unknown, details) = (recorded.counts.waiting, recorded.unknown, recorded.details)
    }
}
