internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import PodcastModel
internal import Refreshing

/// The view of the library that fetching chapters and transcripts has.
struct LibraryTexts: EpisodeTextLibrary {
    let library: LibraryService
    let now: @Sendable () -> Timestamp

    func isTextDue(of episode: EpisodeID) async throws -> Bool {
        let now = now()
        return try await library.perform { store in
            let sources = try store.textSources(of: episode)
            return EpisodeTextKind.allCases.contains { sources.isDue($0, at: now) }
        }
    }

    func chapters(of episode: EpisodeID) async throws -> [Chapter] {
        try await library.perform { try $0.notes(of: episode).chapters }
    }

    func maintain() async { await library.maintain() }
}

extension ControlError {
    init(_ failure: RefreshFailure) {
        switch failure {
        case .cannotRun: self.init(.unavailable, failure.description, hint: "is it installed beside podcastd?")
        case .invalidOutput: self.init(.internalError, failure.description)
        }
    }

    init(_ failure: TransferFailure) {
        switch failure {
        case .tooMany: self.init(.unavailable, failure.description, hint: "try again in a moment")
        case .tooLarge: self.init(.invalidArgument, failure.description)
        case .noUpload:
            self.init(.invalidArgument, failure.description, hint: "send 'document', or call feeds.upload first")
        case .noExport: self.init(.conflict, failure.description, hint: "start with offset 0")
        }
    }
}
