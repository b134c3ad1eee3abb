internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension Play: PlaybackVerb {
    /// How long to wait for an episode that loads, so that a cause that is known soon becomes the exit status.
    private static let patience = Duration.seconds(3)
    /// The same for its first sound: a sound device that is missing is known then.
    private static let soundPatience = Duration.seconds(1)

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        if let what = command.what, HandedFile.isPath(what) { command.what = try HandedFile.episode(what, view) }
        let answer = try view.wireAnswer(to: command, isLong: isLong)
        let reply = PlayerStateReply(json: answer)
        let failure = try reply.flatMap { (reply) throws(ToolFailure) in try outcome(of: reply, view) }
        if let failure {
            _ = try line.printForProgram(answer, Reply.members)
            throw failure
        }
        return try finish(answer, view)
    }

    static func show(_ reply: PlayerStateReply, _ view: View) throws(ToolFailure) {
        if let queued = reply.queued { try view.line("queued \(counted(queued, "episode"))") }
        if let note = reply.note { try view.line(note) }
        try GetStatus.show(try view.call(GetStatus()), view)
    }

    /// Waits until the episode is loaded or has failed; nil if it plays, or still may.
    private static func outcome(of reply: PlayerStateReply, _ view: View) throws(ToolFailure) -> ToolFailure? {
        guard let episode = reply.chosen ?? reply.episode?.id else { return nil }
        let isOther = reply.episode?.id != episode
        guard reply.state != .playing && reply.state != .paused || isOther else { return nil }
        let (deadline, soundDeadline) = (Instant.now + patience, Instant.now + soundPatience)
        do throws(ClientFailure) {
            let snapshot = try view.connection.call(SubscribeStatus { $0.parts = [.player] })
            var player = snapshot.parts[.player].flatMap { PlayerReply(json: $0) } ?? PlayerReply()
            while isPending(player, episode),
                let event = try view.connection.nextEvent(until: player.state == .loading ? deadline : soundDeadline)
            {
                if case .changed(let change) = event, let value = PlayerReply(json: change.value) { player = value }
            }
            return failure(of: player, episode)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Whether the episode loads, or it failed and its successor is not named yet.
    private static func isPending(_ player: PlayerReply, _ episode: EpisodeID) -> Bool {
        (player.state == .loading || player.state == .buffering)
            && (player.episode?.id == episode || player.episode?.title == nil)
    }

    private static func failure(of player: PlayerReply, _ episode: EpisodeID) -> ToolFailure? {
        // Played by itself or by another client, and failed or not: only what this episode came to matters.
        let isOver = player.state == .stopped || player.episode?.id != episode
        guard isOver || player.state == .loading, let status = player.errorStatus,
            let cause = isOver ? player.error : player.reason
        else { return nil }
        let next = player.state == .stopped ? nil : player.episode?.title
        return ToolFailure(
            ExitStatus(rawValue: Int32(clamping: status)) ?? .unavailable, cause,
            hint: isOver ? next.map { "continuing with '\(SafeText.line($0))'" } : "the daemon keeps trying")
    }
}
