internal import MediaPorts
internal import PodcastModel

// MARK: An entry whose host cannot be reached

extension PlayerStateMachine {
    /// Whether nothing else can be played instead of an entry.
    func isNeeded(_ entry: QueueEntry) -> Bool {
        if let requested, requested.entry == entry { return requested.former == nil }
        return awaited?.entry == entry
    }

    /// Tries an entry again later.
    mutating func wait(
        with listening: Listening, _ retry: Listening.Retry, _ failure: MediaFailure
    ) -> [PlayerAction] {
        let isHeld = state.kind == .paused
        var awaited = self.awaited ?? AwaitedEntry(entry: listening.entry)
        let delay = awaited.delay
        awaited.attempts += retry.attempt
        awaited.waits += 1
        self.awaited = awaited
        report = nil
        let leaving = leave()
        var fresh = renewed(listening)
        fresh.retry = Listening.Retry(
            attempt: awaited.attempts + 1, delay: delay / .seconds(1), reason: failure.message)
        settle(fresh, isHeld: isHeld)
        return leaving + [.retryLater(session: fresh.session, after: delay)]
    }

    /// Another attempt to reach a host is due.
    mutating func retry(session: UInt32) -> [PlayerAction] {
        guard var listening = current(session), listening.progress == .opening else { return [] }
        listening.retry?.delay = nil
        let isHeld = state.kind == .paused
        settle(listening, isHeld: isHeld)
        return [start(listening, isHeld: isHeld)]
    }
}
