internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

extension Play: CommandVerb {
    private static let wait = OptionDeclaration(
        flag: "wait", "w",
        help:
            "Wait until the episode has ended (status 0), was stopped (1), or another one plays (2); any other status tells why it failed."
    )

    static let options = [wait]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var command = self
        if let what = command.what, HandedFile.isPath(what) { command.what = try HandedFile.episode(what, view) }
        let reply = try view.call(command)
        let isPatient = view.isSet(Self.wait)
        if let failure = try Self.outcome(of: reply, view, isPatient: isPatient) {
            view.printForProgram(reply.json, Reply.members)
            throw failure
        }
        let status = try finish(reply, view)
        guard isPatient, let episode = reply.chosen ?? reply.episode?.id else { return status }
        try view.output.flush()
        return try Self.end(of: episode, view)
    }

    /// The failure of the requested episode; nil if the episode plays, or if `isPatient` and the episode still loads.
    private static func outcome(
        of reply: PlayerStateReply, _ view: View, isPatient: Bool
    ) throws(ToolFailure) -> ToolFailure? {
        guard let episode = reply.chosen ?? reply.episode?.id else { return nil }
        let isOther = reply.episode?.id != episode
        guard reply.state != .playing && reply.state != .paused || isOther else { return nil }
        return try StartedSound.episode(episode).failure(view, isPatient: isPatient)
    }

    /// Timeouts for a restarted daemon to answer, and to continue playback.
    private static let absence = Duration.seconds(60)
    private static let start = Duration.seconds(5)
    /// How long the library may take to mark an episode after the player has left it.
    private static let markTime = Duration.seconds(1)

    /// Waits until the episode has ended, was stopped or replaced, also while the daemon restarts. The daemon continues after an
    /// interrupt.
    private static func end(of episode: EpisodeID, _ view: View) throws(ToolFailure) -> ExitStatus {
        let client = ControlConnection(reconnectingTo: view.socket)
        client.watch([.player])
        var player: PlayerReply?
        var deadline: Instant?
        while let event = try mapError(of: client.nextEvent(until: deadline), ToolFailure.init) {
            switch event {
            case .greeted: continue
            case .lost:
                player = nil
                deadline = .now + absence
            case .snapshot(let snapshot): player = snapshot.parts[.player].flatMap { PlayerReply(json: $0) }
            case .changed(let change): player = PlayerReply(json: change.value) ?? player
            }
            guard let now = player else { continue }
            let isOver = now.announcement == nil && (now.state == .stopped || now.episode?.id != episode)
            if isOver, deadline == nil { break }
            deadline = isOver ? min(deadline ?? .distantFuture, .now + start) : nil
        }
        guard let player else { throw ToolFailure(.unavailable, "podcastd has ended and does not return") }
        if let failure = StartedSound.episode(episode).failure(player) { throw failure }
        let limit = Instant.now + markTime
        while !(try mapError(of: wasHeard(episode, client), ToolFailure.init)) {
            if .now >= limit { return player.state == .stopped ? .stopped : .replaced }
            waitForDescriptors(readable: -1, until: .now + .milliseconds(50))
        }
        return .success
    }

    /// Whether an episode was heard to its end: it is then played and has no position.
    private static func wasHeard(_ episode: EpisodeID, _ client: ControlConnection) throws(ClientFailure) -> Bool {
        let state = try client.call(GetEpisodes { $0.ids = [episode] }).rows.first?.episode.state
        return state.map { $0.isPlayed && $0.position == .zero } ?? false
    }
}

extension Announce: CommandVerb {
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var command = self
        var file: OpenFile?
        // Nothing but a file or a URL is announced.
        if !what.contains("://") { (file, command.what) = try HandedFile.message(what) }
        let reply = try view.call(command, file: file)
        if let failure = try StartedSound.message.failure(view, isPatient: false) {
            view.printForProgram(reply.json, Reply.members)
            throw failure
        }
        return try finish(reply, view)
    }
}

enum StartedSound {
    case episode(EpisodeID)
    case message

    /// Time to wait while a file loads, so that a failure within this time becomes the exit status.
    private static let patience = Duration.seconds(3)
    /// Time to wait for the file's first sound, by which a missing sound device is known.
    private static let soundPatience = Duration.seconds(1)

    /// Waits until the sound has started or failed.
    /// - Parameter isPatient: whether the caller waits for an episode that still loads.
    /// - Returns: nil if the sound plays, or if `isPatient` and the sound still loads.
    func failure(_ view: View, isPatient: Bool) throws(ToolFailure) -> ToolFailure? {
        let deadline = Instant.now + Self.patience
        let soundDeadline = Instant.now + Self.soundPatience
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

    /// Whether the sound loads, or the episode failed and its successor is not named yet.
    private func isPending(_ player: PlayerReply) -> Bool {
        guard player.state == .loading || player.state == .buffering else { return false }
        if isCurrent(player) { return true }
        if case .episode = self { return player.episode?.title == nil }
        return false
    }

    func failure(_ player: PlayerReply) -> ToolFailure? {
        // Whatever plays next, only the outcome of this episode matters.
        let isOver = player.state == .stopped || !isCurrent(player)
        guard isOver || player.state == .loading, let cause = isOver ? player.error : player.reason else { return nil }
        // A host that has not answered yet may still do so.
        guard let status = player.errorStatus ?? (isOver ? nil : 75) else { return nil }
        let isAtRest = player.state == .stopped || player.state == .paused
        let next = isAtRest ? nil : player.episode?.title
        return ToolFailure(
            ExitStatus(wire: status) ?? .unavailable, player.errorStatus == nil ? "still loading: \(cause)" : cause,
            hint: isOver ? next.map { "continuing with '\(SafeText.line($0))'" } : "the daemon keeps trying")
    }
}
