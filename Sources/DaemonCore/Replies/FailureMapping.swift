internal import ControlLanguage
internal import DaemonState
internal import Library
internal import Queueing
internal import Refreshing

extension ControlError {
    init(_ failure: ChoiceFailure) {
        switch failure {
        case .noConditions:
            self.init(.invalidArgument, failure.description, hint: "write them after the colon: filter:is:unplayed")
        case .noPlaylist: self.init(.notFound, failure.description, hint: "see 'podcastctl playlists'")
        case .tooMany:
            self.init(.invalidArgument, failure.description, hint: "use filter:CONDITIONS that match fewer")
        case .emptyView: self.init(.notFound, failure.description)
        case .unsupportedURL: self.init(.invalidArgument, failure.description, hint: "podcast-play plays files")
        case .emptyFeed: self.init(.feedFailed, failure.description)
        case .noContext:
            self.init(.invalidArgument, failure.description, hint: "choose a feed or a playlist")
        case .unplayable: self.init(.mediaFailed, failure.description, status: 65)
        case .nothingUnplayed: self.init(.notFound, failure.description, hint: "choose one of its episodes")
        }
    }

    init(_ failure: MissingEntry) { self.init(.notFound, failure.description) }

    init(_ failure: SettingsWriteFailure) {
        self.init(.storageFailed, failure.description, hint: "the setting is unchanged; fix the cause and try again")
    }

    init(_ failure: NothingToUndo) {
        self.init(
            .conflict, failure.description,
            hint: "changes of the library and the queue can be undone, until 50 others came after them")
    }

    init(_ failure: TurnedMeanwhile) {
        self.init(.conflict, failure.description, hint: "'undo' once more undoes the change before it", status: 75)
    }

    init(_ failure: FinalAct) {
        self.init(
            .conflict, failure.description,
            hint: "nothing was changed; 'undo' once more undoes the change before it")
    }

    init(_ failure: RefreshFailure) {
        switch failure {
        case .cannotRun:
            self.init(.unavailable, failure.description, hint: "is it installed in the directory of podcastd?")
        case .invalidOutput: self.init(.internalError, failure.description)
        }
    }

    /// A failed run of podcast-refresh, with its message unless there is a better one.
    init(_ outcome: RefreshOutcome, _ message: String? = nil) {
        // The exit statuses of sysexits.h that the program uses.
        let code: Code =
            switch outcome.status {
            case 74: .storageFailed
            case 75: .unavailable
            default: .feedFailed
            }
        // A server that refuses for good and a document that is not a feed have the same code.
        self.init(code, message ?? outcome.complaint, status: outcome.status == 69 ? 69 : nil)
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
