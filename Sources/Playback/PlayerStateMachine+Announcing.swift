internal import MediaPorts
internal import PodcastModel

// MARK: Messages that interrupt playback

extension QueueEntry {
    /// A message that is announced. No entry and no episode has a negative id.
    static let message = QueueEntry(id: EntryID(-1), episode: EpisodeID(-1))
}

extension PlayerStateMachine {
    /// Plays a message. Another one that plays is replaced, and playback returns to where it was before that one.
    ///
    /// - Parameter place: what playback returns to, if it sounds: where the sound began to fade.
    mutating func announce(_ media: PlaybackMedia, leavingAt place: MediaTime?) -> [PlayerAction] {
        guard !isShutDown else { return [.refuse(.shuttingDown)] }
        let former = interruption.map(\.former) ?? whatPlays(at: place)
        var leaving: [PlayerAction] = []
        if interruption != nil {
            leaving = leave()
        } else if var listening = state.listening {
            if let place { listening.position = place }
            leaving = leave(listening)
        }
        report = nil
        asked = nil
        interruption = Interruption(former: former)
        session += 1
        state = .loading(.resolving(Resolving(entry: .message, start: .zero, session: session)))
        return leaving + resolved(media, session: session)
    }

    private func whatPlays(at place: MediaTime?) -> RequestedEntry.Former? {
        let isHeld = state.kind == .paused
        switch stage {
        case .listening(let listening):
            return RequestedEntry.Former(
                entry: listening.entry, position: place ?? listening.position, isHeld: isHeld)
        case .resolving(let resolving):
            return RequestedEntry.Former(entry: resolving.entry, position: resolving.start, isHeld: isHeld)
        case .choosing, nil: return nil
        }
    }

    /// Whether the message is current.
    func isMessage(_ entry: QueueEntry) -> Bool { interruption != nil && entry == .message }

    /// The message has ended, failed, or is skipped.
    mutating func returnFromMessage() -> [PlayerAction] {
        let former = interruption?.former
        let ending = endMessage()
        guard let former else { return ending }
        return ending + begin(former.entry, at: former.position, isHeld: former.isHeld)
    }

    /// Ends a message without a return to what was heard before.
    mutating func endMessage() -> [PlayerAction] {
        guard interruption != nil else { return [] }
        interruption = nil
        asked = nil
        sinkTrouble = nil
        state = .stopped(.asked)
        return [.silence]
    }
}

extension PlayerAction {
    /// Whether it would tell the library or the queue about a message.
    var concernsMessage: Bool {
        switch self {
        case .savePosition(_, let episode, _), .setMeasuredDuration(_, let episode), .forgetMeasurements(let episode):
            episode == QueueEntry.message.episode
        case .finish(let entry, _), .discard(let entry, _), .requestFailed(let entry), .setCurrentEntry(let entry):
            entry == .message
        case .prepareNext(let entry): entry == QueueEntry.message.id
        case .choose, .resolve, .start, .seek, .change, .setPaused, .silence, .suspendSource, .wakeSource, .refuse,
            .retryLater:
            false
        }
    }
}
