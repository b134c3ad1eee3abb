internal import ControlLanguage
internal import ControlProtocol
internal import EpisodeCache
internal import Library
internal import LineServing
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

/// Files that clients hand over as descriptors, and bytes of episodes for clients.
struct FilesHandler {
    let decisions: DecisionThread
    let now: @Sendable () -> Timestamp
    let handed: HandedFiles
    let files: LocalFiles
    let access: MediaAccess
    let reader: EpisodeReader
    let player: Player
    let library: LibraryService
    let changes: ChangeBoard

    // Both take the descriptor when the command begins; later the descriptor would be closed.

    var announcement: AnsweredCommand {
        decisions.answer(beginning: { (_: Announce, caller) in handed.take(from: caller.connection) }, announce)
    }

    var answers: [AnsweredCommand] {
        [
            decisions.answer(
                beginning: { (_: HandOverFile, caller) throws(ControlError) in
                    if let file = handed.take(from: caller.connection) { return file }
                    throw ControlError(
                        .invalidArgument, "no file came with the request", hint: "send its descriptor with SCM_RIGHTS")
                }, addEpisode), decisions.answer(readEpisode),
        ]
    }

    private func announce(_ request: Announce, _ file: OpenFile?) async throws -> PlayerStateReply {
        var url = request.what
        if let file {
            url = try Self.checked(file, request.what).url
            files.keep(file, as: url)
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
        files.keep(file, as: url)
        changes.changed(.feeds)
        changes.episodesChanged([episode.id], .content)
        return EpisodeReply(listing: episode)
    }

    private func readEpisode(_ request: ReadEpisode) async throws -> EpisodeBytesReply {
        guard let id = request.id ?? player.status.entry?.episode else {
            throw ControlError(.conflict, "no episode is current", hint: "give the id of an episode")
        }
        let enclosure = try await library.episode(id, noting: access).enclosure
        return try await reader.read(request, of: enclosure.url, announcedType: enclosure.type)
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
