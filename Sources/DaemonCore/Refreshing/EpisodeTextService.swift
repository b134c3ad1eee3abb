internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel
internal import Synchronization

/// Has chapters and transcripts fetched when somebody needs them: for what is queued, played, shown or asked for.
///
/// podcast-refresh does it, which reads strangers' documents; it remembers failures, so that a host that has none is not asked
/// at every turn. Runs have a thread of their own: a refresh of all feeds does not hold them up.
final class EpisodeTextService: Sendable {
    /// Episodes of one edit of the queue that are looked at; the others when they are played.
    private static let mostAtOnce = 20

    private let decisions: DecisionThread
    private let library: LibraryService
    private let runner: RefreshRunner
    private let now: @Sendable () -> Timestamp
    private let changes: ChangeBoard
    /// Gets chapters of what it plays as soon as they are there; it is made later, since it asks for them.
    let player = LateBound<Player>()
    /// Episodes that a run was begun for, and who else waits for it.
    private let underWay = Mutex<[EpisodeID: [CheckedContinuation<Void, Never>]]>([:])

    /// A service that fetches by `runner`.
    init(
        decisions: DecisionThread, library: LibraryService, runner: RefreshRunner,
        now: @escaping @Sendable () -> Timestamp, changes: ChangeBoard
    ) {
        (self.decisions, self.library, self.runner) = (decisions, library, runner)
        (self.now, self.changes) = (now, changes)
    }

    /// Has fetched what is due of some episodes, and returns at once.
    func prepare(_ episodes: [EpisodeID]) {
        decisions.start { [self] in
            // Nobody waits for it: what failed is told to whoever asks for it.
            for episode in episodes.prefix(Self.mostAtOnce) { _ = try? await fetch(episode) }
        }
    }

    /// Has fetched what is due of an episode, and waits for it, also when somebody else asked for it first.
    /// - Returns: what went wrong, for people; nil when nothing did or nothing was due.
    func fetch(_ episode: EpisodeID) async throws -> String? {
        let now = now()
        let isDue = try await library.read { store in
            let sources = try store.textSources(of: episode)
            return EpisodeTextKind.allCases.contains { sources.isDue($0, at: now) }
        }
        let isFirst = underWay.withLock { underWay in
            if underWay[episode] != nil { return false }
            if isDue { underWay[episode] = [] }
            return true
        }
        if !isFirst { await endOfRun(episode) }
        guard isDue, isFirst else { return nil }
        defer { underWay.withLock { $0.removeValue(forKey: episode) ?? [] }.forEach { $0.resume() } }
        let outcome = try await runner.run(["texts"], on: [episode.description])
        if let player = player.value, let notes = try? await library.read({ try $0.notes(of: episode) }) {
            player.use(notes.chapters, of: episode)
        }
        changes.changed(.episodes)
        // The words of what is said are indexed without delay: whoever fetches a transcript searches it next.
        await library.maintain()
        return outcome.status == 0 ? nil : outcome.complaint
    }

    private func endOfRun(_ episode: EpisodeID) async {
        await withCheckedContinuation { continuation in
            let isOver = underWay.withLock { underWay in
                if underWay[episode] == nil { return true }
                underWay[episode]?.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Asks a run in progress to end.
    func interrupt() { runner.interrupt() }
    /// Waits for a run in progress and ends its thread.
    func close() {
        runner.close()
        player.value = nil
    }
}
