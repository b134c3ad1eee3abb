public import Library
public import Playback
public import PodcastModel

/// The sound settings of the playing episode, as set for its feed.
public struct PlayingSound: Sendable {
    private let library: any LibraryAccess
    private let player: Player

    public init(library: any LibraryAccess, player: Player) { (self.library, self.player) = (library, player) }

    public static func sound(
        of feed: FeedID?, in store: LibraryStore
    ) throws(LibraryError) -> (settings: FeedSound, isMusic: Bool, volume: Int?) {
        guard let feed else { return (FeedSound(), false, nil) }
        let details = try store.feeds.details(of: feed)
        let settings = try store.feeds.settings(of: feed)
        return (
            FeedSound(settings), details.medium == "music", settings[FeedSetting.volume.rawValue].flatMap { Int($0) }
        )
    }

    /// The file of an episode whose loudness must still be measured; nil if it is measured or unplayable.
    /// - Parameter all: the settings for all feeds.
    public static func unmeasuredFile(
        of id: EpisodeID, _ all: SoundSettings, in store: LibraryStore
    ) throws(LibraryError) -> String? {
        let episode = try store.episodes.episode(id)
        let feed = try sound(of: episode.feed, in: store)
        let (type, url) = (episode.enclosure.type, episode.enclosure.url)
        guard all.applied(to: feed.settings, isMusic: feed.isMusic).loudness != nil,
            try store.episodes.loudness(of: id) == nil, UnplayableMedia.name(type: type, url: url) == nil
        else { return nil }
        return url
    }

    /// Updates the player with the feed's settings and the episode's skipped ranges.
    public func refresh() async {
        let status = player.status
        if let episode = status.entry?.episode,
            let skips = try? await library.read({ try $0.bookmarks.skips(of: episode) })
        {
            await player.use(skips, of: episode)
        }
        guard let feed = status.feed else { return }
        guard let sound = try? await library.read({ try Self.sound(of: feed, in: $0) }) else { return }
        await player.use(sound.settings, of: feed, isMusic: sound.isMusic)
        await player.setFeedVolume(sound.volume, of: feed)
    }
}
