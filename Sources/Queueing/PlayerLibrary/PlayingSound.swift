public import LibraryModel
public import Playback
public import PodcastModel

/// How the episode that plays is heard, as far as its feed decides it.
public struct PlayingSound: Sendable {
    private let library: any LibraryAccess
    private let player: Player

    public init(library: any LibraryAccess, player: Player) { (self.library, self.player) = (library, player) }

    /// The settings of a feed; an episode without one has none.
    public static func sound(
        of feed: FeedID?, in store: any LibraryStores
    ) throws(LibraryError) -> (settings: FeedSound, isMusic: Bool, volume: Int?) {
        guard let feed else { return (FeedSound(), false, nil) }
        let details = try store.feeds.details(of: feed)
        let settings = try store.feeds.settings(of: feed)
        return (
            FeedSound(settings), details.medium == "music", settings[FeedSetting.volume.rawValue].flatMap { Int($0) }
        )
    }

    /// The file of an episode whose loudness is changed but was not measured yet; nil for another, or if it cannot be played.
    /// - Parameter all: the settings for all feeds.
    public static func unmeasuredFile(
        of id: EpisodeID, _ all: SoundSettings, in store: any LibraryStores
    ) throws(LibraryError) -> String? {
        let episode = try store.episodes.episode(id)
        let feed = try sound(of: episode.feed, in: store)
        let (type, url) = (episode.enclosure.type, episode.enclosure.url)
        guard all.applied(to: feed.settings, isMusic: feed.isMusic).loudness != nil,
            try store.episodes.loudness(of: id) == nil, UnplayableMedia.name(type: type, url: url) == nil
        else { return nil }
        return url
    }

    /// Gives the player the settings of its feed and the marked parts of its episode, which may have changed.
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
