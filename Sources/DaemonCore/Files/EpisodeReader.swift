internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryUpkeep
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// Reads files of episodes for clients. A file stays open for a while, so that its host is not asked again for each part.
final class EpisodeReader: Sendable {
    private final class File: Sendable {
        let url: String
        let source: any ByteSource
        private let waiting = Mutex<[FirstAnswer<Void>]>([])

        init(_ url: String, _ source: any ByteSource) {
            (self.url, self.source) = (url, source)
            source.observe { [weak self] _ in self?.tell() }
        }

        /// Is answered when `source` has changed.
        func nextChange() -> FirstAnswer<Void> {
            let change = FirstAnswer<Void>()
            waiting.withLock { $0.append(change) }
            return change
        }

        func tell() {
            for change in waiting.withLock({ exchange(&$0, with: []) }) { change.give(()) }
        }
    }

    /// How long a read waits for bytes.
    private static let patience = Duration.seconds(20)
    /// Files that stay open, each for as long after its last read.
    private static let (mostFiles, openTime) = (4, Duration.seconds(30))

    private let opener: any MediaOpening
    private let decisions: DecisionThread
    /// The one that was used last is the last.
    private let files = Mutex<[(file: File, used: Instant)]>([])

    init(opener: any MediaOpening, decisions: DecisionThread) { (self.opener, self.decisions) = (opener, decisions) }

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
                return EpisodeBytesReply(bytes, length: snapshot.length, type: snapshot.contentType ?? announcedType)
            }
            if case .failed(let failure) = snapshot.phase { throw failure }
            guard .now < deadline else {
                throw ControlError(.unavailable, "the episode's host sends nothing", hint: "try again later")
            }
            await change.value
        }
    }

    private func file(_ url: String) async throws -> File {
        if let open = use(url) { return open }
        let opened = File(url, try await opener.open(url))
        if let open = use(url) { return open }
        let isFirst = files.withLock { files in
            files.append((opened, .now))
            if files.count > Self.mostFiles { files.removeFirst() }
            return files.count == 1
        }
        if isFirst { closeLater() }
        return opened
    }

    private func use(_ url: String) -> File? {
        files.withLock { files in
            guard let index = files.firstIndex(where: { $0.file.url == url }) else { return nil }
            let file = files.remove(at: index).file
            files.append((file, .now))
            return file
        }
    }

    /// Closes the files that were not used for a while; a source closes with its last reference.
    private func closeLater() {
        decisions.schedule(after: Self.openTime) { [weak self] in
            guard let self else { return }
            let (old, hasMore) = files.withLock { files in
                let old = files.prefix { $0.used + Self.openTime <= .now }
                files.removeFirst(old.count)
                return (old, !files.isEmpty)
            }
            // Not under the lock.
            _ = consume old
            if hasMore { closeLater() }
        }
    }
}

extension DaemonParts {
    /// - Throws: `ControlError` if nothing is current.
    func readEpisode(_ request: ReadEpisode) async throws -> EpisodeBytesReply {
        guard let id = request.id ?? player.status.entry?.episode else {
            throw ControlError(.conflict, "no episode is current", hint: "give the id of an episode")
        }
        let enclosure = try await library.read { try $0.episodes.episode(id).enclosure }
        return try await reader.read(request, of: enclosure.url, announcedType: enclosure.type)
    }
}
