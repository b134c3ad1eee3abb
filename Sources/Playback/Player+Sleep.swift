internal import MediaPorts
public import PodcastModel

// While the sleep timer runs out of time or fades, the player sets one timer.
extension Player {
    /// Sets, changes or ends the sleep timer.
    /// - Throws: `noChapters` for the end of a chapter without chapters, `nothingToShorten` if less is left than is taken away.
    public func sleep(_ request: SleepRequest) throws(PlayerError) {
        if request == .endOfChapter, machine.current.listening?.info != nil, !board.hasChapters { throw .noChapters }
        if case .change(let change) = request, change < .zero {
            let left = sleepTimer.status?.left(at: clock.now) ?? .zero
            guard left + change > .zero else { throw .nothingToShorten(left: left) }
        }
        perform(sleepTimer.request(request, at: sleepMoment))
        publish()
    }

    /// Tells the sleep timer of what an event has changed, once that is published.
    func arrangeSleep() {
        let before = sleepTimer
        perform(sleepTimer.moved(to: sleepMoment))
        if sleepTimer.status != before.status || sleepTimer.isAsleep != before.isAsleep { publish() }
    }

    private func perform(_ actions: [SleepAction]) {
        for action in actions {
            switch action {
            case .fade(let share): fade = share
            case .fallAsleep(let place): for write in apply(.fellAsleep(at: place)).pending { report(write) }
            }
        }
        applyGain()
        sleepWait?.cancel()
        sleepWait = sleepTimer.deadline(at: sleepMoment).map { deadline in
            clock.schedule(after: deadline) { [weak self] in self?.post(.timePassed) }
        }
    }

    private var sleepMoment: SleepMoment {
        let state = machine.state.kind
        let now = clock.now
        let listening = machine.current.listening
        let playhead = renderer.playhead
        let isHeard = state == .playing && playhead.generation == listening?.generation
        let position = isHeard ? playhead.position(at: now) : listening?.position ?? .zero
        return SleepMoment(
            now: now, time: timeOfDay?(), state: state, generation: listening?.generation, position: position,
            pace: isHeard ? playhead.speed : 0, chapterEnd: board.chapterEnd(at: position),
            isAnnouncing: machine.isAnnouncing)
    }
}
