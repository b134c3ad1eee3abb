internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel

/// Follows the player, and reads the details of the current episode. One thread.
final class PlayerFollower {
    private static let coverPixels = 512

    let connection: ControlConnection
    private(set) var state = MPRISState()
    private var model = ClientModel()
    /// Whether the connection has brought the daemon's state.
    private var hasSnapshot = false
    private var detailed: EpisodeID?
    private let keepCover: (PictureReply, EpisodeID) -> String?

    /// - Parameter cover: stores or encodes a cover for other programs; nil if that fails.
    init(_ connection: ControlConnection, cover: @escaping (PictureReply, EpisodeID) -> String?) {
        self.connection = connection
        keepCover = cover
        connection.watch([.player, .queue])
    }

    /// Whether the daemon's state is known, or no daemon runs.
    var isSettled: Bool { connection.isSettled(hasSnapshot) }

    /// Handles what the daemon sent.
    func process() {
        for event in connection.process() { handle(event) }
        readDetails()
    }

    private func handle(_ event: ConnectionEvent) {
        model.apply(event)
        switch event {
        case .greeted(let hello): state.permission = min(hello.permission, .control)
        case .lost:
            state.loseDaemon()
            hasSnapshot = false
            detailed = nil
        case .snapshot, .changed:
            hasSnapshot = true
            state.update(model.player)
            state.queue = model.queue
        }
    }

    func readStatus(_ done: @escaping () -> Void) {
        connection.send(GetStatus()) { [self] result in
            if case .success(let status) = result {
                state.update(status.player)
                state.queue = status.queue
                readDetails()
            }
            done()
        }
    }

    /// Reads the details of the current episode when another one has become the current one.
    private func readDetails() {
        let playing = state.player.episode?.id
        guard state.permission != nil, playing != detailed else { return }
        state.episode = nil
        state.summary = nil
        state.cover = nil
        detailed = playing
        if let playing { readDetails(of: playing) }
    }

    private func readDetails(of id: EpisodeID) {
        connection.send(ShowEpisode { $0.episode = id.label }) { [self] result in
            guard detailed == id, case .success(let detail) = result else { return }
            state.episode = detail.episode
            state.summary = detail.summary ?? detail.content
        }
        connection.send(
            GetPicture {
                $0.what = id.label
                $0.size = Self.coverPixels
            }
        ) { [self] result in
            guard detailed == id, case .success(let picture) = result else { return }
            state.cover = keepCover(picture, id)
        }
    }
}
