internal import MediaPorts
internal import PodcastModel

// MARK: Answers of queue and library

extension PlayerStateMachine {
    mutating func chosen(_ entry: QueueEntry?, request: UInt32) -> [PlayerAction] {
        guard request == self.request, let asked else { return [] }
        self.asked = nil
        if case .choosing(let choosing) = stage {
            let isHeld = state.kind == .paused
            if let entry { return begin(entry, at: nil, isHeld: isHeld) }
            state = .stopped(choosing.otherwise)
            if asked != .current, let first = unreached.first {
                // The next `play` begins with the first of them.
                guard settings.waitsForHosts, awaited == nil else { return [.setCurrentEntry(first.entry)] }
                awaited = AwaitedEntry(entry: first.entry)
                unreached = []
                return begin(first.entry, at: nil, isHeld: isHeld)
            }
            // Report an empty queue only if the user asked for its entry; reaching the end by itself is not an error.
            return asked == .current ? [.refuse(.queueIsEmpty)] : []
        }
        guard let entry else {
            switch asked {
            case .current: return [.refuse(.queueIsEmpty)]
            case .step(.next, from: nil): return [.refuse(.queueIsEmpty)]
            case .step(.next, _): return [.refuse(.noNextEntry)]
            case .step(.previous, _): return [.refuse(.noPreviousEntry)]
            }
        }
        report = nil
        return begin(entry, at: nil, isHeld: false)
    }

    mutating func choiceFailed(_ failure: MediaFailure, request: UInt32) -> [PlayerAction] {
        guard request == self.request, asked != nil else { return [] }
        asked = nil
        report = failure
        if case .choosing = stage { state = .stopped(.failed(failure)) }
        return []
    }

    mutating func resolved(_ media: PlaybackMedia, session: UInt32) -> [PlayerAction] {
        guard case .resolving(let resolving) = stage, resolving.session == session else { return [] }
        generation += 1
        let isHeld = state.kind == .paused
        var listening = Listening(
            entry: resolving.entry, media: media, session: session, generation: generation,
            position: resolving.start ?? Self.beginning(of: media))
        listening.chosen = resolving.isChosen ? resolving.start : nil
        listening.parameters = parameters(of: listening)
        settle(listening, isHeld: isHeld)
        return [start(listening, isHeld: isHeld)]
    }

    /// How an episode will start if it is the next one and nothing else happens before.
    func expectedStart(of episode: EpisodeID, _ media: PlaybackMedia) -> DecoderStart {
        let listening = Listening(
            entry: QueueEntry(id: EntryID(0), episode: episode), media: media, session: session + 1,
            generation: generation + 1, position: Self.beginning(of: media))
        return DecoderStart(
            time: listening.position, generation: listening.generation, parameters: parameters(of: listening))
    }

    /// A saved position at or after the measured end means that the file became shorter: start at the beginning. If the
    /// end is only announced by the feed, keep the position: it was reached by playing, so the announced duration is
    /// wrong.
    private static func beginning(of media: PlaybackMedia) -> MediaTime {
        guard media.isDurationMeasured, let duration = media.duration, duration > .zero,
            media.resumePosition >= duration
        else {
            return max(media.resumePosition, .zero)
        }
        return .zero
    }

    mutating func resolutionFailed(_ failure: MediaFailure, session: UInt32) -> [PlayerAction] {
        guard case .resolving(let resolving) = stage, resolving.session == session else { return [] }
        return giveUp(resolving.entry, at: "", failure)
    }
}

// MARK: Reports of source, decoder and renderer

