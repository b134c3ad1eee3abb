internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

extension DaemonParts {
    var playbackAnswers: [AnsweredCommand] {
        [
            decisions.answer(play), changing(Pause.self) { try await $0.pause() },
            changing(TogglePlayback.self) { try await $0.toggle() },
            decisions.answer(stop), changing(PlayNext.self) { try await $0.next() },
            decisions.answer { [self] (_: PlayPrevious) in
                try await reached { try await recordingPosition { try await $0.previous() } }
            },
            decisions.answer(seek), decisions.answer(goToChapter), decisions.answer(setVolume),
            decisions.answer(setSpeed),
        ] + undoAnswers + [decisions.answer(sleep), files.announcement]
    }

    private func changing<Answered: Command>(
        _ command: Answered.Type, _ work: @escaping @Sendable (Player) async throws -> Void
    ) -> AnsweredCommand where Answered.Reply == PlayerStateReply {
        decisions.answer { [self] (_: Answered) in try await reached { try await work(player) } }
    }

    /// Answers with the state that an action on the player led to.
    func reached(_ work: () async throws -> Void) async throws -> PlayerStateReply {
        do {
            try await work()
        } catch let error as PositionNotSaved {
            throw ControlError(done: player.status.state.rawValue, error)
        }
        if player.status.state.isPlaying, !outputs.hasOutput {
            throw ControlError(.unavailable, SinkError.noOutput.message, hint: "playback continues then", status: 69)
        }
        await current.refresh()
        await upcoming.update()
        return PlayerStateReply(current.status)
    }

    private func moved(to time: TimeArgument) async throws -> PositionReply {
        let shown = player.status.duration
        do {
            try await seek(to: time)
        } catch let error as PositionNotSaved {
            throw ControlError(done: "moved to \(player.status.position)", error)
        }
        if case .absolute(let target) = time, let shown, target > shown { try await confirm(target) }
        await current.refresh()
        return PositionReply(current.status)
    }

    /// Waits, for three seconds at most, until the decoder has found a place after the shown duration, which was an estimate.
    private func confirm(_ target: MediaTime) async throws {
        for _ in 1...60 {
            await withCheckedContinuation { later in
                _ = decisions.schedule(after: .milliseconds(50)) { later.resume() }
            }
            let status = player.status
            // The player has returned to the position before the seek.
            if status.position < target - MediaTime(seconds: 5) {
                throw PlayerError.beyondEnd(duration: status.duration ?? status.position)
            }
            if status.state == .playing || status.state == .paused { return }
        }
    }

    private func stop(_ request: Stop) async throws -> PlayerStateReply {
        lookups.end()
        return try await reached { try await player.stop() }
    }

    private func play(_ request: Play) async throws -> PlayerStateReply {
        do {
            return try await start(request)
        } catch PlayerError.queueIsEmpty {
            let hasFeeds = try await library.read { try !$0.feeds.feeds().isEmpty }
            throw ControlError(
                .conflict, PlayerError.queueIsEmpty.description,
                hint: hasFeeds
                    ? "play the newest episodes: podcastctl play playlist:new"
                    : "find one: podcastctl find NAME, then subscribe: podcastctl subscribe URL")
        }
    }

