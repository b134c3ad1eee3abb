internal import ControlLanguage
internal import ControlProtocol
internal import ControlSocket
internal import EpisodeCache
internal import Library
internal import LibraryUpkeep
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

extension DaemonParts {
    /// Takes the descriptor when the command begins; later the descriptor would be closed.
    var fileAnswer: AnsweredCommand {
        AnsweredCommand { [self] (request: HandOverFile, caller) in
            guard let file = handed.take(from: caller.connection) else {
                return .error(
                    ControlError(
                        .invalidArgument, "no file came with the request", hint: "send its descriptor with SCM_RIGHTS"))
            }
            return decisions.later { [self] in try await keep(file, request) }
        }
    }

    private func keep(_ file: OpenFile, _ request: HandOverFile) async throws -> EpisodeReply {
        guard request.path.hasPrefix("/") else {
            throw ControlError(.invalidArgument, "the path must be absolute, not '\(SafeText.line(request.path))'")
        }
        guard file.isReadOnly else {
            throw ControlError(.invalidArgument, "the descriptor must be opened only for reading")
        }
        let status = try FileStatus(of: file.raw)
        guard status.isRegular else {
            throw ControlError(.invalidArgument, "\(SafeText.line(request.path)): not a regular file")
        }
        let url = FileAddress.url(of: request.path)
        guard StoredLimits.isStorable(url: url) else {
            throw ControlError(.invalidArgument, "the path is longer than \(StoredLimits.urlBytes) bytes as a URL")
        }
        let now = now()
        let episode = try await library.perform { store in
            let id = try store.episodes.looseEpisode(url: url, title: nil, link: nil, length: status.size, at: now)
            return try store.episodes.episode(id)
        }
        media.files.keep(file, as: url)
        changes.changed(.feeds)
        changes.episodesChanged([episode.id], .content)
        return EpisodeReply(listing: episode)
    }
}