extension PlayerStateMachine {
    mutating func source(
        _ phase: ByteSourcePhase, session: UInt32, at moment: PlayerMoment
    ) -> [PlayerAction] {
        guard var listening = current(session) else { return [] }
        listening.phase = phase
        switch phase {
        case .waitingToRetry(let attempt, let delay, let reason):
            listening.retry = Listening.Retry(attempt: attempt, delay: delay, reason: reason)
        case .connecting: listening.retry?.delay = nil
        case .failed: break
        case .idle, .receiving, .complete: listening.retry = nil
        }
        settle(listening, isHeld: state.kind == .paused)
        // Once the episode is decoded to its end, network failures no longer matter.
        if listening.isDecoded { return [] }
        switch phase {
        case .failed(let failure) where failure.kind == .storage:
            // What is cached plays on: the decoder fails when it needs a byte that is missing.
            report = failure
            return []
        case .failed(let failure): return mediaFailed(listening, failure, at: moment)
        case .waitingToRetry(_, _, let reason):
            // This episode, or another one of this host, was tried for long enough already.
            let host = host(of: listening)
            guard listening.progress == .opening,
                awaited?.entry == listening.entry || unreached.contains(where: { $0.host == host })
            else { return [] }
            return mediaFailed(listening, MediaFailure(.network, reason), at: moment)
        case .idle, .connecting, .receiving, .complete: return []
        }
    }

    /// The server sends no length. If the feed announces none either, it is a live stream, which is played from
    /// the present on, because the saved position belongs to another connection.
    mutating func endless(session: UInt32, isCertain: Bool) -> [PlayerAction] {
        guard var listening = current(session), !listening.isLive, isCertain || listening.media.isOfUnknownSize else {
            return []
        }
        listening.isLive = true
        let isHeld = state.kind == .paused
        guard !listening.wasHeard || listening.progress != .sounding, listening.position > .zero else {
            settle(listening, isHeld: isHeld)
            return []
        }
        listening.position = .zero
        return reopen(listening, isHeld: isHeld)
    }

    mutating func decoder(
        _ event: DecoderEvent, session: UInt32, at moment: PlayerMoment
    ) -> [PlayerAction] {
        guard var listening = current(session) else { return [] }
        var actions: [PlayerAction] = []
        switch event {
        case .opened(let info):
            if info.isExact, let duration = info.duration, duration != listening.info?.duration {
                actions.append(.setMeasuredDuration(duration, listening.entry.episode))
            }
            listening.info = info
            if listening.progress == .opening { listening.progress = .filling }
        case .waitingForBytes(let offset): listening.missingByte = offset
        case .decoding: listening.missingByte = nil
        case .positioned(let generation, let time):
            guard generation == listening.generation else { return [] }
            if listening.progress == .seeking {
                listening.progress = .filling
                listening.position = time
            }
        case .reachedEnd(let generation, let duration):
            guard generation == listening.generation else { return [] }
            listening.isDecoded = true
            listening.missingByte = nil
            listening.failure = nil
            if let duration, duration > .zero {
                listening.info?.duration = duration
                listening.info?.isExact = true
                actions.append(.setMeasuredDuration(duration, listening.entry.episode))
            }
            actions.append(.prepareNext(after: listening.entry.id))
        case .restarted(let reason):
            report = MediaFailure(.damaged, reason)
        case .failed(let failure):
            return mediaFailed(listening, failure, at: moment)
        }
        settle(listening, isHeld: state.kind == .paused)
        return actions + adjustSound()
    }

    mutating func renderer(_ event: RendererEvent) -> [PlayerAction] {
        switch event {
        case .started(let generation), .resumed(let generation):
            guard var listening = state.listening, listening.generation == generation else { return [] }
            sinkTrouble = nil
            listening.progress = .sounding
            listening.wasHeard = true
            (listening.leftFrom, listening.sought) = (nil, nil)
            (unreached, awaited) = ([], nil)
            requested = nil
            if !isMessage(listening.entry) { lastHeard = listening.entry }
            settle(listening, isHeld: state.kind == .paused)
            return []
        case .underrun(let generation):
            guard var listening = state.listening, listening.generation == generation else { return [] }
            if let failure = listening.failure { return fail(listening, failure) }
            listening.progress = .starved
            settle(listening, isHeld: state.kind == .paused)
            return []
        case .ended(let generation):
            guard let listening = state.listening, listening.generation == generation else { return [] }
            if let failure = listening.failure { return fail(listening, failure) }
            let isHeld = state.kind == .paused
            if !listening.wasHeard, listening.parameters.isEndLeftOut(from: listening.position) {
                return finish(listening, heard: nil, isHeld: isHeld)
            }
            if !listening.wasHeard, listening.position > .zero {
                // The start position was after the end, which was not known before.
                guard settings.startsOverPastEnd else {
                    let length = listening.duration.map { " (\($0))" } ?? ""
                    return fail(
                        listening,
                        MediaFailure(.damaged, "the start \(listening.position) is after the end of the file\(length)"))
                }
                var listening = listening
                listening.position = .zero
                return reopen(listening, isHeld: isHeld)
            }
            if let left = listening.leftFrom, let sought = listening.sought, let end = listening.measuredDuration,
                sought > end + MediaTime(seconds: 1)
            {
                return returnFromPastEnd(listening, to: left, isHeld: isHeld)
            }
            return heardToEnd(listening, isHeld: isHeld)
        case .sinkFailed(let error):
            guard let listening = state.listening else { return [] }
            // The entry did not cause a permanent sink failure. Stop, because other entries would fail in the same way.
            guard error.isTemporary else { return fail(listening, MediaFailure(.sink, error.message)) }
            sinkTrouble = error
            settle(listening, isHeld: state.kind == .paused)
            return []
        case .sinkRecovered:
            sinkTrouble = nil
            guard let listening = state.listening else { return [] }
            settle(listening, isHeld: state.kind == .paused)
            return []
        }
    }

