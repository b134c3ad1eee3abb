internal import ControlProtocol
internal import PodcastModel

/// Keeps a remote player and the daemon in step: what happens at one is done at the other. The remote player's position leads: the sound
/// that the daemon gives is read at a rate at which the daemon's position follows.
struct RemoteSession {
    enum Action: Equatable {
        case load(EpisodeID, from: MediaTime)
        case play, pause, stop
        case seek(MediaTime)
        case setVolume(Int)
        case playDaemon, pauseDaemon
        case seekDaemon(MediaTime)
        case setDaemonVolume(Int)
        /// Why the player does not play although it should; nil if it plays.
        case explain(String?)
    }

    private enum Phase: Equatable {
        case idle
        case loading(since: Instant)
        case playing, paused
        /// The end was heard; the daemon's next episode follows.
        case ended
        case failed(retry: Instant)
    }

    /// How long reports may contradict a command that was sent.
    private static let grace = Duration.seconds(2)
    /// How long a player that loads another episode may still report the end of the previous one.
    private static let loadGrace = Duration.seconds(10)
    /// A player that loads for longer is a reason to show.
    private static let loadTime = Duration.seconds(1)
    private static let retryTime = Duration.seconds(10)
    /// Differences of positions that are jumps, in seconds; a report may be a second old and rounded to a second.
    private static let (jump, reportedJump) = (2.0, 3.5)

    private var phase = Phase.idle
    private var loaded: EpisodeID?
    /// Whether the player was last asked to play.
    private var isWanted = false
    private var graceEnd = Instant.distantPast
    private var player = PlayerReply()
    /// Where the remote player is, and when.
    private var place: (position: MediaTime, instant: Instant)?
    private var isExplained = false
    /// The volume that was sent or reported last.
    private var remoteVolume: Int?
    /// The daemon's volume, and the one that follows from a report and must not be sent back.
    private var (daemonVolume, expectedVolume): (Int?, Int?) = (nil, nil)

    // MARK: the daemon

    /// - Parameter volume: the output's volume in percent.
    mutating func daemon(_ new: PlayerReply, volume: Int, at now: Instant) -> [Action] {
        let before = exchange(&player, with: new)
        return follow(before, at: now) + followVolume(volume)
    }

    private mutating func follow(_ before: PlayerReply, at now: Instant) -> [Action] {
        // The player has only the file, not a message that interrupts it.
        if player.announcement != nil { return want(false, at: now) }
        guard let episode = player.episode?.id, player.state != .stopped else { return unload() }
        guard episode == loaded else { return player.state.isPlaying ? load(at: now) : unload() }
        let moves = moved(since: before, at: now)
        if case .failed = phase { return player.state.isPlaying ? [] : unload() }
        if phase == .ended { return moves.isEmpty ? [] : load(at: now) }
        return moves + want(player.state.isPlaying, at: now)
    }

    private mutating func load(at now: Instant) -> [Action] {
        guard let episode = player.episode?.id else { return [] }
        let start = player.position(at: now) ?? .zero
        loaded = episode
        isWanted = true
        phase = .loading(since: now)
        place = (start, now)
        graceEnd = now + Self.loadGrace
        return [.load(episode, from: start)]
    }

    private mutating func unload() -> [Action] {
        guard loaded != nil else { return [] }
        loaded = nil
        isWanted = false
        phase = .idle
        place = nil
        return [.stop]
    }

    private mutating func want(_ isPlaying: Bool, at now: Instant) -> [Action] {
        guard loaded != nil, isPlaying != isWanted else { return [] }
        // A player that loads may not know a pause.
        if !isPlaying, case .loading = phase { return unload() }
        isWanted = isPlaying
        graceEnd = now + Self.grace
        if isPlaying { phase = .loading(since: now) }
        return [isPlaying ? .play : .pause]
    }

    /// The daemon's position advances at most as it said, and stands still while nothing is read.
    private mutating func moved(since before: PlayerReply, at now: Instant) -> [Action] {
        guard before.episode?.id == loaded, let old = before.position?.seconds, let new = player.position(at: now),
            let expected = before.position(at: now)?.seconds,
            new.seconds < old - Self.jump || new.seconds > expected + Self.jump,
            abs(new.seconds - (position(at: now) ?? .distantFuture).seconds) > Self.jump
        else { return [] }
        place = (new, now)
        graceEnd = now + Self.grace
        return [.seek(new)]
    }

    // MARK: the remote player

