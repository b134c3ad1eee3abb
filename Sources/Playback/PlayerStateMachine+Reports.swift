internal import MediaPorts
internal import PodcastModel

extension PlayerStateMachine {
    mutating func source(_ phase: ByteSourcePhase, session: UInt32, at moment: PlayerMoment) -> [PlayerAction] {
        guard var listening = current(session) else { return [] }
        listening.handle(phase)
        self.listening = listening
        // Once the episode is decoded to its end, network failures no longer matter.
        if listening.supply == .decoded { return [] }
        switch phase {
        case .failed(let failure) where failure.kind == .storage:
            // What is cached plays on: the decoder fails when it needs a byte that is missing.
            report = failure
            return []
        case .failed(let failure): return mediaFailed(listening, failure, at: moment)
        case .waitingToRetry(_, _, let reason):
            guard listening.progress == .opening, hasWaited(for: listening) else { return [] }
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
        guard !listening.wasHeard || listening.progress != .sounding, listening.position > .zero else {
            self.listening = listening
            return []
        }
        listening.position = .zero
        return reopen(listening, isHeld: isHeld)
    }

    mutating func decoder(_ event: DecoderEvent, session: UInt32, at moment: PlayerMoment) -> [PlayerAction] {
        guard var listening = current(session) else { return [] }
        switch event {
        case .restarted(let reason): report = MediaFailure(.damaged, reason)
        case .failed(let failure): return mediaFailed(listening, failure, at: moment)
        case .opened(let info): report = info.damageReport ?? report
        case .waitingForBytes, .decoding, .positioned, .reachedEnd: break
        }
        let actions = listening.handle(event)
        self.listening = listening
        return actions + adjustSound()
    }

    mutating func renderer(_ event: RendererEvent) -> [PlayerAction] {
        guard var listening else { return [] }
        switch event {
        case .started(let generation), .resumed(let generation):
            guard listening.generation == generation else { return [] }
            listening.progress = .sounding
            listening.wasHeard = true
            listening.jump = nil
            listening.sinkTrouble = nil
            intent.wasFulfilled()
            lastHeard = listening.entry
        case .underrun(let generation):
            guard listening.generation == generation else { return [] }
            if let failure = listening.failure { return fail(listening, failure) }
            listening.progress = .starved
        case .ended(let generation):
            guard listening.generation == generation else { return [] }
            return ended(listening)
        case .sinkFailed(let error):
            // The entry did not cause a permanent sink failure. Stop, because other entries would fail in the same way.
            switch error.kind {
            case .temporary: listening.sinkTrouble = error
            case .permanent: return fail(listening, MediaFailure(.sink, error.message))
            case .noOutput: return fail(listening, MediaFailure(.noOutput, error.message))
            }
        case .sinkRecovered: listening.sinkTrouble = nil
        }
        self.listening = listening
        return []
    }

    /// Whether an episode is heard to its end once the renderer has ended a generation.
    func isHeardToEnd(_ generation: UInt32) -> Bool {
        guard let listening, listening.generation == generation, case .heard = listening.end else { return false }
        return true
    }

    private mutating func ended(_ listening: Listening) -> [PlayerAction] {
        switch listening.end {
        case .failed(let failure): return fail(listening, failure)
        case .leftOut: return finish(listening, heard: nil)
        case .startPastEnd:
            guard settings.startsOverPastEnd else {
                let length = listening.duration.map { " (\($0))" } ?? ""
                return fail(
                    listening,
                    MediaFailure(.damaged, "the start \(listening.position) is after the end of the file\(length)"))
            }
            var listening = listening
            listening.position = .zero
            return reopen(listening, isHeld: isHeld)
        case .soughtPastEnd(let jump): return returnFromPastEnd(listening, jump)
        case .heard: return finish(listening, heard: listening.jump?.from)
        }
    }

    /// Pauses at a position of the episode whose end was heard, instead of playing the next one.
    mutating func holdAtEnd(at place: MediaTime) -> [PlayerAction] {
        guard var listening else { return [] }
        listening.position = place
        return reopen(listening, isHeld: true) + listening.saving
    }

    mutating func heldLong(generation: UInt32) -> [PlayerAction] {
        guard isHeld, let listening, listening.generation == generation else { return [] }
        switch listening.supply {
        case .flowing: self.listening?.supply = .suspended(missing: nil)
        case .missing(let byte): self.listening?.supply = .suspended(missing: byte)
        case .decoded: break
        case .suspended: return []
        }
        return [.suspendSource]
    }
}