    /// Marks an entry as played and queries the queue for the next one.
    /// - Parameter heard: the position that undo restores; nil for the saved one.
    mutating func finish(_ listening: Listening, heard: MediaTime?, isHeld: Bool) -> [PlayerAction] {
        if isMessage(listening.entry) { return returnFromMessage() }
        sinkTrouble = nil
        lastHeard = nil
        let entry = listening.entry
        return [.silence, .finish(entry, heard: heard)]
            + choose(.step(.next, from: entry.id), otherwise: .ended, isHeld: isHeld)
    }

    mutating func heldLong(generation: UInt32) -> [PlayerAction] {
        guard case .paused(.listening(var listening)) = state, listening.generation == generation,
            !listening.isSourceSuspended
        else { return [] }
        listening.isSourceSuspended = true
        state = .paused(.listening(listening))
        return [.suspendSource]
    }
}

// MARK: Failures

extension PlayerStateMachine {
    /// Handles a failure of source or decoder. It takes effect at once, unless the player is paused or has enough decoded
    /// audio to play first. If the file changed at its host, opens the new one.
    private mutating func mediaFailed(
        _ listening: Listening, _ failure: MediaFailure, at moment: PlayerMoment
    ) -> [PlayerAction] {
        var listening = listening
        let isHeld = state.kind == .paused
        if failure.kind == .changed, listening.reopenings < Self.maximumReopenings {
            report = MediaFailure(.changed, "\(failure.message); playing the new one")
            listening.reopenings += 1
            (listening.media.loudness, listening.media.isDurationMeasured) = (nil, false)
            listening.info = nil
            listening.parameters = parameters(of: listening)
            return [.forgetMeasurements(listening.entry.episode)] + reopen(listening, isHeld: isHeld)
        }
        let isSoundComing =
            switch listening.progress {
            case .sounding: true
            case .filling: .seconds(moment.buffered) >= settings.prebuffer
            case .starved: .seconds(moment.buffered) >= settings.rebuffer
            case .opening, .seeking: false
            }
        guard isSoundComing || isHeld else { return fail(listening, failure) }
        listening.failure = listening.failure ?? failure
        settle(listening, isHeld: isHeld)
        return []
    }

    /// Gives up the current entry because of a failure.
    mutating func fail(_ listening: Listening, _ failure: MediaFailure) -> [PlayerAction] {
        if settings.waitsForHosts, failure.kind == .network, let retry = listening.retry, isNeeded(listening.entry) {
            return wait(with: listening, retry, failure)
        }
        let actions = leave() + giveUp(listening.entry, at: host(of: listening), failure)
        // What plays next must not seem to have failed.
        if report == failure, state.kind != .stopped, state.entry != listening.entry {
            report = MediaFailure(
                failure.kind, "'\(SafeText.line(listening.media.title, atMost: 80))': \(failure.message)")
        }
        return actions
    }

    private func host(of listening: Listening) -> String { WebAddress.authority(of: listening.media.url) }

