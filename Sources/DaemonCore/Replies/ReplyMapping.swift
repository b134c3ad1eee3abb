internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Reporting

// Converts values of the model to replies, whose names and forms on the wire `ControlProtocol` declares.

extension EpisodeReply {
    /// An episode in a list ordered by date.
    init(listing episode: Episode) { self.init(episode, key: EpisodeKey(of: episode).wireText) }
}

extension NamedReply {
    init(_ chosen: ChosenEpisodes) {
        self.init()
        what = chosen.word
        title = chosen.title
        count = chosen.episodes.count
        hasMore = chosen.hasMore
        switch (chosen.object, Name(chosen.word, number: .episode)) {
        case (.episode(let id)?, _):
            kind = .episode
            self.id = Int(clamping: id.rawValue)
        case (.feed(let id)?, _):
            kind = .feed
            self.id = Int(clamping: id.rawValue)
        case (nil, .playlist): kind = .playlist
        case (nil, .filter): kind = .filter
        case (nil, _): kind = .range
        }
    }
}

extension SettingReply {
    init(_ declaration: SettingDeclaration, in values: SettingsService.Values) {
        self.init()
        let settings = values.settings
        let key = declaration.key
        self.key = key
        label = declaration.label
        value = settings[key]
        active = values.active(declaration)
        defaultValue = declaration.defaultValue
        origin = settings.origin(of: key).rawValue
        clientValue = settings.value(of: key, from: .client)
        needsRestart = declaration.needsRestart
        isClientSettable = declaration.isClientSettable
        isWaiting = active != value
        kind = declaration.kind
        help = declaration.help.joinedText(" ")
        if let clientValue, clientValue != value {
            note = "\(clientValue) takes effect after a restart of podcastd without its option on the command line"
        } else if isWaiting {
            note = "takes effect after a restart of podcastd"
        }
    }
}

/// The daemon's status for clients, from snapshots of its parts. Any thread; nothing here blocks.
extension DaemonParts: StatusSource {
    func value(of part: StatusPart) -> JSONValue {
        switch part {
        case .player: playerReply.json
        case .queue: queue.extent.json
        case .activities: activities.snapshot.json
        case .outputs: media.outputs.states.json
        case .sync: sync.orders.shown.json
        case .feeds, .episodes, .settings, .playlists, .rules, .downloads: .null
        }
    }

    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        if part.isJournaled { return changes.update(of: part, since: revision) }
        guard part == .queue else { return PartUpdate(value: value(of: part)) }
        let update = queue.update(since: revision)
        // An entry that undo brought back is inserted twice.
        let episodes = Dictionary(update.inserted.map { ($0.id, $0.episode) }) { $1 }
        return PartUpdate(
            value: update.extent.json, revision: update.extent.revision,
            changes: update.changes?.map { RowChange($0) { episodes[$0] } })
    }

    var status: StatusReply {
        StatusReply {
            $0.player = playerReply
            $0.queue = queue.extent
            $0.outputs = media.outputs.states
            $0.activities = activities.snapshot
        }
    }

    var playerReply: PlayerReply {
        var reply = PlayerReply(current.status)
        reply.heardSpeed = heardSpeed(at: reply.speed)
        if reply.remaining != nil { reply.remaining = reply.timeLeft }
        reply.upcoming = upcoming.value
        reply.queueRemaining = upcoming.value.queueTime
        if reply.episode != nil {
            reply.queueRemaining.time = reply.queueRemaining.time + (reply.remaining ?? .zero)
            reply.queueRemaining.isExact = reply.queueRemaining.isExact && reply.remaining != nil
        }
        return reply
    }
}

extension DaemonParts {
    /// The speed that is heard if it is not `speed`.
    func heardSpeed(at speed: Double) -> Double? { speed != 1 && media.outputs.areAtSpeedOne ? 1 : nil }
}

extension OutputSet {
    /// Whether outputs are enabled, and all of them play at speed 1 whatever the speed is.
    var areAtSpeedOne: Bool {
        let enabled = states.filter(\.isEnabled)
        return !enabled.isEmpty && enabled.allSatisfy(\.isAtSpeedOne)
    }
}

extension RowChange {
    /// A change of the queue. `episode` knows the episodes of entries.
    fileprivate init(_ change: ViewChange<EntryID>, episode: (EntryID) -> EpisodeID?) {
        switch change {
        case .insert(let id, let index): self.init(.insert, id.rawValue, episode: episode(id), index: index + 1)
        case .delete(let id, let index): self.init(.delete, id.rawValue, index: index + 1)
        case .move(let id, let from, let index): self.init(.move, id.rawValue, index: index + 1, from: from + 1)
        case .update(let id, let index): self.init(.update, id.rawValue, index: index + 1)
        }
    }
}

extension PlayerReply {
    init(_ now: PlayerStatus) {
        self.init()
        state = now.state
        reason = now.reason
        if let entry = now.entry {
            episode = PlayingEpisode {
                $0.id = entry.episode
                $0.entry = entry.id
                $0.title = now.title
            }
            feed = PlayingFeed {
                $0.id = now.feed
                $0.title = now.feedTitle
            }
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
        buffer = Buffer {
            $0.seconds = now.bufferSeconds
            $0.fill = now.bufferFill
            $0.rate = now.bufferRate
        }
        audio = now.info.map { info in
            Audio {
                $0.codec = info.codec
                $0.rate = info.format.rate
                $0.channels = info.format.channels
                $0.samples = "\(info.format.type)"
                $0.bitRate = info.bitRate > 0 ? info.bitRate : nil
            }
        }
        chapter = now.chapter.map { ChapterReply($0) }
        error = now.error?.description
        failedTitle = now.error?.title
        if let failure = now.error {
            errorStatus = failure.kind.exitStatus
        } else if case .reconnecting? = now.cause {
            errorStatus = 75
        }
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
        self.init()
        remaining = status.left(at: now).map { MediaTime(nanoseconds: $0.nanoseconds) }
        until = status.until
        isFading = status.isFading
        switch status.end {
        case .time: end = .time
        case .chapter: end = .chapter
        case .episode(let count):
            end = .episode
            episodes = count
        }
    }
}

extension MediaFailure.Kind {
    var exitStatus: Int {
        switch self {
        case .notAudio, .damaged: 65
        case .notFound, .forbidden: 69
        case .decoder: 69
        case .internal: 70
        case .storage, .sink, .noOutput: 74
        case .network, .changed: 75
        }
    }
}

extension PlayerStateReply {
    init(_ now: PlayerStatus) {
        self.init()
        let player = PlayerReply(now)
        state = player.state
        episode = player.episode
        feed = player.feed
        position = player.position
        duration = player.duration
    }
}

extension PositionReply {
    init(_ now: PlayerStatus) {
        self.init()
        let player = PlayerReply(now)
        position = now.position
        state = player.state
        episode = player.episode
        feed = player.feed
        duration = player.duration
    }
}
