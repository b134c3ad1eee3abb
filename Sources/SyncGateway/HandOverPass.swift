internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// Moves playback to another podcastd. Blocks its thread.
struct HandOverPass {
    private static let limit = Duration.seconds(20)
    private static let pause = Duration.milliseconds(50)
    /// Seconds of sound that the other podcastd has decoded before it pauses here.
    private static let enough = 1.0

    private let daemon: ControlConnection
    private let server: PodcastdPeer

    init(_ daemon: ControlConnection, _ server: PodcastdPeer) {
        self.daemon = daemon
        self.server = server
    }

    func run() throws(SyncFailure) {
        let player = try daemon.answer(GetStatus()).player
        guard let id = player.episode?.id, let position = player.position else {
            throw SyncFailure(message: "nothing plays here")
        }
        let episode = try daemon.answer(ShowEpisode { $0.episode = id.label }).episode
        guard WebAddress.isFetchable(episode.episode.enclosure.url) else {
            throw fault("cannot play a file of this machine")
        }
        if !player.state.isPlaying, try plays(episode.episode) { throw fault("plays this episode already") }
        _ = try server.call(
            Play {
                $0.what = episode.episode.enclosure.url
                $0.position = .absolute(position)
                $0.isPaused = true
            })
        try waitUntilLoaded()
        let place = try daemon.answer(Pause()).position ?? position
        do throws(SyncFailure) {
            _ = try server.call(Seek { $0.time = .absolute(place) })
            _ = try server.call(Play())
        } catch {
            // Otherwise it would be silent on both sides.
            if player.state.isPlaying { _ = try? daemon.answer(Play()) }
            throw error
        }
    }

    private func plays(_ episode: Episode) throws(SyncFailure) -> Bool {
        let player = try server.call(GetStatus()).player
        guard player.state.isPlaying, let id = player.episode?.id else { return false }
        let other = try server.call(ShowEpisode { $0.episode = id.label }).episode.episode
        return WebAddress.essence(other.enclosure.url) == WebAddress.essence(episode.enclosure.url)
    }

    private func waitUntilLoaded() throws(SyncFailure) {
        let deadline = Instant.now + Self.limit
        while true {
            let player = try server.call(GetStatus()).player
            let isLate = Instant.now > deadline
            if player.state == .paused, player.buffer.seconds >= Self.enough || isLate { return }
            if player.state == .stopped || isLate {
                throw fault("cannot play the episode: \(player.reason ?? player.error ?? player.state.rawValue)")
            }
            _ = try? server.account.server.http.poll(timeout: Self.pause)
        }
    }

    private func fault(_ what: String) -> SyncFailure {
        SyncFailure(message: "\(server.serverName) \(what)")
    }
}
