internal import Configuration
internal import ControlProtocol
internal import EpisodeRules
internal import LibraryModel
internal import MediaPorts
internal import Playback
internal import SystemCalls

extension ControlError {
    /// The one place where a failure of any part becomes what a client is told.
    init(reporting error: any Error) {
        switch error {
        case let error as ControlError: self = error
        case let error as LibraryError: self.init(error)
        case let error as PlayerError: self.init(error)
        case let error as MediaFailure: self.init(error)
        case let error as SettingProblem: self.init(.invalidArgument, error.message)
        case let error as SystemError: self.init(.internalError, error.description)
        case let error as ExpressionError: self.init(.invalidArgument, error.description, hint: error.hint)
        case is CancellationError: self.init(.unavailable, "the daemon is going down")
        default: self.init(.internalError, "\(error)")
        }
    }

    private init(_ error: LibraryError) {
        switch error {
        case .notFound(let what): self.init(.notFound, "nothing is called \(what)")
        case .ambiguous(let what, let candidates):
            self.init(
                .invalidArgument, "\(what) fits several: \(candidates.prefix(5).joined(separator: "; "))",
                hint: "name more of the title, or the id")
        case .alreadySubscribed(let feed): self.init(.conflict, "already subscribed, as feed \(feed)")
        case .refused(let why): self.init(.conflict, why)
        case .newerSchema(let found, let known):
            self.init(
                .storageFailed, "the library has schema \(found), this program knows \(known)",
                hint: "upgrade podcastd")
        case .diskFull:
            self.init(.storageFailed, "the disk is full", hint: "make room; nothing that was acknowledged is lost")
        case .readOnly(let what): self.init(.storageFailed, "cannot write \(what)", hint: "check its permissions")
        case .busy: self.init(.unavailable, "another process holds the library", hint: "try again")
        case .damaged(let words):
            self.init(
                .storageFailed, "the library is damaged: \(words)",
                hint: "stop the daemon and run 'podcastd check --repair'")
        case .storage(let words): self.init(.storageFailed, words)
        }
    }

    private init(_ error: PlayerError) {
        switch error {
        case .nothingPlaying, .queueIsEmpty, .noNextEntry, .noPreviousEntry:
            self.init(.conflict, error.description)
        case .shuttingDown: self.init(.unavailable, error.description)
        }
    }

    private init(_ failure: MediaFailure) {
        switch failure.kind {
        case .storage: self.init(.storageFailed, failure.message)
        case .notFound, .forbidden, .network, .notAudio, .damaged, .changed, .sink, .internal:
            self.init(.mediaFailed, failure.message)
        }
    }
}

extension DecisionThread {
    /// Answers with what the work returns or throws.
    func answer<Reply: ReplyObject>(_ work: @escaping @Sendable () async throws -> Reply) -> CommandAnswer {
        .later { completion in
            self.start {
                do {
                    completion.finish(.success(try await work().json))
                } catch {
                    completion.finish(.failure(ControlError(reporting: error)))
                }
            }
        }
    }
}
