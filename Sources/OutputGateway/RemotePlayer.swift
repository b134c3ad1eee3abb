internal import PodcastModel

/// A player in the network that fetches a file and plays it. Never blocks; one thread.
protocol RemotePlayer: AnyObject {
    /// Loads a file and plays it. It and `perform` take effect later, in the order of the calls; a failure is a report.
    func load(_ item: RemoteItem, from position: MediaTime)
    func perform(_ order: RemoteOrder)
    /// Gives up the call that the player has not answered, so that the next order is sent.
    func abandonCall()
    /// Whether orders have not taken effect yet.
    var isBusy: Bool { get }
    /// When `process` must be called at the latest.
    var deadline: Instant { get }
    /// The player's reports since the last call, oldest first.
    func process() -> [RemoteReport]
}

enum RemoteOrder: Equatable {
    case play, pause, stop
    case seek(MediaTime)
    /// In percent, from 0 to 100.
    case setVolume(Int)
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
    enum State {
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
    /// The player has stopped and forgotten the file, as after the end or a restart.
    case cleared
    /// The player said that it plays while its position stood still; it loads the file again.
    case stalled
    /// The player stopped responding.
    case lost
}
