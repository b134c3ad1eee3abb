internal import MediaPorts
internal import PodcastModel

extension PlayerStateMachine {
    mutating func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) -> [PlayerAction] {
        if case .shutDown = activity { return [.refuse(.shuttingDown)] }
        report = nil
        intent.forgetWaits()
        // If the entry is current already, continue it: no gap, and no second request to the host.
        if let listening, listening.entry == entry, listening.failure == nil {
            guard let start else { return resume(at: PlayerMoment()) }
            return restart(at: start)
        }
        var forgetting: [PlayerAction] = []
        if let superseded = waitingRequest, superseded.isNew, superseded.entry != entry {
            forgetting = [.discard(superseded.entry, isWithdrawn: true)]
        }
        intent = .request(RequestedEntry(entry: entry, isNew: isNew, former: former), Backoff())
        // An explicit start position is saved like a seek, even if starting fails.
        if let start {
            let start = max(start, .zero)
            return begin(entry, at: start, isHeld: false, isChosen: true)
                + [.savePosition(start, entry.episode, isHeard: false)] + forgetting
        }
        // `leave` saves the position only after this lookup, so pass it along instead of reading it back.
        let same = listening.flatMap { $0.wasHeard && $0.entry.episode == entry.episode ? $0 : nil }
        return begin(entry, at: same?.position, isHeld: false) + forgetting
    }

    private var former: RequestedEntry.Former? {
        if let listening, listening.wasHeard, listening.failure == nil, !listening.isNearlyOver(settings) {
            return RequestedEntry.Former(entry: listening.entry, position: listening.position, isHeld: isHeld)
        }
        if case .request(let requested, _) = intent { return requested.former }
        return nil
    }

    mutating func resume(at moment: PlayerMoment) -> [PlayerAction] {
        intent.forgetWaits()
        switch activity {
        case .shutDown: return [.refuse(.shuttingDown)]
        case .stopped(let reason):
            report = nil
            return choose(.current, otherwise: reason, isHeld: false)
        case .active(_, isHeld: false): return []
        case .active(.listening(let listening), isHeld: true): return resume(listening, at: moment)
        case .active(let stage, isHeld: true):
            activity = .active(stage, isHeld: false)
            return []
        }
    }

    private mutating func resume(_ paused: Listening, at moment: PlayerMoment) -> [PlayerAction] {
        if let failure = paused.failure, paused.progress != .sounding { return fail(paused, failure) }
        var listening = paused
        var actions: [PlayerAction] = []
        if case .suspended(let missing) = paused.supply {
            if paused.isLive {
                listening.position = .zero
                return reopen(listening, isHeld: false)
            }
            listening.supply = .flowing
            listening.supply.await(missing)
            if let missing { actions.append(.wakeSource(from: missing)) }
        }
        listening.pausedAt = nil
        activity = .active(.listening(listening), isHeld: false)
        let rewind = paused.rewind(settings, at: moment)
        if rewind > .zero { actions += seek(.relative(.zero - rewind)) }
        return actions + [.setPaused(false)]
    }

    mutating func pause(at moment: PlayerMoment) -> [PlayerAction] {
        intent.forgetWaits()
        return hold(at: moment)
    }

    private mutating func hold(at moment: PlayerMoment) -> [PlayerAction] {
        guard case .active(let stage, isHeld: false) = activity else { return [] }
        activity = .active(stage, isHeld: true)
        guard let listening else { return [] }
        guard listening.progress != .opening else { return [.setPaused(true)] }
        self.listening?.pausedAt = moment.time
        return [.setPaused(true)] + listening.saving
    }

    /// Pauses, and moves back to where the sleep timer's fade began.
    mutating func fallAsleep(at place: MediaTime) -> [PlayerAction] {
        guard !isHeld else { return [] }
        // If nothing was heard, no place is remembered.
        guard let listening, listening.progress != .opening, listening.wasHeard else { return hold(at: PlayerMoment()) }
        return hold(at: PlayerMoment()) + seek(.absolute(listening.parameters.end(ofSkipAt: place)))
    }

    mutating func stop() -> [PlayerAction] {
        let abandoned = abandonRequest()
        return halt() + abandoned
    }

    private mutating func halt() -> [PlayerAction] {
        report = nil
        // A pending answer must not start playback.
        intent = .order
        switch activity {
        case .shutDown, .stopped(.neverStarted), .stopped(.asked), .stopped(.ended): return []
        case .stopped(.failed), .active:
            let leaving = leaveForOther()
            activity = .stopped(.asked)
            return leaving
        }
    }

    mutating func shutdown() -> [PlayerAction] {
        report = nil
        intent = .order
        let leaving = leave()
        activity = .shutDown
        return leaving
    }

    mutating func dropCurrent(ifIn entries: Set<EntryID>) -> [PlayerAction] {
        intent.forgetWaits()
        guard let entry, entries.contains(entry.id) else { return [] }
        if isHeld { return halt() }
        intent = .order
        return leaveForOther() + choose(.step(.next, from: entry.id), otherwise: .asked, isHeld: false)
    }

    /// From this position on, `previous` restarts the episode. Before it, `previous` goes to the previous entry.
    private static let restartThreshold = MediaTime(seconds: 5)

    mutating func step(_ step: QueueStep) -> [PlayerAction] {
        if case .shutDown = activity { return [.refuse(.shuttingDown)] }
        intent = .order
        if step == .previous, let listening, listening.wasHeard, !listening.isLive,
            listening.position >= Self.restartThreshold
        {
            var unchosen = listening
            unchosen.chosen = nil
            return restart(at: unchosen.parameters(for: settings.sound).end(ofSkipAt: .zero))
        }
        let question = ask(.step(step, from: entry?.id))
        if case .active(.choosing(let choosing), let isHeld) = activity {
            // This query replaces the earlier one; only its answer counts.
            let choosing = Choosing(question: question, otherwise: choosing.otherwise)
            activity = .active(.choosing(choosing), isHeld: isHeld)
        } else {
            intent = .step(question)
        }
        return [.choose(request: question.number, question.choice)]
    }

    /// Seeks within the current episode, and resumes if it is paused.
    private mutating func restart(at start: MediaTime) -> [PlayerAction] {
        let seeking = seek(.absolute(start))
        if case .refuse? = seeking.first { return seeking }
        return seeking + resume(at: PlayerMoment())
    }

    mutating func seek(_ argument: TimeArgument) -> [PlayerAction] {
        intent.forgetWaits()
        guard var listening else {
            guard case .resolving(var resolving) = stage, case .absolute(let time) = argument else {
                return [.refuse(.nothingPlaying)]
            }
            let start = max(time, .zero)
            resolving.start = start
            resolving.isChosen = true
            activity = .active(.resolving(resolving), isHeld: isHeld)
            return [.savePosition(start, resolving.entry.episode, isHeard: false)]
        }
        if listening.isLive { return [.refuse(.liveStream)] }
        let target: MediaTime
        var named: MediaTime?
        switch argument {
        case .absolute(let time):
            if let end = listening.trustedDuration, time > end { return [.refuse(.beyondEnd(duration: end))] }
            target = max(time, .zero)
            named = target
        case .share(let share):
            guard let duration = listening.duration else { return [.refuse(.durationUnknown)] }
            target = MediaTime(seconds: duration.seconds * min(max(share, 0), 1))
            named = share < 1 ? target : nil
        case .relativeShare(let share):
            guard let duration = listening.duration else { return [.refuse(.durationUnknown)] }
            return seek(.relative(MediaTime(seconds: duration.seconds * share)))
        case .relative(let distance):
            target = max(listening.position + distance, .zero)
            // If the duration was not measured, the decoder decides whether the target is after the end.
            if let end = listening.measuredDuration, distance > .zero, target >= end {
                return finish(listening, heard: listening.position)
            }
        }
        listening.jump = Listening.Jump(from: listening.jump?.from ?? listening.position, named: named)
        listening.chosen = target
        listening.parameters = listening.parameters(for: settings.sound)
        listening.position = target
        let saving = PlayerAction.savePosition(target, listening.entry.episode, isHeard: false)
        // A failed source and decoder cannot continue: open new ones at the target.
        if listening.failure != nil { return reopen(listening, isHeld: isHeld) + [saving] }
        listening.wasHeard = true
        // The decoder requests the bytes that it needs at the target, which also resumes the source.
        numbers.generation += 1
        listening.decodeAgain(generation: numbers.generation)
        if listening.progress != .opening { listening.progress = .seeking }
        self.listening = listening
        return [.seek(to: target, generation: listening.generation, listening.parameters), saving]
    }

    /// Returns to where a seek came from that named a place after the end, which was not known before.
    mutating func returnFromPastEnd(_ listening: Listening, _ jump: Listening.Jump) -> [PlayerAction] {
        var listening = listening
        report = MediaFailure(.damaged, "\(jump.named ?? jump.from) is after the end; continuing at \(jump.from)")
        listening.position = jump.from
        listening.jump = nil
        return reopen(listening, isHeld: isHeld) + [.savePosition(jump.from, listening.entry.episode, isHeard: false)]
    }

    /// Changes how the current episode is played, if settings or what is known about it have changed.
    mutating func adjustSound() -> [PlayerAction] {
        guard var listening, listening.failure == nil else { return [] }
        var wanted = listening.parameters(for: settings.sound)
        // Within a part that is left out from now on the sound continues. At a part that was left out before it is about to jump.
        let known = listening.parameters.skips
        if listening.wasHeard, wanted.skips.contains(where: { $0.contains(listening.position) && !known.contains($0) })
        {
            listening.chosen = listening.position
            wanted = listening.parameters(for: settings.sound)
        }
        guard wanted != listening.parameters else { return [] }
        listening.parameters = wanted
        numbers.generation += 1
        listening.decodeAgain(generation: numbers.generation)
        let isSounding = listening.progress == .sounding && !isHeld
        if !isSounding, listening.progress != .opening { listening.progress = .seeking }
        self.listening = listening
        return isSounding
            ? [.change(from: listening.position, generation: listening.generation, wanted)]
            : [.seek(to: listening.position, generation: listening.generation, wanted)]
    }
}
