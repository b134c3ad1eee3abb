internal import PodcastModel

// MARK: The sleep timer

extension PlayerStateMachine {
    /// Pauses, and moves back to where the fade began.
    mutating func fallAsleep(at place: MediaTime) -> [PlayerAction] {
        switch state {
        case .stopped, .paused: return []
        case .loading: return pause()
        case .buffering(let listening, _), .playing(let listening):
            // Nothing was heard, so no place is remembered.
            guard listening.wasHeard else { return pause() }
            let pausing = pause()
            return pausing + seek(.absolute(listening.parameters.end(ofSkipAt: place)))
        }
    }

    /// The episode's last frame was heard.
    mutating func heardToEnd(_ listening: Listening, isHeld: Bool) -> [PlayerAction] {
        if isMessage(listening.entry) { return returnFromMessage() }
        hasHeardEnd = true
        switch endHold {
        case .none: return finish(listening, heard: listening.leftFrom, isHeld: isHeld)
        case .beforeNext: return finish(listening, heard: listening.leftFrom, isHeld: true)
        case .back(let place):
            var listening = listening
            listening.position = place
            return reopen(listening, isHeld: true) + record(listening)
        }
    }
}
