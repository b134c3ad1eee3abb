internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// Moves playback to another podcastd, led by `HandOverMachine`. Blocks its thread.
struct HandOverPass {
    private let daemon: ControlConnection
    private let server: PeerAccount

    init(_ daemon: ControlConnection, _ server: PeerAccount) {
        self.daemon = daemon
        self.server = server
    }

    func run() throws(SyncFailure) {
        let player = try daemon.answer(GetStatus()).player
        guard let id = player.episode?.id, let position = player.position else {
            throw SyncFailure(message: "nothing plays here")
        }
        let episode = try daemon.answer(ShowEpisode { $0.episode = id.label }).episode.episode
        let url = episode.enclosure.url
        guard WebAddress.isFetchable(url) else { throw fault("cannot play a file of this machine") }
        if !player.state.isPlaying, try plays(episode) { throw fault("plays this episode already") }
        var machine = HandOverMachine(server.name, at: position, isPlaying: player.state.isPlaying)
        var step = HandOverMachine.first
        while true {
            if case .end(let failure) = step {
                if let failure { throw failure }
                return
            }
            step = machine.handle(outcome(of: step, url, position), at: .now)
        }
    }

    private func outcome(of step: HandOverMachine.Step, _ url: String, _ position: MediaTime) -> HandOverMachine.Event {
        do throws(SyncFailure) {
            switch step {
            case .load:
                _ = try server.call(
                    Play {
                        $0.what = url
                        $0.position = .absolute(position)
                        $0.isPaused = true
                    })
            case .askThere(let delay):
                if delay > .zero { _ = try? server.server.http.poll(timeout: delay) }
                return .answered(try server.call(GetStatus()).player)
            case .pauseHere: return .paused(at: try daemon.answer(Pause()).position)
            case .seekThere(let place): _ = try server.call(Seek { $0.time = .absolute(place) })
            case .playThere: _ = try server.call(Play())
            case .playHere: _ = try daemon.answer(Play())
            case .end: break
            }
            return .done
        } catch { return .failed(error) }
    }

    private func plays(_ episode: Episode) throws(SyncFailure) -> Bool {
        let player = try server.call(GetStatus()).player
        guard player.state.isPlaying, let id = player.episode?.id else { return false }
        let other = try server.call(ShowEpisode { $0.episode = id.label }).episode.episode
        return WebAddress.essence(other.enclosure.url) == WebAddress.essence(episode.enclosure.url)
    }

    private func fault(_ what: String) -> SyncFailure {
        SyncFailure(message: "\(server.name) \(what)")
    }
}
