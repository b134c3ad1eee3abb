internal import MediaPorts
internal import PodcastModel

// Methods here return at once. What they start answers with an event; the state machine checks whether it is still relevant.
extension Player {
    func run(_ action: PlayerAction, _ outcome: inout Outcome) {
        switch action {
        case .choose(let request, let choice): outcome.pending.append(choose(choice, request: request))
        case .resolve(let session, let episode, let isRefused):
            resolve(episode, session: session, isRefused: isRefused)
        case .start(let session, let generation, let entry, let media, let time, let isHeld, let parameters):
            let start = DecoderStart(time: time, generation: generation, parameters: parameters)
            open(entry, media, Opening(session: session, start: start, isHeld: isHeld))
        case .seek(let time, let generation, let parameters):
            if opening != nil {
                opening?.start = DecoderStart(time: time, generation: generation, parameters: parameters)
            } else {
                renderer.switchGeneration(generation)
                deck?.decoder.seek(to: time, generation: generation, parameters)
            }
        case .change(let time, let generation, let parameters):
            renderer.continueWithGeneration(generation)
            deck?.decoder.seek(to: time, generation: generation, parameters)
        case .retryLater(let session, let delay):
            let now = clock.now
            let timer = clock.schedule(after: delay) { [weak self] in self?.post(.retryIsDue(session: session)) }
            hostWait = (HostWait(begin: now, end: now + delay), timer)
        case .setPaused(let isPaused):
            if opening != nil { opening?.isHeld = isPaused } else { renderer.setPaused(isPaused) }
        case .silence: silence()
        case .suspendSource: deck?.source.suspend()
        case .wakeSource(let offset): deck?.source.want(from: offset)
        case .savePosition(let position, let episode, let isHeard):
            outcome.pending.append(
                write { store in
                    do {
                        try await store.savePosition(position, of: episode, isHeard: isHeard)
                    } catch {
                        throw PositionNotSaved(cause: error)
                    }
                })
        case .finish(let entry, let heard):
            let finishing = write { store in try await store.finish(entry, heard: heard) }
            outcome.pending.append(finishing)
            report(finishing)
        case .discard(let entry, let isWithdrawn):
            report(write { store in try await store.discard(entry, isWithdrawn: isWithdrawn) })
        case .forgetMeasurements(let episode):
            report(write { store in try await store.forgetMeasurements(of: episode) })
        case .requestFailed(let entry): queue.requestFailed(entry)
        case .setMeasuredDuration(let duration, let episode):
            report(write { store in try await store.setMeasuredDuration(duration, of: episode) })
        case .setCurrentEntry(let entry): report(write { [queue] _ in try await queue.setCurrentEntry(entry) })
        case .prepareNext(let entry): prepareNext(after: entry)
        case .refuse(let error): outcome.refusal = error
        }
    }

    // MARK: Media

    private func open(_ entry: QueueEntry, _ media: PlaybackMedia, _ opening: Opening) {
        let session = opening.session
        hostWait.take()?.timer.cancel()
        if let prepared = takePrepared(entry, media) { return begin(opening, on: prepared.source, prepared.decoder) }
        self.opening = opening
        start { player in
            do throws(MediaFailure) {
                let source = try await player.opener.open(media.url)
                // Seeks and pauses meanwhile have changed it; after a stop the source is not needed.
                guard let opening = player.takeOpening(of: session) else { return source.close() }
                player.begin(opening, on: source)
            } catch {
                if player.takeOpening(of: session) != nil { player.apply(.startFailed(session: session, error)) }
            }
        }
    }

    private func takeOpening(of session: UInt32) -> Opening? {
        guard let opening, opening.session == session else { return nil }
        self.opening = nil
        return opening
    }

    private func begin(_ opening: Opening, on source: any ByteSource, _ prepared: PreparedDecoder? = nil) {
        let session = opening.session
        let watch = SourceWatch { [weak self] phase, isLive in
            if let isLive { self?.post(.endless(session: session, isCertain: isLive)) }
            self?.post(.source(session: session, phase))
        }
        source.observe { watch.look(at: $0) }
        watch.look(at: source.snapshot)
        // Connect while the decoder's process starts.
        source.want(from: 0)
        do throws(MediaFailure) {
            let adopted = prepared.flatMap { adopt($0, opening.start) }
            let decoder = if let adopted { adopted } else { try startDecoder(on: source, opening.start) }
            decoder.events.release(to: session)
            deck = Deck(source: source, decoder: decoder.session)
            // The sound before has been silenced, so the renderer has the gain before its first frame of this one.
            applyGain()
            renderer.setPaused(opening.isHeld)
            renderer.play(
                decoder.session.pcm, generation: opening.start.generation, prebuffer: machine.settings.prebuffer,
                rebuffer: machine.settings.rebuffer)
        } catch {
            source.close()
            post(.startFailed(session: session, error))
        }
    }

    private func adopt(_ prepared: PreparedDecoder, _ start: DecoderStart) -> PreparedDecoder? {
        if prepared.start == start, !prepared.events.hasFailed { return prepared }
        // Frames that were decoded for another start must not be taken for those of this one.
        guard prepared.start.generation != start.generation, !prepared.events.hasFailed else {
            prepared.session.stop()
            return nil
        }
        prepared.session.seek(to: start.time, generation: start.generation, start.parameters)
        return prepared
    }

