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

    /// Gives the player the settings of its feed, which may have changed.
    public func refresh() async {
        guard let feed = player.status.feed else { return }
        guard let sound = try? await library.read({ try Self.sound(of: feed, in: $0) }) else { return }
        await player.use(sound.settings, of: feed, isMusic: sound.isMusic)
    }
}
