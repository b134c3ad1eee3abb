internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import Playback
internal import PodcastModel

// Synchronization with other devices of the listener.

extension DaemonParts {
    var syncAnswers: [AnsweredCommand] {
        decisions.answers(accounts, synchronize, trySynchronization, handOver)
            + [decisions.answer(listChanges), decisions.answer(applyChanges), decisions.answer(reportAccount)]
            + decisions.answers(devices, noteDevice, removeDevice, pair, password, clientSettings)
    }

    // MARK: accounts

    /// What podcast-sync reports, and accounts that are kept although podcast-sync does not run.
    private func accounts(_ request: ListSyncAccounts) async throws -> SyncAccountListReply {
        let reported = sync.orders.shown.accounts
        let kept = try await library.read { try $0.sync.accounts() }
        // While podcast-sync runs, accounts that sync.conf no longer has are left out.
        return SyncAccountListReply(reported.isEmpty ? kept : reported)
    }

    private func synchronize(_ request: Synchronize) async throws -> SyncAccountListReply {
        SyncAccountListReply(try await sync.order(.synchronize).map(\.shown))
    }

    private func trySynchronization(_ request: TrySynchronization) async throws -> SyncAccountListReply {
        SyncAccountListReply(try await sync.order(.dryRun).map(\.shown))
    }

    private func handOver(_ request: HandOver) async throws -> SyncAccount {
        try sync.orders.requireAccount(request.name)
        guard player.status.entry != nil else { throw PlayerError.nothingPlaying }
        let outcome = try await sync.order(.handOver, of: request.name)[0]
        if let failure = outcome.failure { throw ControlError(.unavailable, failure) }
        return outcome.account
    }

    private func reportAccount(_ request: ReportAccount, _ caller: Caller) async throws -> SyncAccount {
        // Before the library keeps revisions that another program sends.
        try sync.orders.requireOwner(of: request.account.name, is: caller.connection)
        var account = request.account
        account.details = account.details.prefix(SyncAccount.mostDetails).map { SafeText.line($0) }
        account.nextTry = request.nextTry.flatMap(Timestamp.init(parsing:))
        if request.isSynchronized { account.lastSync = now() }
        let kept = try await library.perform { [account] store in try store.sync.save(account) }
        try sync.report(kept, order: request.order, failure: request.failure, from: caller.connection)
        return kept
    }

    // MARK: devices

    func setPosition(_ request: SetPosition) async throws -> PositionSetReply {
        let (now, status) = (now(), player.status)
        let time = request.time.flatMap(Timestamp.init(parsing:))
        if request.time != nil, time == nil {
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
            $0.episode = episode.id
            $0.title = episode.title
            $0.isChanged = isChanged
            $0.position = episode.state.position
            $0.isPlayed = episode.state.isPlayed
        }
    }

    /// Moves a paused episode to the place where another device stopped.
    func followState(of status: PlayerStatus) async throws {
        guard status.state == .paused, let paused = status.entry?.episode, paused == player.status.entry?.episode else {
            return
        }
        let state = try await library.episode(paused).state
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
        return AppPasswordReply {
            $0.name = request.name
            $0.owner = found.owner
            $0.hash = found.hash
        }
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
