internal import MediaPorts
internal import PodcastModel

/// The current entry, once its media was looked up.
struct Listening: Equatable {
    /// What must still happen before there is sound.
    enum Progress {
        case opening, seeking, filling
        /// Frames are written to the sink.
        case sounding
        /// After an underrun: waiting until `PlaybackSettings.rebuffer` seconds are decoded.
        case starved
    }

    /// What the decoder has of the source.
    enum Supply: Equatable {
        case flowing
        /// The decoder waits for the byte at this offset.
        case missing(Int64)
        /// The connection was closed during a long pause, in which the decoder may need a byte.
        case suspended(missing: Int64?)
        /// The episode is decoded to its end.
        case decoded

        /// - Parameter byte: what the decoder waits for; nil once it has that.
        mutating func await(_ byte: Int64?) {
            switch self {
            case .flowing, .missing: self = byte.map { .missing($0) } ?? .flowing
            case .suspended: self = .suspended(missing: byte)
            case .decoded: break
            }
        }
    }

    /// A seek, or several since the last sound.
    struct Jump: Equatable {
        var from: MediaTime
        /// The target of the last one; nil after a seek by a distance.
        var named: MediaTime?
    }

    struct Retry: Equatable {
        /// Number of failed attempts before it.
        var attempt: Int
        /// Seconds until it starts, as of the last failure; nil while it runs.
        var delay: Double?
        /// The last failure, as text for users.
        var reason: String
    }

    var entry: QueueEntry
    var media: PlaybackMedia
    /// Number of this attempt to play an entry; events of other sources and decoders are stale.
    var session: UInt32
    /// Number that changes at every seek and entry; frames with another number are stale.
    var generation: UInt32
    var parameters = PlaybackParameters.neutral
    /// The last known playhead position, or the position at which sound will start.
    var position: MediaTime
    var progress: Progress = .opening
    /// Whether there was sound or a seek; if not, leaving the entry must not overwrite the saved position.
    var wasHeard = false
    var jump: Jump?
    /// The place that the user named last: a part that is left out is played if this is in it.
    var chosen: MediaTime?
    /// When it was paused; nil while it is not, or if the time of day was not known.
    var pausedAt: Timestamp?
    /// The stream's properties; nil until the decoder has read them.
    var info: StreamInfo?
    var phase: ByteSourcePhase = .idle
    /// The attempt after the last failure of the source; nil without a failure, and once the attempt has brought an answer.
    var retry: Retry?
    /// Whether it is a live stream: it is always played from the present on, and no position of it is saved.
    var isLive = false
    var supply = Supply.flowing
    /// A failure that takes effect after the audio decoded so far was played.
    var failure: MediaFailure?
    var reopenings = 0
    /// The temporary failure of the sink; nil while it accepts audio.
    var sinkTrouble: SinkError?

    /// The duration: measured by the decoder, else from the library, else estimated by the decoder.
    var duration: MediaTime? { measuredDuration ?? media.duration ?? info?.duration }

    /// The duration, if it was measured from the file; else nil.
    var measuredDuration: MediaTime? {
        if let info, info.isExact, let exact = info.duration { return exact }
        // The host may have replaced the measured file with a longer one.
        guard media.isDurationMeasured, let measured = media.duration, measured >= info?.duration ?? .zero else {
            return nil
        }
        return measured
    }

    /// The duration, if playback may depend on it: measured, or announced by the feed and not contradicted by the decoder. An
    /// estimate of the decoder from the first frames may be several times too short.
    var trustedDuration: MediaTime? {
        if let measuredDuration { return measuredDuration }
        guard let announced = media.duration, announced >= position else { return nil }
        // Feeds round, and some leave out a second of silence.
        let estimate = info?.duration ?? .zero
        guard announced.seconds >= estimate.seconds * 0.99 - 1 else { return nil }
        return max(announced, estimate)
    }

    // MARK: What follows from the state of an episode

    /// The host of the media; empty for a file.
    var host: String { WebAddress.authority(of: media.url) }

    /// Whether the feed may list another address. Only an episode of a feed has one.
    func mayHaveNewAddress(after failure: MediaFailure) -> Bool { media.feed != nil && failure.mayBeOfAddress }

    var cause: BufferingCause {
        if let sinkTrouble { return .sink(sinkTrouble.message) }
        if let retry { return .reconnecting(attempt: retry.attempt, delay: retry.delay, reason: retry.reason) }
        if progress == .seeking { return .seeking }
        switch phase {
        case .connecting: return .connecting(host: host)
        case .receiving, .failed, .waitingToRetry: return .waitingForData
        case .idle, .complete: return .decoding
        }
    }

