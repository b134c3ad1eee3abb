internal import ControlLanguage
internal import ControlProtocol
internal import ControlSocket
internal import EpisodeCache
internal import FeedFiles
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

extension DaemonParts {
    /// Takes the descriptor when the command begins; later the descriptor would be closed.
    var announceAnswer: AnsweredCommand {
        AnsweredCommand { [self] (request: Announce, caller) in
            let file = handed.take(from: caller.connection)
            return decisions.later { [self] in try await announce(request, file) }
        }
    }

    private func announce(_ request: Announce, _ file: OpenFile?) async throws -> PlayerStateReply {
        let url = try file.map { try keep($0, request.what) } ?? request.what
        guard file != nil || WebAddress.isWeb(url) else {
            throw ControlError(
                .invalidArgument,
                "announce needs an audio file's path or URL, not '\(SafeText.line(request.what, atMost: 200))'",
                hint: "such as ./doorbell.mp3 or https://example.org/doorbell.mp3")
        }
        if file == nil { access.noteNamed(url) }
        let path = request.what.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last.flatMap { SafeText.title(String($0)) }
        try await player.announce(url: url, title: name ?? "message", volume: request.volume)
        return PlayerStateReply(player.status)
    }

    private func keep(_ file: OpenFile, _ path: String) throws -> String {
        guard path.hasPrefix("/") else {
            throw ControlError(.invalidArgument, "the path must be absolute, not '\(SafeText.line(path))'")
        }
        guard file.isReadOnly else {
            throw ControlError(.invalidArgument, "the descriptor must be opened only for reading")
        }
        guard try FileStatus(of: file.raw).isRegular else {
            throw ControlError(.invalidArgument, "\(SafeText.line(path)): not a regular file")
        }
        let url = FileAddress.url(of: path)
        media.files.keep(file, as: url)
        return url
    }
}
