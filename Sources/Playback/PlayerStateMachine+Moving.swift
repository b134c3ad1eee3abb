internal import MediaPorts
internal import PodcastModel

// MARK: Moving within an episode and between entries

extension PlayerStateMachine {
    /// Moves within what is under way, and goes on if it is held.
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
            resolving.start = start
            place(.resolving(resolving), isHeld: isHeld)
            return [.savePosition(start, resolving.entry.episode)]
        }
        let target: MediaTime
        switch argument {
        case .absolute(let time):
            if let end = listening.latestEnd, time > end { return [.refuse(.beyondEnd(duration: end))] }
            target = max(time, .zero)
        case .relative(let distance):
            target = max(listening.position + distance, .zero)
            // Beyond an end that may be wrong the decoder decides.
            if let end = listening.measuredDuration, distance > .zero, target >= end {
                return finish(listening, heard: listening.position, isHeld: isHeld)
            }
        }
        listening.leftFrom = listening.leftFrom ?? listening.position
        if listening.failure != nil {
            // What failed is not asked again: a new source and decoder begin at the target.
            listening.position = target
            return reopen(listening, isHeld: isHeld)
                + [.savePosition(target, listening.entry.episode)]
        }
        generation += 1
        listening.generation = generation
        listening.position = target
        listening.isDecoded = false
        listening.wasHeard = true
        if listening.progress != .opening { listening.progress = .seeking }
        // What it missed before is of no interest: the decoder asks for what it misses there, and wakes the source so.
        listening.missingByte = nil
        listening.isSourceSuspended = false
        settle(listening, isHeld: isHeld)
        return [.seek(to: target, generation: generation)] + record(listening)
    }

    /// From this position on `previous` goes to the beginning of the episode, and before it to the previous one.
    static let restartThreshold = MediaTime(seconds: 5)

    mutating func step(_ step: QueueStep) -> [PlayerAction] {
        guard !isShutDown else { return [.refuse(.shuttingDown)] }
        if step == .previous, let listening = state.listening, listening.wasHeard,
            listening.position >= Self.restartThreshold
        {
            asked = nil
            return restart(at: .zero)
        }
        let question = ask(.step(step, from: state.entry?.id))
        // What was chosen before is overtaken; the answer to this question decides alone.
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
}
