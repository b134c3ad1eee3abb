internal import ControlProtocol
internal import PodcastModel

/// Keeps a remote player and the daemon in step: what happens at one is done at the other. If the player plays alone, its reports are
/// the daemon's clock: sound counts as heard at a pace at which the daemon's position follows. Beside other outputs, the daemon's position
/// is that of their sound, and the player keeps its own.
///
///     absent ──found──> idle ──load──> loading ⇄ playing ⇄ paused       ended: the daemon's next episode is loaded
///        ▲                ▲              │          └──stopped──> ended  failed: loads again after some time
///        └──lost── any    └────unload────┴──failed──> failed
struct RemoteSession {
    enum Action: Equatable {
        case load(EpisodeID, from: MediaTime)
        case order(RemoteOrder)
        case playDaemon, pauseDaemon
        case seekDaemon(MediaTime)
        case setDaemonVolume(Int)
    }

    private enum Phase: Equatable {
        /// Why there is no player.
        case absent(String)
        case idle
        /// - Parameter isRepeated: whether the player has not played the episode although it said so.
        case loading(since: Instant, isRepeated: Bool = false)
        case playing, paused
        /// The end was heard; the daemon's next episode follows.
        case ended
        case failed(String, retry: Instant)
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
    /// Up to this difference, in seconds, the daemon's position follows by its pace: a seek of the daemon is a step that users can undo.
    private static let longestWay = 10.0
    /// The pace at which the daemon's position follows. It never stands still, because the daemon publishes a position only when sound
    /// advances: others continue from the last one at normal pace.
    private static let followingPaces = 0.1...2.0

    /// The time of the last event.
    private var now = Instant.distantPast
    private var phase = Phase.absent("looking for the renderer")
    private var loaded: EpisodeID?
    /// Whether the player was last asked to play.
    private var isWanted = false
    /// Whether no other output plays.
    private var isAlone = true
    private var graceEnd = Instant.distantPast
    private var player = PlayerReply()
    /// The last command to the daemon, until its status confirms it. A contrary status is older than the command.
    private var pendingCommand: (isPlaying: Bool, limit: Instant)?
    /// Where the remote player is, and when.
    private var place: (position: MediaTime, instant: Instant)?
    /// The volume that was sent or reported last.
    private var remoteVolume: Int?
    /// The daemon's volume, and the one that follows from a report and must not be sent back.
    private var (daemonVolume, expectedVolume): (Int?, Int?) = (nil, nil)

    // MARK: the daemon

    /// - Parameters:
    ///   - volume: the output's volume in percent.
    ///   - isAlone: whether no other output plays.
    mutating func daemon(_ new: PlayerReply, volume: Int, isAlone: Bool, at now: Instant) -> [Action] {
        self.now = now
        self.isAlone = isAlone
        let before = exchange(&player, with: new)
        return follow(before) + followVolume(volume)
    }

    private mutating func follow(_ before: PlayerReply) -> [Action] {
        if case .absent = phase { return [] }
        if let pending = pendingCommand, pending.isPlaying != player.state.isPlaying, now < pending.limit {
            return moved(since: before)
        }
        pendingCommand = nil
        // The player has only the file, not a message that interrupts it.
        if player.announcement != nil { return want(false) }
        guard let episode = player.episode?.id, player.state != .stopped else { return unload() }
        guard episode == loaded else { return player.state.isPlaying ? load() : unload() }
        let moves = moved(since: before)
        if case .failed = phase { return player.state.isPlaying ? [] : unload() }
        if phase == .ended { return moves.isEmpty ? [] : load() }
        return moves + want(player.state.isPlaying)
    }

    private mutating func load() -> [Action] {
        guard let episode = player.episode?.id else { return [] }
        let start = daemonPosition ?? .zero
        loaded = episode
        isWanted = true
        phase = .loading(since: now)
        place = (start, now)
        graceEnd = now + Self.loadGrace
        return [.load(episode, from: start)]
    }

    private mutating func unload() -> [Action] {
        guard loaded != nil else { return [] }
        forget(.idle)
        return [.order(.stop)]
    }

    private mutating func forget(_ phase: Phase) {
        self.phase = phase
        loaded = nil
        isWanted = false
        place = nil
    }

