internal import MediaPorts
internal import PodcastModel

// MARK: Moving within an episode and between entries

extension PlayerStateMachine {
    /// Seeks within the current episode, and resumes if it is paused.
    mutating func restart(at start: MediaTime) -> [PlayerAction] {
        let seeking = seek(.absolute(start))
        if case .refuse? = seeking.first { return seeking }
        return seeking + resume(at: PlayerMoment())
    }

    mutating func seek(_ argument: TimeArgument) -> [PlayerAction] {
        let isHeld = state.kind == .paused
        guard var listening = state.listening else {
            guard case .resolving(var resolving) = stage, case .absolute(let time) = argument else {
                return [.refuse(.nothingPlaying)]
            }
            let start = max(time, .zero)
            (resolving.start, resolving.isChosen) = (start, true)
            place(.resolving(resolving), isHeld: isHeld)
            return [.savePosition(start, resolving.entry.episode, isHeard: false)]
        }
        if listening.isLive { return [.refuse(.liveStream)] }
        let target: MediaTime
        listening.sought = nil
        switch argument {
        case .absolute(let time):
            if let end = listening.trustedDuration, time > end { return [.refuse(.beyondEnd(duration: end))] }
            target = max(time, .zero)
            listening.sought = target
        case .share(let share):
            guard let duration = listening.duration else { return [.refuse(.durationUnknown)] }
            target = MediaTime(seconds: duration.seconds * min(max(share, 0), 1))
            listening.sought = share < 1 ? target : nil
        case .relativeShare(let share):
            guard let duration = listening.duration else { return [.refuse(.durationUnknown)] }
            return seek(.relative(MediaTime(seconds: duration.seconds * share)))
        case .relative(let distance):
            target = max(listening.position + distance, .zero)
            // If the duration was not measured, the decoder decides whether the target is after the end.
            if let end = listening.measuredDuration, distance > .zero, target >= end {
                return finish(listening, heard: listening.position, isHeld: isHeld)
            }
        }
        listening.leftFrom = listening.leftFrom ?? listening.position
        listening.chosen = target
        listening.parameters = parameters(of: listening)
        if listening.failure != nil {
            // The failed source and decoder cannot continue: open new ones at the target.
            listening.position = target
            return reopen(listening, isHeld: isHeld)
                + [.savePosition(target, listening.entry.episode, isHeard: false)]
        }
        generation += 1
        listening.generation = generation
        listening.position = target
        listening.isDecoded = false
        listening.wasHeard = true
        if listening.progress != .opening { listening.progress = .seeking }
        // Bytes missing at the old position no longer matter. The decoder requests the bytes that it needs at the target,
        // which also resumes the source.
        listening.missingByte = nil
        listening.isSourceSuspended = false
        settle(listening, isHeld: isHeld)
        return [
            .seek(to: target, generation: generation, listening.parameters),
            .savePosition(target, listening.entry.episode, isHeard: false),
        ]
    }

    /// Returns to where a seek came from that named a place after the end, which was not known before.
    mutating func returnFromPastEnd(_ listening: Listening, to place: MediaTime, isHeld: Bool) -> [PlayerAction] {
        var listening = listening
        report = MediaFailure(.damaged, "\(listening.sought ?? place) is after the end; continuing at \(place)")
        (listening.position, listening.leftFrom, listening.sought) = (place, nil, nil)
        return reopen(listening, isHeld: isHeld) + [.savePosition(place, listening.entry.episode, isHeard: false)]
    }

    /// From this position on, `previous` restarts the episode. Before it, `previous` goes to the previous entry.
    static let restartThreshold = MediaTime(seconds: 5)

    mutating func step(_ step: QueueStep) -> [PlayerAction] {
        guard !isShutDown else { return [.refuse(.shuttingDown)] }
        if step == .previous, let listening = state.listening, listening.wasHeard, !listening.isLive,
            listening.position >= Self.restartThreshold
        {
            asked = nil
            var unchosen = listening
            unchosen.chosen = nil
            return restart(at: parameters(of: unchosen).end(ofSkipAt: .zero))
        }
        let question = ask(.step(step, from: state.entry?.id))
        // This query replaces the earlier one; only its answer counts.
        if case .choosing(var choosing) = stage {
            choosing.request = request
            place(.choosing(choosing), isHeld: state.kind == .paused)
        }
        return [question]
    }

    mutating func ask(_ choice: PlayerAction.Choice) -> PlayerAction {
        request += 1
        asked = choice
        return .choose(request: request, choice)
    }

    /// Stops the sound, and saves the position if there was sound or a seek.
    mutating func leave() -> [PlayerAction] {
        guard let listening = state.listening else { return [] }
        return leave(listening)
    }

    /// As `leave`, for the current episode at a position.
    mutating func leave(_ listening: Listening) -> [PlayerAction] {
        sinkTrouble = nil
        let saving = record(listening)
        if !saving.isEmpty {
            left = LeftEntry(
                entry: listening.entry, position: listening.position, generation: listening.generation)
        }
        return [.silence] + saving
    }
}
