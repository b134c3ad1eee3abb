internal import MediaPorts
internal import PodcastModel

extension PlayerStateMachine {
    /// Handles a failure of source or decoder. It takes effect at once, unless the player is paused or has enough decoded
    /// audio to play first. If the file changed at its host, opens the new one.
    mutating func mediaFailed(
        _ listening: Listening, _ failure: MediaFailure, at moment: PlayerMoment
    ) -> [PlayerAction] {
        var listening = listening
        if failure.kind == .changed, listening.reopenings < Self.maximumReopenings {
            report = MediaFailure(.changed, "\(failure.message); playing the new one")
            listening.reopenings += 1
            listening.media.loudness = nil
            listening.media.isDurationMeasured = false
            listening.info = nil
            listening.parameters = listening.parameters(for: settings.sound)
            return [.forgetMeasurements(listening.entry.episode)] + reopen(listening, isHeld: isHeld)
        }
        let isSoundComing =
            switch listening.progress {
            case .sounding: true
            case .filling, .starved: .seconds(moment.buffered) >= listening.goal(settings)
            case .opening, .seeking: false
            }
        guard isSoundComing || isHeld else { return fail(listening, failure) }
        listening.failure = listening.failure ?? failure
        self.listening = listening
        return []
    }

    mutating func fail(_ listening: Listening, _ failure: MediaFailure) -> [PlayerAction] {
        if settings.waitsForHosts, failure.kind == .network, let retry = listening.retry,
            let backoff = backoff(of: listening.entry)
        {
            return wait(with: listening, retry, backoff, failure)
        }
        let leaving = leave()
        if listening.mayHaveNewAddress(after: failure) {
            numbers.session += 1
            let refusal = Refusal(listening: listening, failure: failure)
            resolve(listening.entry, at: listening.position, isHeld: isHeld, after: refusal)
            return leaving + [.resolve(session: numbers.session, listening.entry.episode, isRefused: true)]
        }
        return leaving + giveUp(listening, failure)
    }

    /// Gives up an entry that was left already.
    mutating func giveUp(_ listening: Listening, _ failure: MediaFailure) -> [PlayerAction] {
        let mayRecover = listening.retry != nil || listening.wasHeard
        let actions = giveUp(listening.entry, at: listening.host, failure, mayRecover: mayRecover)
        // The next episode must not seem to have failed.
        if report == failure, stage != nil, entry != listening.entry {
            report?.title = SafeText.line(listening.media.title, atMost: 80)
        }
        return actions
    }

    /// Continues with the next entry if only this one has failed; stops if the next one would probably fail too.
    /// - Parameters:
    ///   - host: the host of its media; empty for a file, or if it is not known.
    ///   - mayRecover: whether the host worked before, or was tried more than once; if not, it fails again in the same way.
    mutating func giveUp(
        _ entry: QueueEntry, at host: String, _ failure: MediaFailure, mayRecover: Bool = false
    ) -> [PlayerAction] {
        report = failure
        if failure.kind == .changed {
            report = MediaFailure(.changed, "\(failure.message); play it again to get the new one")
        }
        if case .request(let requested, _) = intent, requested.entry == entry { return refuse(requested, failure) }
        switch failure.kind {
        case .notFound, .notAudio, .damaged: return passOver(entry, failure) + [.discard(entry)]
        case .forbidden, .changed: return passOver(entry, failure)
        case .network: return cannotReach(host, entry, failure, mayRecover: mayRecover)
        case .storage, .sink, .noOutput, .decoder, .internal:
            intent = .order
            activity = .stopped(.failed(failure))
            return []
        }
    }

    private mutating func passOver(_ entry: QueueEntry, _ failure: MediaFailure) -> [PlayerAction] {
        choose(.step(.next, from: entry.id), otherwise: .failed(failure), isHeld: isHeld)
    }

    // MARK: The entry that the user asked for

    /// The entry that was asked for, if its host could not be reached so far.
    var waitingRequest: RequestedEntry? {
        guard case .request(let requested, _) = intent, let listening, listening.entry == requested.entry,
            !listening.wasHeard, listening.retry != nil
        else { return nil }
        return requested
    }

