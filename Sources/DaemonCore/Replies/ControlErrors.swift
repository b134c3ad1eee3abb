internal import Configuration
internal import ControlLanguage
internal import Glibc
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SystemCalls

extension ControlError {
    /// Converts a failure of any part to an error on the wire.
    init(reporting error: any Error) {
        switch error {
        case let error as ControlError: self = error
        case let error as LibraryError: self.init(error)
        case let error as PlayerError: self.init(error)
        case let error as ChapterFailure: self.init(error)
        case let error as PositionNotSaved: self.init(done: "the command was carried out", error)
        case let error as MediaFailure:
            let code: Code = error.kind == .storage ? .storageFailed : .mediaFailed
            self.init(code, error.message, status: error.kind.exitStatus)
        case let error as SettingProblem: self.init(.invalidArgument, error.message)
        case let error as SystemError: self.init(error)
        case let error as ExpressionError: self.init(.invalidArgument, error.description, hint: error.hint)
        case let error as ChoiceFailure: self.init(error)
        case let error as MissingEntry: self.init(.notFound, "the queue has no entry \(error.index)")
        case is CancellationError: self.init(.unavailable, "the daemon is shutting down")
        default: self.init(.internalError, "\(error)")
        }
    }

    /// A command that was carried out although its position could not be saved.
    /// - Parameter done: what was carried out: `paused`.
    init(done: String, _ error: PositionNotSaved) {
        self.init(reporting: error.cause)
        what = "\(done); the position could not be saved: \(what)"
        isDone = true
    }

    /// A change that is in effect, but only until the daemon ends.
    /// - Parameter done: what is in effect: `volume 50`.
    init(done: String, notKept error: any Error) {
        self.init(reporting: error)
        code = .storageFailed
        what = "\(done), but only until podcastd ends, because it could not be saved: \(what)"
        isDone = true
    }

    private init(_ error: LibraryError) {
        let (code, hint): (Code, String?) =
            switch error {
            case .notFound(let name, let kind): (.notFound, kind.flatMap { Self.hint(forNumber: name, of: $0) })
            case .ambiguous: (.invalidArgument, "use the id or more of the title")
            case .otherKind(_, let kind): (.invalidArgument, Self.hint(for: kind))
            case .reversedRange: (.invalidArgument, "write the smaller number first, such as e10-e20")
            case .inexact(_, let candidate): (.invalidArgument, "use \(candidate.label), the whole title, or --yes")
            case .alreadySubscribed, .refused: (.conflict, nil)
            case .newerSchema: (.storageFailed, "upgrade podcastd")
            case .diskFull: (.storageFailed, "make room; nothing that was confirmed is lost")
            case .readOnly: (.storageFailed, "check its permissions, and whether its disk is mounted read-only")
            case .busy:
                (
                    .unavailable,
                    "it may be a podcast-refresh that was stopped with Ctrl-Z: continue or end it, then try again"
                )
            case .damaged: (.storageFailed, "stop the daemon and run 'podcastd check --repair'")
            case .storage: (.storageFailed, nil)
            }
        self.init(code, error.description, hint: hint)
        if case .ambiguous(let name, let kind, let candidates) = error {
            what = "'\(name)' matches several \(kind.plural)"
            ambiguousName = name
            self.candidates = candidates.map(\.shortened)
        } else if case .inexact(let name, let candidate) = error {
            inexactName = name
            candidates = [candidate.shortened]
        }
    }

    /// Nil for a name that is not a number.
    private static func hint(forNumber name: String, of kind: NamedKind) -> String? {
        guard name.utf8.allSatisfy(\.isDigit) else { return nil }
        return switch kind {
        case .feed: "a number is a feed's id, never a title"
        case .episode, .feedOrEpisode: "a number is an episode's id, never a title"
        case .entry: "a number is an index in the queue; write an episode's id as e12"
        }
    }

    private static func hint(for kind: NamedKind) -> String {
        switch kind {
        case .feed: "a feed is named by an id such as f5, its URL or its title"
        case .episode, .feedOrEpisode: "an episode is named by an id such as e12, its URL or its title"
        case .entry: "an entry of the queue is named by its index, such as #3"
        }
    }

    private init(_ error: SystemError) {
        switch error.code {
        case EAGAIN, ENOMEM:
            self.init(
                .unavailable, error.description,
                hint: "the system cannot start another thread or process: end other programs, then try again")
        case ECANCELED: self.init(reporting: CancellationError())
        default: self.init(.internalError, error.description)
        }
    }

    private init(_ error: PlayerError) {
        switch error {
        case .nothingPlaying, .queueIsEmpty, .noNextEntry, .noPreviousEntry, .durationUnknown, .liveStream:
            self.init(.conflict, error.description)
        case .noChapters:
            self.init(.conflict, error.description, hint: "stop at its end: podcastctl sleep end-of-episode")
        case .nothingToShorten:
            self.init(.conflict, error.description, hint: "set one, or end it: podcastctl sleep 30m, sleep off")
        case .beyondEnd: self.init(.invalidArgument, error.description, hint: "choose a time before its end")
        case .shuttingDown: self.init(.unavailable, error.description)
        }
    }

    private init(_ failure: ChapterFailure) {
        switch failure {
        case .noChapters, .lastChapter: self.init(.conflict, failure.description)
        case .noSuchNumber, .noMatch:
            self.init(.notFound, failure.description, hint: "'podcastctl chapters' lists them")
        case .severalMatch:
            self.init(.invalidArgument, failure.description, hint: "use the number or more of the title")
        }
    }

    private init(_ failure: ChoiceFailure) {
        let (code, hint): (Code, String?) =
            switch failure {
            case .noConditions: (.invalidArgument, "write them after the colon: filter:is:unplayed")
            case .noPlaylist: (.notFound, "see 'podcastctl playlists'")
            case .tooMany: (.invalidArgument, "use filter:CONDITIONS that match fewer")
            case .emptyView: (.notFound, nil)
            case .unsupportedURL: (.invalidArgument, "podcast-play plays files")
            case .emptyFeed: (.feedFailed, nil)
            case .noContext: (.invalidArgument, "choose a feed or a playlist")
            case .nothingUnplayed: (.notFound, "choose one of its episodes")
            }
        self.init(code, failure.description, hint: hint)
    }

    /// A failed run of podcast-refresh, with its message unless there is a better one.
    init(_ outcome: RefreshOutcome, _ message: String? = nil) {
        // The exit statuses of sysexits.h that the program uses.
        let code: Code =
            switch outcome.status {
            case 74: .storageFailed
            case 75: .unavailable
            case nil: .internalError
            default: .feedFailed
            }
        // A server that refuses for good and a document that is not a feed have the same code.
        self.init(code, message ?? outcome.complaint, status: outcome.status == 69 ? 69 : nil)
    }
}
