internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel

/// How the episode that plays is heard, as far as its feed decides it.
struct PlayingSound: Sendable {
    let library: LibraryService
    let player: Player

    /// The settings of a feed; an episode without one has none.
    static func sound(
        of feed: FeedID?, in store: LibraryStore
    ) throws(LibraryError) -> (settings: FeedSound, isMusic: Bool, volume: Int?) {
        guard let feed else { return (FeedSound(), false, nil) }
        let details = try store.feeds.details(of: feed)
        let settings = try store.feeds.settings(of: feed)
        return (
            FeedSound(settings), details.medium == "music", settings[FeedSetting.volume.rawValue].flatMap { Int($0) }
        )
    }

    /// Gives the player the settings of its feed, which may have changed.
    func refresh() async {
        guard let feed = player.status.feed else { return }
        guard let sound = try? await library.read({ try Self.sound(of: feed, in: $0) }) else { return }
        await player.use(sound.settings, of: feed, isMusic: sound.isMusic)
    }
}
