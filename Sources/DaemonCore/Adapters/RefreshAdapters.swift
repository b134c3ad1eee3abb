internal import Library
internal import PodcastModel
internal import Refreshing

struct LibraryTexts: EpisodeTextLibrary {
    let library: any LibraryAccess
    let now: @Sendable () -> Timestamp

    func isTextDue(of episode: EpisodeID) async throws -> Bool {
        let now = now()
        return try await library.read { store in
            let sources = try store.texts.textSources(of: episode)
            return EpisodeTextKind.allCases.contains { sources.isDue($0, at: now) }
        }
    }

    func chapters(of episode: EpisodeID) async throws -> [Chapter] {
        try await library.read { try $0.episodes.notes(of: episode).chapters }
    }

    func maintain() async { await library.maintain() }
}