    mutating func remote(_ report: RemoteReport, at now: Instant) -> [Action] {
        switch report {
        case .state(let state): return loaded == nil ? [] : changed(to: state, at: now)
        case .position(let position): return reached(position, at: now)
        case .volume(let volume):
            guard volume != remoteVolume else { return [] }
            remoteVolume = volume
            let share = player.volume > 0 ? min(100, (volume * 100 + player.volume / 2) / player.volume) : 100
            expectedVolume = total(share)
            return [.setDaemonVolume(share)]
        case .failed(let reason):
            guard loaded != nil else { return [] }
            phase = .failed(retry: now + Self.retryTime)
            isExplained = true
            return [.explain(reason)]
        case .lost:
            phase = .idle
            loaded = nil
            isWanted = false
            place = nil
            remoteVolume = nil
            isExplained = true
            return [.explain("the renderer stopped responding")]
        }
    }

    private mutating func changed(to state: RemoteReport.State, at now: Instant) -> [Action] {
        let isContrary = now >= graceEnd && state != .loading && isWanted != (state == .playing)
        switch (state, phase) {
        case (_, .idle), (_, .failed), (_, .ended): return []
        case (.playing, _):
            if !isWanted, !isContrary { return [] }
            place = position(at: now).map { ($0, now) }
            if case .loading = phase { graceEnd = min(graceEnd, now + Self.grace) }
            phase = .playing
            let explanation: [Action] = isExplained ? [.explain(nil)] : []
            isExplained = false
            isWanted = true
            return explanation + (isContrary ? [.playDaemon] : [])
        case (.paused, _):
            guard isContrary || !isWanted else { return [] }
            place = position(at: now).map { ($0, now) }
            phase = .paused
            isWanted = false
            return isContrary ? [.pauseDaemon] : []
        case (.loading, .playing): phase = .loading(since: now)
        case (.loading, _): return []
        case (.stopped, .playing) where isNearEnd(at: now): phase = .ended
        case (.stopped, _):
            guard isContrary || !isWanted else { return [] }
            phase = .idle
            loaded = nil
            isWanted = false
            return isContrary ? [.pauseDaemon] : []
        }
        return []
    }

    private mutating func reached(_ position: MediaTime, at now: Instant) -> [Action] {
        guard phase == .playing || phase == .paused else { return [] }
        guard let predicted = self.position(at: now) else {
            place = (position, now)
            return []
        }
        let difference = position.seconds - predicted.seconds
        if abs(difference) > Self.reportedJump, now < graceEnd { return [] }
        place = (min(max(predicted, position), position + MediaTime(seconds: 1)), now)
        guard abs(difference) > Self.reportedJump else { return [] }
        place = (position, now)
        return [.seekDaemon(position)]
    }

    /// Where the remote player is.
    private func position(at now: Instant) -> MediaTime? {
        guard let place else { return nil }
        return phase == .playing ? place.position + MediaTime(seconds: (now - place.instant).inSeconds) : place.position
    }

    private func isNearEnd(at now: Instant) -> Bool {
        guard let duration = player.duration, let place = position(at: now) else { return true }
        return max(place, player.position(at: now) ?? place) > duration - MediaTime(seconds: 3)
    }

    // MARK: time

    mutating func tick(at now: Instant) -> [Action] {
        switch phase {
        case .loading(let since) where isWanted && !isExplained && now - since > Self.loadTime:
            isExplained = true
            return [.explain("it loads the episode")]
        case .failed(let retry) where now >= retry && player.state.isPlaying: return load(at: now)
        case .idle, .loading, .playing, .paused, .ended, .failed: return []
        }
    }

    /// How many times faster than in real time to read the sound.
    func rate(at now: Instant) -> Double {
        guard player.state.isPlaying else { return 0 }
        if player.announcement != nil { return 1 }
        if phase == .ended { return 2 }
        guard phase == .playing else { return 0 }
        let usual = 1 / max(player.speed, 0.1)
        guard let there = position(at: now)?.seconds, let here = player.position(at: now)?.seconds else { return usual }
        // The remote player plays the last moments, too.
        if let end = player.duration?.seconds, here > end - 0.75, there < end + 2 { return 0 }
        return usual * min(max(1 + (there - here) / 2, 0), 2)
    }

    // MARK: the volume

    private mutating func followVolume(_ volume: Int) -> [Action] {
        let new = total(volume)
        guard new != daemonVolume else { return [] }
        let isReported = exchange(&expectedVolume, with: nil) == new
        daemonVolume = new
        // At first the remote player's volume counts, which may be much lower.
        guard !isReported, remoteVolume != nil, remoteVolume != new else { return [] }
        remoteVolume = new
        return [.setVolume(new)]
    }

    private func total(_ volume: Int) -> Int { min(100, volume * min(player.volume, 100) / 100) }
}