    private func startDecoder(
        on source: any ByteSource, _ start: DecoderStart
    ) throws(MediaFailure) -> PreparedDecoder {
        let events = HeldEvents { [weak self] session, event in self?.post(.decoder(session: session, event)) }
        let session = try decoders.start(
            source, at: start.time, generation: start.generation, start.parameters, events: events.add)
        return PreparedDecoder(session: session, events: events, start: start)
    }

    private func silence() {
        renderer.stop()
        hostWait.take()?.timer.cancel()
        opening = nil
        guard let deck = deck.take() else { return }
        deck.decoder.stop()
        deck.source.close()
    }

    // MARK: Queue and library

    private func choose(_ choice: PlayerAction.Choice, request: UInt32) -> Task<(any Error)?, Never> {
        start { player in
            let event: PlayerEvent
            do {
                let entry =
                    switch choice {
                    case .current: try await player.queue.currentEntry()
                    case .step(.next, let from): try await player.queue.entry(after: from)
                    case .step(.previous, let from): try await player.queue.entry(before: from)
                    }
                event = .chosen(request: request, entry)
            } catch {
                let failure = (error as? MediaFailure) ?? MediaFailure(.storage, "\(error)")
                player.apply(.choiceFailed(request: request, failure))
                return failure
            }
            return await player.apply(event).failure
        }
    }

    private func resolve(_ episode: EpisodeID, session: UInt32, isRefused: Bool) {
        // Not on the actor first: later writes could reach the store before this read.
        Task(executorPreference: executor) { [store] in
            do {
                let media = try await isRefused ? store.renewedMedia(of: episode) : store.media(of: episode)
                self.post(.resolved(session: session, media))
            } catch {
                let failure = (error as? MediaFailure) ?? MediaFailure(.storage, "\(error)")
                self.post(.resolutionFailed(session: session, failure))
            }
        }
    }

    // MARK: The next entry

    /// Connects to the next entry's host and starts its decoder. A wrong guess costs one connection and one process.
    private func prepareNext(after entry: EntryID) {
        start { player in
            let next = try? await player.queue.nextEpisode(after: entry)
            guard next == nil || player.prepared?.episode != next else { return }
            player.prepared.take()?.close()
            guard let next, let media = try? await player.store.media(of: next),
                let source = try? await player.opener.open(media.url)
            else { return }
            // Meanwhile the player may have continued with another entry, stopped, or prepared a different one.
            guard player.prepared == nil, let listening = player.machine.current.listening,
                listening.supply == .decoded, listening.entry.id == entry
            else { return source.close() }
            source.want(from: 0)
            let start = player.machine.current.expectedStart(of: next, media)
            player.prepared = Prepared(
                episode: next, media: media, source: source, decoder: try? player.startDecoder(on: source, start))
        }
    }

    private func takePrepared(_ entry: QueueEntry, _ media: PlaybackMedia) -> Prepared? {
        guard let prepared = prepared.take() else { return nil }
        // The last entry may have been what filled the disk.
        let isDiskFull =
            if case .failed(let failure) = prepared.source.snapshot.phase { failure.kind == .storage } else { false }
        if prepared.episode == entry.episode, prepared.media.url == media.url, !isDiskFull { return prepared }
        prepared.close()
        return nil
    }

    // MARK: Records

    /// Sets the episode whose position the store records. Runs before the actions of the same event, so that no periodic
    /// record of an earlier position can follow the position that they save.
    func arrangeRecord() {
        var sounding: Listening?
        if case .playing(let listening) = machine.state, !machine.isAnnouncing { sounding = listening }
        guard sounding?.generation != recorded else { return }
        recorded = sounding?.generation
        store.follow(sounding.map(soundingEpisode), every: machine.settings.recordInterval)
    }

    private func soundingEpisode(_ listening: Listening) -> SoundingEpisode {
        let generation = listening.generation
        return SoundingEpisode(
            episode: listening.entry.episode, parameters: listening.parameters, keepsPosition: !listening.isLive
        ) { [renderer, clock] in
            let playhead = renderer.playhead
            guard playhead.generation == generation else { return nil }
            let now = clock.now
            return HeardPlace(position: playhead.position(at: now), omitted: playhead.omitted(at: now))
        } recordFailed: { [weak self] error in
            self?.post(.recordFailed(Self.recordFailure(error)))
        } recordRecovered: { [weak self] in
            self?.post(.recordRecovered)
        }
    }

    private static func recordFailure(_ error: any Error) -> MediaFailure {
        MediaFailure(.storage, "the library cannot be written: \(error)")
    }

    /// Reports the failure of a write that no command waits for.
    func report(_ write: Task<(any Error)?, Never>) {
        start { player in
            guard let error = await write.value else { return }
            player.apply(.recordFailed(Self.recordFailure(error)))
        }
    }

    private func write(
        _ body: @escaping @Sendable (any PlaybackStore) async throws -> Void
    ) -> Task<(any Error)?, Never> {
        let task = Task.detached(executorPreference: executor) { [lastWrite, store] () -> (any Error)? in
            _ = await lastWrite?.value
            do {
                try await body(store)
                return nil
            } catch { return error }
        }
        lastWrite = task
        return task
    }

    // MARK: Tasks

    @discardableResult
    private func start<Value: Sendable>(
        _ work: @escaping @Sendable (isolated Player) async -> Value
    ) -> Task<Value, Never> {
        Task(executorPreference: executor) { await work(self) }
    }
}
