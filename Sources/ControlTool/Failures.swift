internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

extension ToolFailure {
    /// A failed call as the user sees it.
    init(_ failure: ClientFailure) {
        switch failure {
        case .notRunning(let path):
            let isOfSystem = path == StandardFolders.systemSocket && Self.hasNoFolderForSockets
            let command = isOfSystem ? "sudo systemctl" : "systemctl --user"
            let start =
                Machine().isBootedBySystemd ? "start it with '\(command) start podcastd', or " : ""
            let other =
                "; if yours runs, set XDG_RUNTIME_DIR as where it was started, or name its socket with --socket"
            self.init(
                .unavailable, failure.message,
                hint: "\(start)run 'podcastd'" + (isOfSystem ? other : ""))
        case .forbidden(let path):
            self.init(
                .noPermission, "\(failure.message): \(Self.missing(for: path))", hint: Self.remedy(forbidden: path))
        case .refused(let error):
            let status = error.status.flatMap(ExitStatus.init(wire:)) ?? Self.status(of: error.code)
            // The message names a single candidate already.
            let isOne = error.candidates.count == 1
            self.init(status, failure.message, candidates: isOne ? [] : error.candidates, hint: error.hint)
        case .closed: self.init(.unavailable, failure.message)
        case .timedOut: self.init(.tryAgain, failure.message, hint: "is podcastd stopped or very busy?")
        case .protocolFault: self.init(.protocolFault, failure.message)
        case .system: self.init(.ioError, failure.message)
        }
    }

    /// Whether it is unknown where a daemon of this user would have its socket.
    private static var hasNoFolderForSockets: Bool {
        CurrentProcess.variable("XDG_RUNTIME_DIR") == nil && SocketDiscovery.runtimeFolder == nil
    }

    /// What is missing: search permission of a folder on the way, or write permission of the socket itself.
    private static func missing(for path: String) -> String {
        var folder = path
        var closed: String?
        while folder != "/", folder != "." {
            folder = StoredFile.folder(of: folder)
            if !FileAccess.execute.isAllowed(folder) { closed = folder }
        }
        return closed.map { "you may not enter \($0)" } ?? "you may not write to this socket"
    }

    private static func remedy(forbidden path: String) -> String {
        let name = CurrentProcess.variable("USER") ?? CurrentProcess.variable("LOGNAME") ?? "NAME"
        if path == StandardFolders.systemSocket {
            return "sudo adduser \(name) podcastd, then log in again; see podcastd(8)"
        }
        return
            "the user of that daemon can write 'users = \(name)=control' below [control] in podcastd.conf and restart it; "
            + "the socket's folder must belong to a group that you are in, see podcastd(8)"
    }

    private static func status(of code: ControlError.Code) -> ExitStatus {
        switch code {
        case .parseError, .invalidRequest: .protocolFault
        // podcastctl sends declared commands only, so the daemon is of another version.
        case .methodNotFound: .unavailable
        case .invalidParameters, .invalidArgument: .usage
        case .internalError: .software
        case .notFound: .noInput
        case .notPermitted: .noPermission
        case .conflict, .feedFailed: .badData
        case .unavailable: .tryAgain
        case .mediaFailed, .storageFailed: .ioError
        }
    }
}

extension FailureReply {
    /// The status to exit with. A failure without a status is temporary.
    var exitStatus: ExitStatus { status.flatMap(ExitStatus.init(wire:)) ?? .tryAgain }
}

extension ExitStatus {
    /// The status that the daemon names; nil for a number that this program does not use.
    init?(wire status: Int) { self.init(rawValue: Int32(clamping: status)) }
}