    private func start(_ request: Play) async throws -> PlayerStateReply {
        if request.isPeer, let what = request.what, let objection = objection(toAddress: what) {
            throw ControlError(.notPermitted, objection)
        }
        var start: MediaTime?
        switch request.position {
        case .absolute(let time)?: start = time
        case .relative?, .share?, .relativeShare?:
            throw ControlError(
                .invalidArgument, "an episode starts at a time from its beginning, such as 90, 1:30 or 1h2m",
                hint: "write it without +, - or %")
        case nil: start = nil
        }
        if request.said != nil, request.position != nil || request.what == nil {
            throw ControlError(
                .invalidArgument, "'said' needs an episode and cannot be combined with a position",
                hint: "play EPISODE --said TEXT")
        }
        let order = try order(of: request)
        var choice: PlayChoice?
        var reply = try await reached {
            if let what = request.what {
                let (chosen, context, start) = try await choose(what, request, order, from: start)
                choice = chosen
                changes.changed(.feeds)
                contexts.use(context, for: chosen.entry.id)
                try await play(chosen.entry, at: start, isNew: chosen.isNew)
                if request.isPaused { try await player.pause() }
            } else {
                if let start, let entry = player.status.entry ?? queue.currentEntry() {
                    try await check(start, in: entry.episode)
                }
                if let order {
                    guard let entry = player.status.entry ?? queue.currentEntry() else {
                        throw PlayerError.queueIsEmpty
                    }
                    let feed = try await library.episode(entry.episode).feed
                    contexts.use(PlayContext(.feed(feed), order))
                } else if request.thenQueue {
                    contexts.use(nil)
                }
                try await player.resume()
                if let start { try await seek(to: .absolute(start)) }
            }
        }
        reply.chosen = choice?.entry.episode
        reply.queued = choice?.queued
        reply.note = choice?.note
        return reply
    }

    /// The entry to play and where, once they are known; `stop` ends the wait.
    private func choose(
        _ what: String, _ request: Play, _ order: PlayContext.Order?, from start: MediaTime?
    ) async throws -> (PlayChoice, PlayContext?, MediaTime?) {
        do {
            return try await lookups.run { [self, chooser] in
                let (choice, context) = try await chooser.choice(for: what, order, from: request.from ?? 1)
                let episode = choice.entry.episode
                if let said = request.said {
                    return (choice, context, try await transcripts.time(of: said, in: episode))
                }
                if let start { try await check(start, in: episode) }
                return (choice, context, start)
            }
        } catch is CancellationError {
            throw ControlError(.conflict, "playback was stopped before '\(what)' was found")
        }
    }

    /// - Throws: `PlayerError.beyondEnd` if `start` is beyond the known duration of the episode.
    private func check(_ start: MediaTime, in episode: EpisodeID) async throws {
        let known = try await library.episode(episode)
        if let end = known.end(notBefore: known.state.position), start > end {
            throw PlayerError.beyondEnd(duration: end)
        }
    }

    private func order(of request: Play) throws(ControlError) -> PlayContext.Order? {
        switch (request.oldestFirst, request.newestFirst, request.thenQueue) {
        case (false, false, _): return nil
        case (true, false, false): return .oldestFirst
        case (false, true, false): return .newestFirst
        case (_, _, _):
            throw ControlError(.invalidParameters, "'oldest-first', 'newest-first' and 'then-queue' exclude each other")
        }
    }

    private func seek(_ request: Seek) async throws -> PositionReply {
        switch (request.time, request.said) {
        case (let time?, nil): return try await moved(to: time)
        case (nil, let said?):
            let status = player.status
            guard let episode = status.entry?.episode else { throw PlayerError.nothingPlaying }
            let time = try await transcripts.time(of: said, in: episode, after: status.position)
            return try await moved(to: .absolute(time))
        case (nil, nil), (_?, _?):
            throw ControlError(
                .invalidParameters, "seek needs either a time or a text", hint: "seek +30, or seek --said TEXT")
        }
    }

    private func sleep(_ request: SetSleepTimer) async throws -> SleepReply {
        if let when = request.when {
            guard
                let wanted = SleepRequest(
                    parsing: when, episodes: request.episodes, at: now(),
                    offset: { LocalZone.offset(atSeconds: $0.seconds) })
            else {
                throw ControlError(
                    .invalidArgument, "the sleep timer cannot be set to '\(when)'",
                    hint: "30, 1h30m, +10m, 23:30, end-of-episode with a number of episodes, end-of-chapter or off")
            }
            try await player.sleep(wanted)
        } else if request.episodes != nil {
            throw ControlError(.invalidParameters, "'episodes' needs 'when' to be end-of-episode")
        }
        let status = player.status
        return SleepReply { $0.sleep = status.sleep.map { SleepTimerReply($0, at: status.instant) } }
    }

