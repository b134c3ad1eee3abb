internal import PodcastModel

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
    /// The player stopped responding.
    case lost
}