    /// The user stops while the entry that was asked for waits for another try, or is tried again: it has failed.
    mutating func abandonRequest() -> [PlayerAction] {
        guard let requested = waitingRequest else { return [] }
        let current: [PlayerAction] = lastHeard.map { [.setCurrentEntry($0)] } ?? []
        return current + [.requestFailed(requested.entry)]
            + (requested.isNew ? [.discard(requested.entry, isWithdrawn: true)] : [])
    }

    /// The user asked for one entry, so nothing else is started in its place: returns to what was played before. An entry that
    /// cannot be played for good is forgotten, and a new one also if its host is the cause.
    private mutating func refuse(_ requested: RequestedEntry, _ failure: MediaFailure) -> [PlayerAction] {
        intent = .order
        activity = .stopped(.failed(failure))
        let isForgotten: Bool
        switch failure.kind {
        // Every entry would fail in this way.
        case .storage, .sink, .noOutput, .decoder, .internal: return [.requestFailed(requested.entry)]
        case .notFound, .notAudio, .damaged: isForgotten = true
        case .forbidden, .changed, .network: isForgotten = requested.isNew
        }
        let returning =
            if let former = requested.former {
                begin(former.entry, at: former.position, isHeld: former.isHeld)
            } else {
                lastHeard.map { [PlayerAction.setCurrentEntry($0)] } ?? []
            }
        return returning + [.requestFailed(requested.entry)]
            + (isForgotten ? [.discard(requested.entry, isWithdrawn: requested.isNew)] : [])
    }

    // MARK: Hosts that cannot be reached

    /// Continues with the next entry if one host cannot be reached. If retries of a second one failed too, the network is down:
    /// waits for it with the first entry, for as long as it takes.
    private mutating func cannotReach(
        _ host: String, _ entry: QueueEntry, _ failure: MediaFailure, mayRecover: Bool
    ) -> [PlayerAction] {
        switch intent {
        case .passing(let first) where first.host != host && first.mayRecover && mayRecover:
            let isHeld = isHeld
            report = MediaFailure(
                .network,
                "waiting for the network: neither \(first.host) nor \(host) can be reached (\(failure.message))")
            // The failed entry was left already.
            intent = .order
            activity = .stopped(.failed(failure))
            return begin(first.entry, at: nil, isHeld: isHeld)
        case .passing(let first) where first.mayRecover || !mayRecover: break
        case .awaiting: intent = .passing(Unreached(entry: entry, host: host, mayRecover: false))
        case .order, .passing, .request, .step:
            intent = .passing(Unreached(entry: entry, host: host, mayRecover: mayRecover))
        }
        return passOver(entry, failure)
    }

    /// Whether an episode, or another one of its host, was tried for long enough already.
    func hasWaited(for listening: Listening) -> Bool {
        switch intent {
        case .passing(let unreached): unreached.host == listening.host
        case .awaiting(let entry, _): entry == listening.entry
        case .request(let requested, let backoff): requested.entry == listening.entry && backoff.waits > 0
        case .order, .step: false
        }
    }

    private func backoff(of entry: QueueEntry) -> Backoff? {
        switch intent {
        case .request(let requested, let backoff): requested.entry == entry && requested.former == nil ? backoff : nil
        case .awaiting(entry, let backoff): backoff
        case .order, .passing, .awaiting, .step: nil
        }
    }

    private mutating func wait(
        with listening: Listening, _ retry: Listening.Retry, _ backoff: Backoff, _ failure: MediaFailure
    ) -> [PlayerAction] {
        var next = backoff
        next.attempts += retry.attempt
        next.waits += 1
        intent =
            if case .request(let requested, _) = intent { .request(requested, next) } else {
                .awaiting(listening.entry, next)
            }
        report = nil
        let leaving = leave()
        var fresh = renewed(listening)
        fresh.sinkTrouble = nil
        fresh.retry = Listening.Retry(
            attempt: next.attempts + 1, delay: backoff.delay / .seconds(1), reason: failure.message)
        self.listening = fresh
        return leaving + [.retryLater(session: fresh.session, after: backoff.delay)]
    }

    mutating func retry(session: UInt32) -> [PlayerAction] {
        guard let waiting = current(session), waiting.progress == .opening else { return [] }
        listening?.retry?.delay = nil
        return [waiting.start(isHeld: isHeld)]
    }
}
