internal import PodcastModel

/// A player in the network, which fetches a file and plays it. Never blocks; one thread. A call takes effect later, in the order of the
/// calls; failures are reports.
protocol RemotePlayer: AnyObject {
    /// Plays a file from a position.
    func load(_ item: RemoteItem, from start: MediaTime)
    func play()
    func pause()
    func seek(to position: MediaTime)
    /// - Parameter percent: from 0 to 100.
    func setVolume(_ percent: Int)
    func stop()

    var deadline: Instant? { get }
    /// Whether calls have not taken effect yet.
    var isBusy: Bool { get }
    /// What the player has done since the last call, oldest first.
    func process() -> [RemoteReport]
}

/// A file for a player, and what the player may show.
struct RemoteItem: Equatable {
    var url: String
    var type: String
    var title: String
    var show: String?
    var cover: String?
    var length: Int64?
    var duration: MediaTime?
}

enum RemoteReport: Equatable {
    enum State: Equatable {
        case stopped
        /// Also while bytes are missing.
        case loading
        case playing, paused
    }

    case state(State)
    /// May be rounded down to a second.
    case position(MediaTime)
    /// In percent, from 0 to 100.
    case volume(Int)
    /// The player cannot play the file.
    case failed(String)
    /// The player does not answer any more.
    case lost
}
