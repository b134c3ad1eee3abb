internal import ControlLanguage
internal import ControlProtocol
internal import MediaPorts
internal import Playback
internal import PodcastModel

extension PlayerReply {
    init(_ now: PlayerStatus) {
        self.init()
        state = now.state
        reason = now.reason
        if let entry = now.entry {
            episode = PlayingEpisode { ($0.id, $0.entry, $0.title) = (entry.episode, entry.id, now.title) }
            feed = PlayingFeed { ($0.id, $0.title) = (now.feed, now.feedTitle) }
        }
        announcement = now.announcement
        position = now.position
        instant = now.instant
        pace = now.pace
        duration = now.duration
        speed = now.speed
        processing = now.parameters.inWords
        remaining = episode == nil ? nil : timeLeft
        volume = now.volume
        feedVolume = now.feedVolume
        sleep = now.sleep.map { SleepTimerReply($0, at: now.instant) }
        buffer = Buffer { ($0.seconds, $0.fill, $0.rate) = (now.bufferSeconds, now.bufferFill, now.bufferRate) }
        audio = now.info.map { Audio($0) }
        chapter = now.chapter.map { ChapterReply($0) }
        error = now.error?.message
        if let failure = now.error {
            errorStatus = failure.kind.exitStatus
        } else if case .reconnecting? = now.cause {
            errorStatus = 75
        }
    }
}

extension PlayerReply.Audio {
    fileprivate init(_ info: StreamInfo) {
        self.init()
        (codec, rate, channels) = (info.codec, info.format.rate, info.format.channels)
        samples = "\(info.format.type)"
        bitRate = info.bitRate > 0 ? info.bitRate : nil
    }
}

extension PlaybackParameters {
    /// What happens to the sound besides its speed.
    fileprivate var inWords: [String] {
        var words: [String] = []
        if silence != nil { words.append("pauses shortened") }
        if let loudness { words.append("loudness \(loudness) LUFS") }
        if hasVoiceBoost { words.append("voice boost") }
        if isMono { words.append("mono") }
        if !skips.isEmpty { words.append(skips.count == 1 ? "skips 1 part" : "skips \(skips.count) parts") }
        return words
    }
}

extension SleepTimerReply {
    init(_ status: SleepStatus, at now: Instant) {
        let remaining = status.left(at: now).map { MediaTime(nanoseconds: $0.nanoseconds) }
        switch status.end {
        case .time: self.init(.time, remaining: remaining, until: status.until, isFading: status.isFading)
        case .chapter: self.init(.chapter, remaining: remaining, isFading: status.isFading)
        case .episode(let count):
            self.init(.episode, remaining: remaining, episodes: count, isFading: status.isFading)
        }
    }
}

extension MediaFailure.Kind {
    var exitStatus: Int {
        switch self {
        case .notAudio, .damaged: 65
        case .notFound, .forbidden: 69
        case .internal: 70
        case .storage, .sink: 74
        case .network, .changed: 75
        }
    }
}

extension PlayerStateReply {
    init(_ now: PlayerStatus) {
        self.init(now.state)
        let player = PlayerReply(now)
        (episode, feed, position, duration) = (player.episode, player.feed, player.position, player.duration)
    }
}

extension PositionReply {
    init(_ now: PlayerStatus) {
        self.init(now.position)
        let player = PlayerReply(now)
        (state, episode, feed, duration) = (player.state, player.episode, player.feed, player.duration)
    }
}
