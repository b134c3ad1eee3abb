internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Reporting

// Converts values of the model to replies, whose names and forms on the wire `ControlProtocol` declares.

extension EpisodeReply {
    /// An episode in a list ordered by date.
    init(listing episode: Episode) { self.init(episode, key: EpisodeKey(of: episode).wireText) }
}

extension NamedReply {
    init(_ chosen: ChosenEpisodes) {
        self.init()
        (what, title, count, hasMore) = (chosen.word, chosen.title, chosen.episodes.count, chosen.hasMore)
        switch (chosen.object, Name(chosen.word, number: .episode)) {
        case (.episode(let id)?, _): (kind, self.id) = (.episode, Int(clamping: id.rawValue))
        case (.feed(let id)?, _): (kind, self.id) = (.feed, Int(clamping: id.rawValue))
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
        (self.key, label) = (key, declaration.label)
        (value, active, defaultValue) = (settings[key], values.active(declaration), declaration.defaultValue)
        origin = settings.origin(of: key).rawValue
        clientValue = settings.value(of: key, from: .client)
        (needsRestart, isClientSettable) = (declaration.needsRestart, declaration.isClientSettable)
        isWaiting = active != value
        (kind, help) = (declaration.kind, declaration.help.joined(separator: " "))
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
        case .sync: sync.status.json
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
            ($0.player, $0.queue) = (playerReply, queue.extent)
            ($0.outputs, $0.activities) = (media.outputs.states, activities.snapshot)
        }
    }

    private var playerReply: PlayerReply {
        var reply = PlayerReply(current.status)
        reply.upcoming = upcoming.value
        return reply
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
        (state, reason) = (now.state, now.reason)
        if let entry = now.entry {
            episode = PlayingEpisode { ($0.id, $0.entry, $0.title) = (entry.episode, entry.id, now.title) }
            feed = PlayingFeed { ($0.id, $0.title) = (now.feed, now.feedTitle) }
        }
        (announcement, position, instant) = (now.announcement, now.position, now.instant)
        (pace, duration, speed) = (now.pace, now.duration, now.speed)
        processing = now.parameters.inWords
        remaining = episode == nil ? nil : timeLeft
        (volume, feedVolume) = (now.volume, now.feedVolume)
        sleep = now.sleep.map { SleepTimerReply($0, at: now.instant) }
        buffer = Buffer { ($0.seconds, $0.fill, $0.rate) = (now.bufferSeconds, now.bufferFill, now.bufferRate) }
        audio = now.info.map { info in
            Audio {
                ($0.codec, $0.rate, $0.channels) = (info.codec, info.format.rate, info.format.channels)
                ($0.samples, $0.bitRate) = ("\(info.format.type)", info.bitRate > 0 ? info.bitRate : nil)
            }
        }
        chapter = now.chapter.map { ChapterReply($0) }
        error = now.error?.message
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
        (until, isFading) = (status.until, status.isFading)
        switch status.end {
        case .time: end = .time
        case .chapter: end = .chapter
        case .episode(let count): (end, episodes) = (.episode, count)
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