    private mutating func want(_ isPlaying: Bool) -> [Action] {
        guard loaded != nil, isPlaying != isWanted else { return [] }
        // A player that loads may not know a pause.
        if !isPlaying, case .loading = phase { return unload() }
        isWanted = isPlaying
        graceEnd = now + Self.grace
        if isPlaying { phase = .loading(since: now) }
        return [.order(isPlaying ? .play : .pause)]
    }

    /// The daemon's position advances at most as it said, and stands still while nothing is heard.
    private mutating func moved(since before: PlayerReply) -> [Action] {
        guard before.episode?.id == loaded, let old = before.position?.seconds, let new = daemonPosition,
            let expected = before.position(at: now)?.seconds,
            new.seconds < old - Self.jump || new.seconds > expected + Self.jump,
            abs(new.seconds - (remotePosition ?? .distantFuture).seconds) > Self.jump
        else { return [] }
        place = (new, now)
        graceEnd = now + Self.grace
        return [.order(.seek(new))]
    }

    // MARK: the remote player

    /// No player was found.
    mutating func miss(_ reason: String) { phase = .absent(reason) }

    /// A player was found. One that was lost gets the volume that it had.
    mutating func find(at now: Instant) -> [Action] {
        self.now = now
        phase = .idle
        return (remoteVolume.map { [.order(.setVolume($0))] } ?? []) + follow(player)
    }

    mutating func remote(_ report: RemoteReport, at now: Instant) -> [Action] {
        self.now = now
        switch report {
        case .state(let state): return loaded == nil ? [] : changed(to: state)
        case .position(let position): return reached(position)
        case .volume(let volume): return volume == remoteVolume ? [] : heard(volume)
        case .failed(let reason):
            if loaded != nil { phase = .failed(reason, retry: now + Self.retryTime) }
        case .cleared: return cleared()
        case .stalled:
            guard loaded != nil else { return [] }
            phase = .loading(since: now, isRepeated: true)
            graceEnd = now + Self.loadGrace
        case .lost: forget(.absent("the renderer stopped responding"))
        }
        return []
    }

    private mutating func changed(to state: RemoteReport.State) -> [Action] {
        let isContrary = now >= graceEnd && state != .loading && isWanted != (state == .playing)
        switch (state, phase) {
        case (_, .absent), (_, .idle), (_, .failed), (_, .ended): return []
        case (.playing, _):
            if !isWanted, !isContrary { return [] }
            place = remotePosition.map { ($0, now) }
            if case .loading = phase { graceEnd = min(graceEnd, now + Self.grace) }
            phase = .playing
            isWanted = true
            return isContrary ? command(isPlaying: true) : []
        case (.paused, _):
            guard isContrary || !isWanted else { return [] }
            place = remotePosition.map { ($0, now) }
            phase = .paused
            isWanted = false
            return isContrary ? command(isPlaying: false) : []
        case (.loading, .playing): phase = .loading(since: now)
        case (.loading, _): return []
        case (.stopped, .playing) where isNearEnd: phase = .ended
        case (.stopped, _):
            guard isContrary || !isWanted else { return [] }
            forget(.idle)
            return isContrary ? command(isPlaying: false) : []
        }
        return []
    }

    private mutating func command(isPlaying: Bool) -> [Action] {
        pendingCommand = (isPlaying, now + Self.grace)
        return [isPlaying ? .playDaemon : .pauseDaemon]
    }

    /// A player that has restarted gets its volume and the episode again.
    private mutating func cleared() -> [Action] {
        switch phase {
        case .absent, .idle, .failed, .ended: return []
        case .playing where isNearEnd:
            phase = .ended
            return []
        case .loading, .playing, .paused: break
        }
        if isWanted {
            phase = .failed("it has stopped by itself", retry: now + Self.retryTime)
        } else {
            forget(.idle)
        }
        return remoteVolume.map { [.order(.setVolume($0))] } ?? []
    }