    /// Continues with the next entry if only this one has failed; stops if the next one would probably fail too.
    /// - Parameter host: the host of its media; empty for a file, or if it is not known.
    private mutating func giveUp(_ entry: QueueEntry, at host: String, _ failure: MediaFailure) -> [PlayerAction] {
        report = failure
        if failure.kind == .changed {
            report = MediaFailure(.changed, "\(failure.message); play it again to get the new one")
        }
        if isMessage(entry) { return returnFromMessage() }
        if let requested, requested.entry == entry {
            let isForgotten = Self.isOfContent(failure) || (requested.isNew && Self.isOfHost(failure))
            return refuse(requested, failure) + [.requestFailed(entry)]
                + (isForgotten ? [.discard(entry, isWithdrawn: requested.isNew)] : [])
        }
        switch failure.kind {
        case .notFound, .notAudio, .damaged: return passOver(entry, failure) + [.discard(entry)]
        case .forbidden, .changed: return passOver(entry, failure)
        case .network: return cannotReach(host, entry, failure)
        case .storage, .sink, .internal:
            asked = nil
            state = .stopped(.failed(failure))
            return []
        }
    }

    /// Whether the entry's own file is the cause, for good.
    private static func isOfContent(_ failure: MediaFailure) -> Bool {
        switch failure.kind {
        case .notFound, .notAudio, .damaged: true
        case .forbidden, .changed, .network, .storage, .sink, .internal: false
        }
    }

    /// Whether the entry's host is the cause, perhaps for a while.
    private static func isOfHost(_ failure: MediaFailure) -> Bool {
        switch failure.kind {
        case .forbidden, .changed, .network: true
        case .notFound, .notAudio, .damaged, .storage, .sink, .internal: false
        }
    }

    /// The entry that was asked for, if its host could not be reached so far.
    var waitingRequest: RequestedEntry? {
        guard let requested, let listening = state.listening, listening.entry == requested.entry, !listening.wasHeard,
            listening.retry != nil
        else { return nil }
        return requested
    }

    /// The user stops while the entry that was asked for waits for another try, or is tried again: it has failed.
    mutating func abandonRequest() -> [PlayerAction] {
        guard let requested = waitingRequest else { return [] }
        self.requested = nil
        let current: [PlayerAction] = lastHeard.map { [.setCurrentEntry($0)] } ?? []
        return current + [.requestFailed(requested.entry)]
            + (requested.isNew ? [.discard(requested.entry, isWithdrawn: true)] : [])
    }

    /// The user asked for one entry, so nothing else is started in its place: returns to what was played before.
    private mutating func refuse(_ requested: RequestedEntry, _ failure: MediaFailure) -> [PlayerAction] {
        self.requested = nil
        asked = nil
        state = .stopped(.failed(failure))
        switch failure.kind {
        // Every entry would fail in this way.
        case .storage, .sink, .internal: return []
        case .notFound, .notAudio, .damaged, .forbidden, .changed, .network: break
        }
        if let former = requested.former {
            return begin(former.entry, at: former.position, isHeld: former.isHeld)
        }
        return lastHeard.map { [.setCurrentEntry($0)] } ?? []
    }

    private mutating func passOver(_ entry: QueueEntry, _ failure: MediaFailure) -> [PlayerAction] {
        choose(.step(.next, from: entry.id), otherwise: .failed(failure), isHeld: state.kind == .paused)
    }

    /// Continues with the next entry if one host cannot be reached. If a second one cannot be reached either, the network is
    /// down: waits for it with the first entry, for as long as it takes.
    private mutating func cannotReach(
        _ host: String, _ entry: QueueEntry, _ failure: MediaFailure
    ) -> [PlayerAction] {
        guard let first = unreached.first, first.host != host else {
            unreached.append(Unreached(entry: entry, host: host))
            return passOver(entry, failure)
        }
        let isHeld = state.kind == .paused
        report = MediaFailure(
            .network,
            "waiting for the network: neither \(first.host) nor \(host) can be reached (\(failure.message))")
        unreached = []
        // The failed entry was left already.
        state = .stopped(.failed(failure))
        return begin(first.entry, at: nil, isHeld: isHeld)
    }
}
