import LoopbackServer
import Synchronization
import TestSupport

/// A growing feed and its episodes. Some first responses break off, some stall until they are resumed.
final class EpisodeHost: Sendable {
    private enum Line { case good, breaking(at: Int), silent(from: Int) }

    private struct Episode {
        var rounds: Int
        var line: Line
    }

    private struct State {
        var episodes: [Episode] = []
        /// Number of episodes whose URLs the listener knows.
        var offered = 0
        var resets = 0
        /// Where silent answers wait.
        var gate: Gate?
    }

    private let server: LoopbackServer
    private let audio: RepeatedAudio
    private let network: SimulatedNetwork
    private let state = Mutex(State())

    init(audio: RepeatedAudio, network: SimulatedNetwork) throws {
        self.audio = audio
        self.network = network
        server = try LoopbackServer()
        server.serveOtherwise { [unowned self] request in answer(request.path) }
    }

    var feed: String { server.url("/feed.xml") }

    /// Connections that broke.
    var resets: Int { state.withLock { $0.resets } }

    /// Whether an answer has fallen silent.
    var isSilent: Bool { state.withLock { $0.gate != nil } }

    /// Resumes stalled responses.
    func letGoOn() {
        guard let gate = state.withLock({ $0.gate.take() }) else { return }
        gate.open()
        network.letGo()
    }

    /// Adds episodes of forty minutes and more.
    func publish(_ count: Int, numbers: inout SeededNumbers) {
        for _ in 0..<count {
            // From half a minute to four minutes in.
            let offset = Int.random(in: 120_000..<1_000_000, using: &numbers)
            let rounds = Int.random(in: 80...RepeatedAudio.mostRounds, using: &numbers)
            state.withLock { state in
                let lines: [Line] = [.silent(from: offset), .breaking(at: offset), .good]
                state.episodes.append(Episode(rounds: rounds, line: lines[state.episodes.count % lines.count]))
            }
        }
    }

    /// Titles to listen to: the new ones first, then any.
    func titles(_ count: Int, numbers: inout SeededNumbers) -> [String] {
        state.withLock { state in
            (0..<count).map { _ in
                if state.offered < state.episodes.count {
                    state.offered += 1
                    return "Episode \(state.offered)."
                }
                return "Episode \(Int.random(in: 1...state.episodes.count, using: &numbers))."
            }
        }
    }

    /// Frames of sound of an episode.
    func frames(of title: String) -> Int {
        let number = Int(title.filter(\.isNumber)) ?? 0
        return state.withLock { $0.episodes[number - 1].rounds } * audio.roundFrames
    }

    // MARK: Answers

    private func answer(_ path: String) -> Answer {
        if path == "/feed.xml" { return feedAnswer() }
        guard let number = Int(path.dropFirst().prefix { $0 != "." }) else { return .status(404) }
        let episode = state.withLock { state -> Episode? in
            guard state.episodes.indices.contains(number - 1) else { return nil }
            defer { state.episodes[number - 1].line = .good }
            return state.episodes[number - 1]
        }
        guard let episode else { return .status(404) }
        // One array for all: copies of ten megabytes would be most of what the process holds.
        let end = Fault.shortened(to: audio.byteCount(rounds: episode.rounds))
        return .resource(Resource(audio.file), faults: [end] + faults(of: episode.line))
    }

    private func faults(of line: Line) -> [Fault] {
        switch line {
        case .good: return []
        case .breaking(let offset):
            state.withLock { $0.resets += 1 }
            return [.reset(at: offset)]
        case .silent(let offset):
            let gate = state.withLock { state in
                if let gate = state.gate { return gate }
                // This must not be taken for a slow machine.
                network.hold()
                let gate = Gate()
                state.gate = gate
                return gate
            }
            return [.stall(at: offset, .gate(gate))]
        }
    }

    private func feedAnswer() -> Answer {
        let count = state.withLock { $0.episodes.count }
        let items = (1...count).reversed().map { number in
            """
            <item><title>Episode \(number).</title><guid>episode-\(number)</guid>
            <enclosure url="\(number).mp3" type="audio/mpeg" length="1"/></item>
            """
        }
        let text =
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A month</title>\(items.joined())</channel></rss>"
        return .resource(
            Resource(Array(text.utf8), contentType: "application/rss+xml", etag: "\"\(count)\""))
    }
}
