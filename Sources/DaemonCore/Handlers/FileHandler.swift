internal import ControlLanguage
internal import ControlProtocol
internal import EpisodeCache
internal import Library
internal import LineServing
internal import Playback
internal import PodcastModel
internal import SystemCalls

/// Answers the commands with which a client may hand over a file as a descriptor.
extension DaemonParts {
    // Both take the descriptor when the command begins; later the descriptor would be closed.

    var announceAnswer: AnsweredCommand {
        decisions.answer(
            beginning: { [handed] (_: Announce, caller) in handed.take(from: caller.connection) }, announce)
    }

    var fileAnswer: AnsweredCommand {
        decisions.answer(
            beginning: { [handed] (_: HandOverFile, caller) throws(ControlError) in
                if let file = handed.take(from: caller.connection) { return file }
                throw ControlError(
                    .invalidArgument, "no file came with the request", hint: "send its descriptor with SCM_RIGHTS")
            }, addEpisode)
    }

    private func announce(_ request: Announce, _ file: OpenFile?) async throws -> PlayerStateReply {
        var url = request.what
        if let file {
            url = try Self.checked(file, request.what).url
            media.files.keep(file, as: url)
        } else if WebAddress.isWeb(url) {
            access.noteNamed(url)
        } else {
            throw ControlError(
                .invalidArgument,
                "announce needs an audio file's path or URL, not '\(SafeText.line(request.what, atMost: 200))'",
                hint: "such as ./doorbell.mp3 or https://example.org/doorbell.mp3")
        }
        let path = request.what.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last.flatMap { SafeText.title(String($0)) }
        try await player.announce(url: url, title: name ?? "message", volume: request.volume)
        return PlayerStateReply(player.status)
    }

    private func addEpisode(_ request: HandOverFile, of file: OpenFile) async throws -> EpisodeReply {
        let (url, size) = try Self.checked(file, request.path)
        guard StoredLimits.isStorable(url: url) else {
            throw ControlError(.invalidArgument, "the path is longer than \(StoredLimits.urlBytes) bytes as a URL")
        }
        let now = now()
        let episode = try await library.perform {
            try $0.episodes.episode($0.episodes.looseEpisode(url: url, title: nil, link: nil, length: size, at: now))
        }
        media.files.keep(file, as: url)
        changes.changed(.feeds)
        changes.episodesChanged([episode.id], .content)
        return EpisodeReply(listing: episode)
    }

    private static func checked(_ file: OpenFile, _ path: String) throws -> (url: String, size: Int64) {
        guard path.hasPrefix("/") else {
            throw ControlError(.invalidArgument, "the path must be absolute, not '\(SafeText.line(path))'")
        }
        guard file.isReadOnly else {
            throw ControlError(.invalidArgument, "the descriptor must be opened only for reading")
        }
        let status = try FileStatus(of: file.raw)
        guard status.isRegular else {
            throw ControlError(.invalidArgument, "\(SafeText.line(path)): not a regular file")
        }
        return (FileAddress.url(of: path), status.size)
    }
}
