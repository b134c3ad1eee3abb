internal import Configuration
internal import ControlLanguage
internal import Library
internal import Playback
internal import PodcastModel
internal import Reporting

struct LibraryPlaybackStore: PlaybackStore {
    private let library: LibraryService
    private let queue: QueueService
    private let settings: SettingsService
    private let access: MediaAccess
    private let now: @Sendable () -> Timestamp
    private let texts: EpisodeTextService
    private let addresses: AddressRenewal
    private let changes: ChangeBoard
    private let logger: Logger
    private let recorder: PositionRecorder
    private let listening: ListeningRecorder
    private let unsaved: PositionRetry

    /// - Parameter timers: timers on the library's thread; nil uses `library.timers`.
    init(
        library: LibraryService, queue: QueueService, settings: SettingsService, access: MediaAccess,
        now: @escaping @Sendable () -> Timestamp, timers: (any TimerClock)? = nil, texts: EpisodeTextService,
        addresses: AddressRenewal, changes: ChangeBoard, logger: Logger
    ) {
        self.library = library
        self.queue = queue
        self.settings = settings
        self.access = access
        self.now = now
        self.texts = texts
        self.addresses = addresses
        self.changes = changes
        self.logger = logger
        let timers = timers ?? library.timers
        let listening = ListeningRecorder(library: library, clock: timers, now: now)
        self.listening = listening
        unsaved = PositionRetry(library: library, timers: timers)
        recorder = PositionRecorder(timers: timers) { position, episode in
            try library.performHere { try $0.episodes.savePosition(position, of: episode, at: now(), isDurable: false) }
            listening.recordHere(episode)
        }
    }

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        texts.prepare([episode])
        return try await library.read { [access] store in
            let found = try access.note(store.episodes.episode(episode), in: store.feeds)
            let sound = try store.feeds.sound(of: found.feed)
            var media = PlaybackMedia(
                url: found.enclosure.url, title: found.title,
                resumePosition: resumePosition(of: found))
            media.feed = found.feed
            media.feedTitle = found.feedTitle
            media.duration = found.duration
            media.isDurationMeasured = found.measuredDuration != nil
            media.chapters = try store.episodes.notes(of: episode).chapters
            media.volume = sound.volume
            media.sound = sound.settings
            media.isMusic = sound.isMusic
            media.skips = try store.bookmarks.skips(of: episode)
            media.loudness = try store.episodes.loudness(of: episode)
            media.isOfUnknownSize = found.duration == nil && found.enclosure.length == nil
            return media
        }
    }

    /// Where an episode continues, also if the library could not save it.
    func resumePosition(of episode: Episode) -> MediaTime {
        unsaved.position(of: episode.id, stored: episode.state.position)
    }

    func renewedMedia(of episode: EpisodeID) async throws -> PlaybackMedia {
        await addresses.renew(episode)
        return try await media(of: episode)
    }

    func savePosition(_ position: MediaTime, of episode: EpisodeID, isHeard: Bool) async throws {
        let now = now()
        do {
            try await library.perform {
                try $0.episodes.savePosition(position, of: episode, at: now, isDurable: true, isHeard: isHeard)
            }
            unsaved.remove(episode)
        } catch {
            await unsaved.add(position, of: episode, at: now)
            throw error
        }
        changes.episodesChanged([episode], .position)
    }

    func flush() async { await listening.flush() }

    func follow(_ sounding: SoundingEpisode?, every interval: Duration) {
        listening.follow(sounding)
        recorder.follow(sounding.flatMap { $0.keepsPosition ? $0 : nil }, every: interval)
    }

    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws {
        try await queue.finish(
            entry, heard: heard, keepsEntry: settings["queue.keep_played"] == "yes", at: now())
        changes.episodesChanged([entry.episode], .mark)
        let episode = try await library.episode(entry.episode)
        if let announced = episode.announcedDuration, let measured = episode.measuredDuration,
            measured.seconds < announced.seconds / 2
        {
            logger.log(
                .warning, .playback,
                "'\(episode.title)' ended after \(measured), although its feed announces \(announced): its file may be incomplete",
                about: [.episode(episode.id.rawValue)])
        }
    }

    func discard(_ entry: QueueEntry, isWithdrawn: Bool) async throws {
        guard try await queue.discard(entry.episode) else {
            if isWithdrawn { try await queue.withdraw(entry.id) }
            return
        }
        changes.changed(.feeds)
        changes.episodesChanged([entry.episode], .content)
    }

    func forgetMeasurements(of episode: EpisodeID) async throws {
        try await library.perform { try $0.episodes.forgetMeasurements(of: episode) }
        changes.episodesChanged([episode], .content)
    }

    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        try await library.perform { try $0.episodes.setMeasuredDuration(duration, of: episode) }
        changes.episodesChanged([episode], .content)
    }
}

extension FeedStore {
    func sound(of feed: FeedID?) throws(LibraryError) -> (settings: FeedSound, isMusic: Bool, volume: Int?) {
        guard let feed else { return (FeedSound(), false, nil) }
        let settings = try settings(of: feed)
        let isMusic = try details(of: feed).medium == "music"
        return (FeedSound(settings), isMusic, settings[FeedSetting.volume.rawValue].flatMap { Int($0) })
    }
}
