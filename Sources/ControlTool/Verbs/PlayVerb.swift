internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension Play: PlaybackVerb {
    private static let wait = OptionDeclaration(
        flag: "wait", "w",
        help: "Wait until the episode has ended, was stopped, or another one plays; the status tells whether it failed."
    )

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(wait) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        if let what = command.what, HandedFile.isPath(what) { command.what = try HandedFile.episode(what, view) }
        let answer = try view.wireAnswer(to: command, isLong: isLong)
        let reply = PlayerStateReply(json: answer)
        let isPatient = line.parsed.isSet(wait)
        let failure = try reply.flatMap { (reply) throws(ToolFailure) in
            try outcome(of: reply, view, isPatient: isPatient)
        }
        if let failure {
            _ = try line.printForProgram(answer, Reply.members)
            throw failure
        }
        let status = try finish(answer, view)
        guard isPatient, status == .success, let episode = reply?.chosen ?? reply?.episode?.id else {
            return status
        }
        try line.streams.output.flush()
        if let failure = try end(of: episode, view) { throw failure }
        return .success
    }

    static func show(_ reply: PlayerStateReply, _ view: View) throws(ToolFailure) {
        if let queued = reply.queued { try view.line("queued \(counted(queued, "episode"))") }
        if let note = reply.note { try view.line(note) }
        try view.showPlayback()
    }

    /// The failure of the episode that was asked for; nil if it plays, or if `isPatient` and it still may.
    private static func outcome(
        of reply: PlayerStateReply, _ view: View, isPatient: Bool
    ) throws(ToolFailure) -> ToolFailure? {
        guard let episode = reply.chosen ?? reply.episode?.id else { return nil }
        let isOther = reply.episode?.id != episode
        guard reply.state != .playing && reply.state != .paused || isOther else { return nil }
        return try StartedSound.episode(episode).failure(view, isPatient: isPatient)
    }

    /// Waits until the episode is over, however it ends; an interrupt leaves it to the daemon. Nil unless it failed.
    private static func end(of episode: EpisodeID, _ view: View) throws(ToolFailure) -> ToolFailure? {
        view.connection.timeout = nil
        let snapshot = try view.call(SubscribeStatus { $0.parts = [.player] })
        var player = snapshot.parts[.player].flatMap { PlayerReply(json: $0) } ?? PlayerReply()
        while player.state != .stopped && player.episode?.id == episode {
            // What was reported before the snapshot is older than it.
            guard case .changed(let change)? = try view.nextEvent(), change.sequence > snapshot.sequence,
                let value = PlayerReply(json: change.value)
            else { continue }
            player = value
        }
        return StartedSound.episode(episode).failure(player)
    }
}

/// The sound that a command has started.
enum StartedSound {
    case episode(EpisodeID)
    case message

    /// How long to wait for a file that loads, so that a cause that is known soon becomes the exit status.
    private static let patience = Duration.seconds(3)
    /// The same for its first sound: a sound device that is missing is known then.
    private static let soundPatience = Duration.seconds(1)

    /// Waits until it is loaded or has failed.
    /// - Parameter isPatient: whether the caller waits for an episode that still loads.
    /// - Returns: nil if it plays, or if `isPatient` and it still may.
    func failure(_ view: View, isPatient: Bool) throws(ToolFailure) -> ToolFailure? {
        let (deadline, soundDeadline) = (Instant.now + Self.patience, Instant.now + Self.soundPatience)
        let snapshot = try view.call(SubscribeStatus { $0.parts = [.player] })
        var player = snapshot.parts[.player].flatMap { PlayerReply(json: $0) } ?? PlayerReply()
        while isPending(player),
            let event = try view.nextEvent(until: player.state == .loading ? deadline : soundDeadline)
        {
            if case .changed(let change) = event, let value = PlayerReply(json: change.value) { player = value }
        }
        return isPatient && isPending(player) ? nil : failure(player)
    }

    private func isCurrent(_ player: PlayerReply) -> Bool {
        switch self {
        case .episode(let id): player.episode?.id == id
        case .message: player.announcement != nil
        }
    }

    /// Whether it loads, or the episode failed and its successor is not named yet.
    private func isPending(_ player: PlayerReply) -> Bool {
        guard player.state == .loading || player.state == .buffering else { return false }
        if isCurrent(player) { return true }
        if case .episode = self { return player.episode?.title == nil }
        return false
    }

    func failure(_ player: PlayerReply) -> ToolFailure? {
        // Played by itself or by another client, and failed or not: only what this episode came to matters.
        let isOver = player.state == .stopped || !isCurrent(player)
        guard isOver || player.state == .loading, let cause = isOver ? player.error : player.reason else { return nil }
        // A host that has not answered yet may still do so.
        guard let status = player.errorStatus ?? (isOver ? nil : 75) else { return nil }
        let isAtRest = player.state == .stopped || player.state == .paused
        let next = isAtRest ? nil : player.episode?.title
        return ToolFailure(
            ExitStatus(rawValue: Int32(clamping: status)) ?? .unavailable,
            player.errorStatus == nil ? "still loading: \(cause)" : cause,
            hint: isOver ? next.map { "continuing with '\(SafeText.line($0))'" } : "the daemon keeps trying")
    }
}
