internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// Reads files of episodes for clients. The last file stays open for a while, so that its host is not asked again for each part.
struct EpisodeReader {
    private final class File: Sendable {
        let url: String
        let source: any ByteSource
        private let state = Mutex<(waiting: [FirstAnswer<Void>], used: Instant)>(([], .now))

        init(_ url: String, _ source: any ByteSource) {
            self.url = url
            self.source = source
            source.observe { [weak self] _ in self?.tell() }
        }

        var used: Instant { state.withLock { $0.used } }

        /// Is answered when `source` has changed.
        func nextChange() -> FirstAnswer<Void> {
            let change = FirstAnswer<Void>()
            state.withLock {
                $0.waiting = $0.waiting + [change]
                $0.used = .now
            }
            return change
        }

        func tell() { for change in state.withLock({ exchange(&$0.waiting, with: []) }) { change.give(()) } }
    }

    /// How long a read waits for bytes, and how long a file stays open after its last read.
    private static let (patience, openTime) = (Duration.seconds(20), Duration.seconds(30))

    let opener: any MediaOpening
    let decisions: DecisionThread
    private let last = Locked<File?>(nil)

    /// - Parameter announcedType: if the host names none.
    func read(_ request: ReadEpisode, of url: String, announcedType: String?) async throws -> EpisodeBytesReply {
        let file = try await file(url)
        let deadline = Instant.now + Self.patience
        let timer = decisions.schedule(after: Self.patience) { file.tell() }
        defer { timer.cancel() }
        while true {
            let change = file.nextChange()
            file.source.want(from: request.offset)
            let snapshot = file.source.snapshot
            if snapshot.isLive {
                throw ControlError(.conflict, "a live stream has no file", hint: "play it on another output")
            }
            let end = snapshot.end(ofAvailableFrom: request.offset)
            if end > request.offset || request.offset >= snapshot.length ?? .max {
                let count = min(end - request.offset, Int64(request.count))
                let bytes = try StoredFile.read(file.source.descriptor, at: request.offset, count: Int(count))
                return EpisodeBytesReply {
                    $0.data = Base64.text(of: bytes)
                    $0.length = snapshot.length
                    $0.type = snapshot.contentType ?? announcedType
                }
            }
            if case .failed(let failure) = snapshot.phase { throw failure }
            guard .now < deadline else {
                throw ControlError(.unavailable, "the episode's host sends nothing", hint: "try again later")
            }
            await change.value
        }
    }

    private func file(_ url: String) async throws -> File {
        if let open = last.withLock({ $0?.url == url ? $0 : nil }) { return open }
        let opened = File(url, try await opener.open(url))
        // A source closes with its last reference.
        _ = last.withLock { exchange(&$0, with: opened) }
        closeLater(opened)
        return opened
    }

    private func closeLater(_ file: File) {
        decisions.schedule(after: Self.openTime) { [weak file] in
            guard let file else { return }
            if file.used + Self.openTime > .now { return closeLater(file) }
            _ = last.withLock { $0 === file ? exchange(&$0, with: nil) : nil }
        }
    }
}

extension LibraryAccess {
    func episode(_ id: EpisodeID) async throws -> Episode { try await read { try $0.episodes.episode(id) } }

    /// An episode, whose file is fetched with the login of its feed from then on.
    func episode(_ id: EpisodeID, noting access: MediaAccess) async throws -> Episode {
        try await read { try access.note($0.episodes.episode(id), in: $0.feeds) }
    }
}