    private func goToChapter(_ request: GoToChapter) async throws -> PositionReply {
        let status = player.status
        guard status.entry != nil else { throw PlayerError.nothingPlaying }
        let chapter = try ChapterList(merging: [status.chapters]).find(
            ChapterList.Choice(request.chapter), at: status.position, skipping: status.parameters.skips)
        var reply = try await moved(to: .absolute(chapter.start))
        reply.chapter = ChapterReply(chapter)
        return reply
    }

    private func setVolume(_ request: SetVolume) async throws -> VolumeReply {
        if request.level != nil, request.change != nil {
            throw ControlError(.invalidArgument, "volume takes either a level or a change", hint: "50, +5 or -5")
        }
        if let wanted = request.level ?? request.change.map({ player.status.volume + $0 }) {
            let before = player.status.volume
            await player.setVolume(wanted)
            let volume = player.status.volume
            // Recorded last: the library's thread would take a processor from the clients that read the event.
            var failure: (any Error)?
            do { try await session.save { $0.volume = volume } } catch { failure = error }
            await library.record(
                [.init(.volume, from: "\(before)", to: "\(volume)")], as: .set,
                title: ClientSetting.Name.volume.description, at: now())
            if let failure { throw ControlError(done: "volume \(volume)", notKept: failure) }
        }
        return VolumeReply { $0.volume = player.status.volume }
    }

    // MARK: speed

    /// Changes the speed of the current episode, also while playback is stopped: the feed's speed if the feed has its own or
    /// publishes music, else the speed of all feeds.
    private func setSpeed(_ request: SetSpeed) async throws -> SpeedReply {
        let before = current.status
        guard let wanted = try wanted(request, from: before.speed) else {
            return SpeedReply(before.speed, heardSpeed: heardSpeed(at: before.speed))
        }
        let heard = heardSpeed(at: wanted.factor)
        let sound = try await library.read { try $0.feeds.sound(of: before.feed) }
        if let feed = before.feed, sound.isMusic || sound.settings.speed != nil {
            try await library.perform { store in
                let title = try store.feeds.feed(feed).title
                try store.history.act(.speed, title: title) {
                    try store.feeds.setSetting(FeedSetting.speed.rawValue, to: wanted.description, of: feed)
                }
            }
            changes.changed(.feeds, [feed].changes(.update))
            await refreshSound()
            return SpeedReply(wanted.factor, feed: feed, heardSpeed: heard)
        }
        try await changeSetting("playback.speed", to: wanted.description, as: .speed, title: "all feeds")
        return SpeedReply(wanted.factor, heardSpeed: heard)
    }

    private func wanted(_ request: SetSpeed, from speed: Double) throws(ControlError) -> PlaybackSpeed? {
        switch (request.speed, request.change) {
        case (nil, nil): return nil
        case (_?, _?):
            throw ControlError(.invalidArgument, "speed takes either a speed or a change", hint: "1.5, +0.1 or -0.1")
        case (let factor?, nil): return PlaybackSpeed(factor: factor)
        case (nil, let change?):
            let hundredths = ((speed + change) * 100).rounded()
            return PlaybackSpeed(hundredths: Int(min(max(hundredths, 0), 1000)))
        }
    }
}

/// The lookups with which `play` begins and which may take long, so that `stop` can end them.
struct PlayLookups {
    let decisions: DecisionThread
    /// What ends each lookup, by the lookup's answer.
    private let endings = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Does work that `end` cancels.
    /// - Throws: what the work throws, or `CancellationError` as soon as `end` is called, whatever the work waits for.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let answer = FirstAnswer<Result<Value, any Error>>()
        let task = Task(executorPreference: decisions) {
            do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
        }
        endings.withLock {
            $0[ObjectIdentifier(answer)] = {
                task.cancel()
                answer.give(.failure(CancellationError()))
            }
        }
        defer { endings.withLock { $0[ObjectIdentifier(answer)] = nil } }
        return try await answer.value.get()
    }

    func end() { for ending in endings.withLock({ Array($0.values) }) { ending() } }
}