    var chapters: [Chapter] {
        ChapterList(
            published: media.chapters, ofFile: info?.chapters ?? [], duration: measuredDuration,
            announced: media.isDurationMeasured ? nil : media.duration
        ).chapters
    }

    /// How the episode is played, as far as its chapters and its duration are known.
    func parameters(for settings: SoundSettings) -> PlaybackParameters {
        let sound = settings.applied(to: media.sound, isMusic: media.isMusic)
        var parameters = sound.parameters(
            chapters: chapters, duration: trustedDuration, marked: media.skips, measured: media.loudness)
        if let chosen { parameters.skips.removeAll { $0.contains(chosen) } }
        return parameters
    }

    func start(isHeld: Bool) -> PlayerAction {
        .start(session: session, generation: generation, entry, media, at: position, isHeld: isHeld, parameters)
    }

    /// Playing time that must be decoded before there is sound.
    func goal(_ settings: PlaybackSettings) -> Duration {
        progress == .starved ? settings.rebuffer : settings.prebuffer
    }

    var saving: [PlayerAction] { wasHeard && !isLive ? [.savePosition(position, entry.episode)] : [] }

    func isNearlyOver(_ settings: PlaybackSettings) -> Bool {
        guard settings.playedBeforeEnd > .zero, let end = measuredDuration else { return false }
        return position >= end - settings.playedBeforeEnd
    }

    /// See `PlaybackSettings.rewind`.
    func rewind(_ settings: PlaybackSettings, at moment: PlayerMoment) -> MediaTime {
        guard !isLive, progress == .sounding, let pausedAt, let now = moment.time else { return .zero }
        return settings.rewind(after: .milliseconds(now.milliseconds - pausedAt.milliseconds))
    }

    /// What it means that the last frame was played.
    enum End {
        case failed(MediaFailure)
        /// All that was left is left out.
        case leftOut
        /// The start position was after the end, which was not known before.
        case startPastEnd
        /// A seek named a place after the end.
        case soughtPastEnd(Jump)
        case heard
    }

    var end: End {
        if let failure { return .failed(failure) }
        if !wasHeard, parameters.isEndLeftOut(from: position) { return .leftOut }
        if !wasHeard, position > .zero { return .startPastEnd }
        if let jump, let named = jump.named, let measuredDuration, named > measuredDuration + MediaTime(seconds: 1) {
            return .soughtPastEnd(jump)
        }
        return .heard
    }

    // MARK: Changes

    mutating func handle(_ phase: ByteSourcePhase) {
        self.phase = phase
        switch phase {
        case .waitingToRetry(let attempt, let delay, let reason):
            retry = Retry(attempt: attempt, delay: delay, reason: reason)
        case .connecting: retry?.delay = nil
        case .failed: break
        case .idle, .receiving, .complete: retry = nil
        }
    }

    mutating func handle(_ event: DecoderEvent) -> [PlayerAction] {
        switch event {
        case .opened(let info):
            let before = self.info?.duration
            self.info = info
            if progress == .opening { progress = .filling }
            guard info.isExact, let duration = info.duration, duration != before else { return [] }
            return [.setMeasuredDuration(duration, entry.episode)]
        case .waitingForBytes(let offset): supply.await(offset)
        case .decoding: supply.await(nil)
        case .positioned(let generation, let time):
            guard generation == self.generation, progress == .seeking else { return [] }
            progress = .filling
            position = time
        case .reachedEnd(let generation, let duration):
            guard generation == self.generation else { return [] }
            supply = .decoded
            failure = nil
            guard let duration, duration > .zero else { return [.prepareNext(after: entry.id)] }
            info?.duration = duration
            info?.isExact = true
            return [.setMeasuredDuration(duration, entry.episode), .prepareNext(after: entry.id)]
        case .restarted, .failed: break
        }
        return []
    }

    /// Begins a new generation; bytes missing at the old position no longer matter.
    mutating func decodeAgain(generation: UInt32) {
        self.generation = generation
        supply = .flowing
    }

    /// The same entry at its position, for a new source and decoder.
    func renewed(session: UInt32, generation: UInt32) -> Listening {
        var fresh = Listening(entry: entry, media: media, session: session, generation: generation, position: position)
        fresh.parameters = parameters
        fresh.chosen = chosen
        fresh.wasHeard = wasHeard
        fresh.reopenings = reopenings
        fresh.isLive = isLive
        fresh.sinkTrouble = sinkTrouble
        return fresh
    }
}

extension PlaybackMedia {
    /// Where playback starts: at the beginning, if the file became shorter so that the saved position is after the measured end.
    /// An end that the feed announced is wrong instead, because the position was reached by playing.
    var beginning: MediaTime {
        if isDurationMeasured, let duration, duration > .zero, resumePosition >= duration { return .zero }
        return max(resumePosition, .zero)
    }
}
