internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import LibraryUpkeep
internal import Playback
internal import PodcastModel
internal import Queueing
internal import SerialThreads

// What two podcastds of a listener share besides subscriptions and positions.

extension DaemonParts {
    private static let speed = "playback.speed"

    func sharedState(_ request: ListSharedState) async throws -> SharedStateReply {
        var reply = SharedStateReply()
        reply.rows = try await library.read { try $0.shared.rows() }
        reply.rows.append(SharedRow(.setting, Self.speed, settings.current.settings[Self.speed]))
        // The server shortens texts in a reply that is too long, so that the rows would differ from those of this library.
        guard reply.json.bytes.count < Outgoing.maximumLine - Outgoing.errorReserve else {
            throw ControlError(.conflict, "\(reply.rows.count) rows are too many to share", hint: "shorten the queue")
        }
        return reply
    }

    func applySharedState(_ request: ApplySharedState) async throws -> EmptyReply {
        let (from, to) = (request.from.compactMap(SharedRow.init(json:)), request.to.compactMap(SharedRow.init(json:)))
        guard from.count == request.from.count, to.count == request.to.count else {
            throw ControlError(.invalidArgument, "some of the rows cannot be read")
        }
        let (now, status) = (now(), player.status)
        let busy = status.state.isPlaying ? status.entry?.episode : nil
        try await library.perform {
            try $0.shared.apply(from: from, to: to, of: request.device, except: busy, at: now)
        }
        let (speed, current) = (SharedRow(.setting, Self.speed).key, settings.current.settings[Self.speed])
        if let wanted = to.byKey[speed]?.value, wanted != current, from.byKey[speed]?.value == current {
            try await changeSetting(Self.speed, to: wanted, as: .speed, title: "all feeds")
        }
        let kinds = Set((from + to).map(\.kind))
        if !kinds.isDisjoint(with: [.rule, .retention]) { changes.changed(.rules) }
        if kinds.contains(.retention) { decisions.start { [self] in await applyRules() } }
        if kinds.contains(.playlist) { changes.changed(.playlists) }
        if !kinds.isDisjoint(with: [.star, .note, .bookmark, .queue]) { changes.episodesChanged(nil) }
        if !kinds.isDisjoint(with: [.tag, .feedSetting]) { changes.changed(.feeds) }
        try await queue.reload()
        await refreshSound()
        return EmptyReply()
    }
}
