internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads

// Undo, and the actions on the player that it undoes.

extension DaemonParts {
    var undoAnswers: [AnsweredCommand] {
        [
            decisions.answer { [self] (request: Undo, caller) in
                UndoneReply(try await undo(.undo, act: request.act) { try Self.check($0, for: caller) })
            },
            decisions.answer { [self] (_: Redo, caller) in
                UndoneReply(try await undo(.redo) { try Self.check($0, for: caller) })
            },
            decisions.answer { [library, now] (_: ListUndoable) in
                let now = now()
                return try await library.read { store in
                    UndoableListReply(
                        try store.history.steps(.undo, at: now), undone: try store.history.steps(.redo, at: now))
                }
            },
        ]
    }

    /// A caller who may not subscribe may not undo an unsubscription.
    private static func check(_ step: UndoableAct, for caller: Caller) throws(ControlError) {
        // The title of another kind of act may be that of a show, which its publisher chooses.
        let isOfVolume = step.act == .set && step.title == ClientSetting.Name.volume.description
        if step.act.traits.needsAdmin, !isOfVolume, caller.permission < .admin {
            throw ControlError(.notPermitted, "the last action needs the permission 'admin' to be undone", hint: nil)
        }
    }

    /// Undoes or redoes an action, also outside of the library; see `QueueService.undo` for the parameters.
    func undo(
        _ direction: UndoDirection, act: Int64? = nil,
        permits: @escaping @Sendable (UndoableAct) throws -> Void = { _ in }
    ) async throws -> UndoneStep {
        guard let step = try await queue.undo(direction, step: act, at: now(), permits: permits) else {
            if act != nil {
                throw ControlError(
                    .conflict, "another client has just undone this change",
                    hint: "'undo' once more undoes the change before it", status: 75)
            }
            throw ControlError(
                .conflict, "there is nothing to \(direction == .undo ? "undo" : "redo")",
                hint: "changes of the library and the queue can be undone, until 50 others came after them")
        }
        if let obstacle = step.obstacle {
            let subject = step.title.map { " (\($0))" } ?? ""
            throw ControlError(
                .conflict,
                "the last action\(subject) cannot be \(direction == .undo ? "undone" : "redone"): \(obstacle)",
                hint: "nothing was changed; 'undo' once more undoes the change before it")
        }
        do {
            try await restore(step.settings)
        } catch {
            // The step is restored, so that the command can be repeated.
            let former = try await queue.undo(direction.opposite, step: step.reversal, at: now()) { _ in }
            try? await restore(former?.settings ?? [])
            throw error
        }
        report(step)
        if !step.requested.isEmpty { await downloads.retry(step.requested) }
        if !step.dropped.isEmpty {
            try? await downloads.remove(try await library.read { try $0.episodes.episodes(step.dropped) })
        }
        await current.refresh()
        do { try await follow(step) } catch {
            var failure = ControlError(reporting: error)
            let done = direction == .undo ? "undone" : "redone"
            failure.what = "\(done), but playback could not follow: \(failure.what)"
            failure.isDone = true
            throw failure
        }
        return step
    }

    /// Outputs all at once: between two of them, none might be enabled.
    private func restore(_ settings: [ClientSetting]) async throws {
        var outputs: [OutputsHandler.Restored] = []
        for setting in settings {
            guard case .output(let name) = setting.name else {
                try await restore(setting)
                continue
            }
            let record = setting.value.flatMap(Self.record)
            // An older version wrote other records.
            guard record != nil || setting.value == nil else { continue }
            outputs.append((name: name, record: record, replaced: setting.replaced.flatMap(Self.record)))
        }
        if !outputs.isEmpty { try await self.outputs.restore(outputs) }
    }

    private static func record(_ text: String) -> OutputSetup? {
        (try? JSONValue(parsing: text)).flatMap(OutputSetup.init(json:))
    }

    /// Moves the player to the position that was restored, or stops the player if the feed of its episode was removed.
    private func follow(_ step: UndoneStep) async throws {
        guard let current = player.status.entry?.episode else { return }
        if step.kind == .seek, let episode = step.episodes.first, episode.id == current {
            try await player.seek(.absolute(episode.state.position))
        } else if !step.feeds.isEmpty, try await library.read({ try $0.episodes.episodes([current]) }).isEmpty {
            // The position is no longer needed, so a failure to save it is ignored.
            try? await player.stop()
        }
    }

    /// Tells clients of a step that was undone or redone, and does the work that it left for later.
    private func report(_ step: UndoneStep) {
        if step.kind.traits.isOfTitle {
            changes.changed(.rules)
            changes.changed(.playlists)
        }
        if [.downloaded, .deleted].contains(step.kind) { changes.downloadsChanged(step.episodes.map(\.id)) }
        if step.feeds.isEmpty {
            changes.episodesChanged(step.episodes.map(\.id), step.kind == .seek ? .position : .mark)
        } else {
            changes.changed(.feeds)
            changes.episodesChanged(nil)
        }
        decisions.start { [self] in
            await refreshSound()
            await applyRules()
            await library.maintain()
        }
    }

    // MARK: what is recorded

    /// Plays an entry. Records the position that `start` replaces.
    func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) async throws {
        guard let start else { return try await player.play(entry, isNew: isNew) }
        let before = await position(of: entry)
        try await player.play(entry, at: start, isNew: isNew)
        if let before, before > .zero, before != start { await recordSeek(from: before, of: entry) }
    }

    func seek(to time: TimeArgument) async throws { try await recordingPosition { try await $0.seek(time) } }

    /// Moves the player within the current episode, and records the position before.
    func recordingPosition(_ move: (Player) async throws -> Void) async throws {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await move(player)
        // A seek past the end finished the episode, which is an undo step by itself.
        if player.status.entry == entry { await recordSeek(from: before, of: entry) }
    }

    /// The audible position of an entry, or else its saved position.
    private func position(of entry: QueueEntry?) async -> MediaTime? {
        guard let entry else { return nil }
        let status = player.status
        if status.entry == entry, status.state != .loading { return status.position }
        return try? await library.episode(entry.episode).state.position
    }

    /// Ignores errors: the seek is done, and must not fail because a full disk has no room for the undo step.
    private func recordSeek(from position: MediaTime?, of entry: QueueEntry?) async {
        guard let position, let entry else { return }
        let now = now()
        try? await library.perform { try $0.history.recordSeek(of: entry.episode, from: position, at: now) }
    }
}

extension UndoneReply {
    init(_ undone: UndoneStep) {
        let first = undone.episodes.first
        self.init()
        act = undone.kind
        title = act.traits.isOfTitle ? first?.title ?? undone.title : undone.title ?? first?.title
        count = undone.entries > 0 && undone.kind != .ruled ? undone.entries : undone.episodes.count
        position = act.traits.isOfQueue ? nil : first?.state.position
        if [.subscribed, .unsubscribed].contains(act) {
            let others = undone.feeds.count - 1
            subject = undone.title.map { others > 0 ? "\($0) and \(counted(others, "other feed"))" : $0 }
        } else if act.traits.isOfTitle {
            subject = undone.title
        }
        fetching = undone.requested.count
        outcome = undone.outcome
    }
}
