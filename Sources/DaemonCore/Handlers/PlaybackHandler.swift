internal import ControlLanguage
internal import ControlProtocol
internal import PlayChoosing
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import UserActions
internal import WireMapping

/// Answers `playback`.
struct PlaybackHandler: CommandHandler {
    let decisions: DecisionThread
    let player: Player
    let chooser: PlayChooser
    let actions: PlaybackActions
    let spoken: SpokenHandler

    var answers: [AnsweredCommand] {
        PlaybackSection.commands.answered(
            by: decisions.answer(play), changing { try await $0.pause() }, changing { try await $0.toggle() },
            changing { try await $0.stop() }, changing { try await $0.next() }, changing { try await $0.previous() },
            decisions.answer(seek), decisions.answer(setVolume),
            decisions.answer { [actions] _ in UndoneReply(try await actions.undo()) })
    }

    /// A command without parameters that is answered with the new state.
    private func changing<Answered: Command>(
        _ work: @escaping @Sendable (Player) async throws -> Void
    ) -> CommandFunction<Answered> where Answered.Reply == PlayerStateReply {
        decisions.answer { _ in try await reached { try await work(player) } }
    }

    private func reached(_ work: () async throws -> Void) async throws -> PlayerStateReply {
        do {
            try await work()
        } catch let error as PositionNotSaved {
            throw ControlError(done: PlayerReply.State(player.status.state).rawValue, error)
        }
        return PlayerStateReply(PlayerReply.State(player.status.state))
    }

    private func moved(_ seek: () async throws -> MediaTime) async throws -> PositionReply {
        do {
            return PositionReply(try await seek())
        } catch let error as PositionNotSaved {
            throw ControlError(done: "moved to \(player.status.position)", error)
        }
    }

    private func play(_ request: Play, _ caller: Caller) async throws -> PlayerStateReply {
        var start: MediaTime?
        switch request.position {
        case .absolute(let time)?: start = time
        case .relative?:
            throw ControlError(.invalidArgument, "the start must be an absolute time", hint: "write it without + or -")
        case nil: start = nil
        }
        if request.said != nil, request.position != nil || request.what == nil {
            throw ControlError(
                .invalidArgument, "'said' needs an episode and cannot be combined with a position",
                hint: "play EPISODE --said TEXT")
        }
        return try await reached {
            if let what = request.what {
                let entry = try await chooser.entry(for: what, mayAddFeeds: caller.permission >= .admin)
                if let said = request.said { start = try await spoken.time(of: said, in: entry.episode) }
                try await player.play(entry, at: start)
            } else {
                try await player.resume()
                if let start { try await player.seek(.absolute(start)) }
            }
        }
    }

    private func seek(_ request: Seek) async throws -> PositionReply {
        switch (request.time, request.said) {
        case (let time?, nil): return try await moved { try await actions.seek(to: time) }
        case (nil, let said?):
            let status = player.status
            guard let episode = status.entry?.episode else { throw PlayerError.nothingPlaying }
            let time = try await spoken.time(of: said, in: episode, after: status.position)
            return try await moved { try await actions.seek(to: .absolute(time)) }
        case (nil, nil), (_?, _?):
            throw ControlError(
                .invalidParameters, "seek needs either a time or a text",
                hint: "seek +30, or seek --said TEXT")
        }
    }

    private func setVolume(_ request: SetVolume) async throws -> VolumeReply {
        guard (request.level == nil) != (request.change == nil) else {
            throw ControlError(.invalidArgument, "volume needs either a level or a change", hint: "50, +5 or -5")
        }
        await player.setVolume(request.level ?? player.status.volume + (request.change ?? 0))
        return VolumeReply(player.status.volume)
    }
}
