internal import MediaPorts
internal import PodcastModel

// MARK: How episodes are played

extension PlayerStateMachine {
    /// How an episode is played, as far as its chapters and its duration are known.
    func parameters(of listening: Listening) -> PlaybackParameters {
        let sound = settings.sound.applied(to: listening.media.sound, isMusic: listening.media.isMusic)
        var parameters = sound.parameters(
            chapters: ChapterList(published: listening.media.chapters, ofFile: listening.info?.chapters ?? []).chapters,
            duration: listening.trustedDuration, marked: listening.media.skips, measured: listening.media.loudness)
        if let chosen = listening.chosen { parameters.skips.removeAll { $0.contains(chosen) } }
        return parameters
    }

    /// Changes how the current episode is played, if settings or what is known about it have changed.
    mutating func adjustSound() -> [PlayerAction] {
        guard var listening = state.listening, listening.failure == nil else { return [] }
        var wanted = parameters(of: listening)
        // The sound continues, even if its place is in a part that is left out from now on.
        if listening.wasHeard, wanted.skips.contains(where: { $0.contains(listening.position) }) {
            listening.chosen = listening.position
            wanted = parameters(of: listening)
        }
        guard wanted != listening.parameters else { return [] }
        listening.parameters = wanted
        generation += 1
        listening.generation = generation
        listening.isDecoded = false
        listening.missingByte = nil
        listening.isSourceSuspended = false
        let isHeld = state.kind == .paused
        let isSounding = listening.progress == .sounding && !isHeld
        switch listening.progress {
        case .opening, .sounding: break
        case .seeking, .filling, .starved: listening.progress = .seeking
        }
        if isHeld, listening.progress == .sounding { listening.progress = .seeking }
        settle(listening, isHeld: isHeld)
        return isSounding
            ? [.change(from: listening.position, generation: generation, wanted)]
            : [.seek(to: listening.position, generation: generation, wanted)]
    }

    mutating func use(_ sound: FeedSound, of feed: FeedID, isMusic: Bool) -> [PlayerAction] {
        guard var listening = state.listening, listening.media.feed == feed else { return [] }
        listening.media.sound = sound
        listening.media.isMusic = isMusic
        settle(listening, isHeld: state.kind == .paused)
        return adjustSound()
    }

    mutating func use(_ skips: [Range<MediaTime>], of episode: EpisodeID) -> [PlayerAction] {
        guard var listening = state.listening, listening.entry.episode == episode, listening.media.skips != skips else {
            return []
        }
        listening.media.skips = skips
        settle(listening, isHeld: state.kind == .paused)
        return adjustSound()
    }

    mutating func use(_ chapters: [Chapter], of episode: EpisodeID) -> [PlayerAction] {
        guard var listening = state.listening, listening.entry.episode == episode else { return [] }
        listening.media.chapters = chapters
        settle(listening, isHeld: state.kind == .paused)
        return adjustSound()
    }
}