    private mutating func reached(_ position: MediaTime) -> [Action] {
        guard phase == .playing || phase == .paused else { return [] }
        guard let predicted = remotePosition else {
            place = (position, now)
            return []
        }
        let difference = position.seconds - predicted.seconds
        if abs(difference) > Self.reportedJump, now < graceEnd { return [] }
        place = (min(max(predicted, position), position + MediaTime(seconds: 1)), now)
        guard abs(difference) > Self.reportedJump else { return [] }
        place = (position, now)
        graceEnd = now + Self.grace
        return [.seekDaemon(position)]
    }

    private var daemonPosition: MediaTime? { player.position(at: now) }

    /// Where the remote player is.
    private var remotePosition: MediaTime? {
        guard let place else { return nil }
        return phase == .playing ? place.position + MediaTime(seconds: (now - place.instant).inSeconds) : place.position
    }

    private var isNearEnd: Bool {
        guard let duration = player.duration, let place = remotePosition else { return true }
        return max(place, daemonPosition ?? place) > duration - MediaTime(seconds: 3)
    }

    // MARK: time

    mutating func tick(at now: Instant) -> [Action] {
        self.now = now
        // The daemon has not executed the command.
        if let pending = pendingCommand, pending.limit <= now { return follow(player) }
        switch phase {
        case .failed(_, let retry) where now >= retry && player.state.isPlaying: return load()
        case .playing, .paused: return align()
        case .absent, .idle, .loading, .ended, .failed: return []
        }
    }

    /// Sets the daemon's position if it cannot follow: it was that of other outputs.
    private mutating func align() -> [Action] {
        guard isAlone, player.announcement == nil, player.state == .playing || player.state == .paused,
            now >= graceEnd, !isNearEnd,
            let there = remotePosition, let here = daemonPosition
        else { return [] }
        if abs(there.seconds - here.seconds) <= (phase == .paused ? Self.jump : Self.longestWay) { return [] }
        graceEnd = now + Self.grace
        return [.seekDaemon(there)]
    }

    /// The report to podcastd. The pace is rounded to twentieths.
    mutating func report(at now: Instant) -> OutputReport {
        self.now = now
        return switch phase {
        case .absent(let reason), .failed(let reason, _): .waits(reason)
        case .loading(_, isRepeated: true):
            .waits("it says that it plays, but its position stands still; it starts again")
        case .loading(let since, isRepeated: false) where isWanted && now - since > Self.loadTime:
            .waits("it loads the episode")
        case .idle, .loading, .playing, .paused, .ended: .plays(pace: (pace * 20).rounded() / 20)
        }
    }

    private var pace: Double {
        guard player.state.isPlaying else { return 0 }
        if player.announcement != nil || !isAlone { return 1 }
        if phase == .ended { return 2 }
        guard phase == .playing else { return 0 }
        let usual = 1 / max(player.speed, 0.1)
        guard let there = remotePosition?.seconds, let here = daemonPosition?.seconds else { return usual }
        // The remote player also plays the last moments.
        if let end = player.duration?.seconds, here > end - 0.75, there < end + 2 { return 0 }
        return usual * min(max(1 + (there - here) / 2, Self.followingPaces.lowerBound), Self.followingPaces.upperBound)
    }

    // MARK: the volume

    private mutating func heard(_ volume: Int) -> [Action] {
        let isFirst = exchange(&remoteVolume, with: volume) == nil
        // A player that is louder at first gets podcastd's volume.
        if let wanted = daemonVolume, isFirst, volume > wanted {
            remoteVolume = wanted
            return [.order(.setVolume(wanted))]
        }
        let share = player.volume > 0 ? min(100, (volume * 100 + player.volume / 2) / player.volume) : 100
        expectedVolume = total(share)
        return [.setDaemonVolume(share)]
    }

    private mutating func followVolume(_ volume: Int) -> [Action] {
        let new = total(volume)
        guard new != daemonVolume else { return [] }
        let isReported = exchange(&expectedVolume, with: nil) == new
        daemonVolume = new
        // At first the remote player's volume counts, which may be much lower.
        guard !isReported, remoteVolume != nil, remoteVolume != new else { return [] }
        remoteVolume = new
        return [.order(.setVolume(new))]
    }

    private func total(_ volume: Int) -> Int { min(100, volume * min(player.volume, 100) / 100) }
}
