internal import ControlProtocol
internal import Playback
internal import PodcastModel

/// Answers `playback`.
struct PlaybackHandler: CommandHandler {
    let decisions: DecisionThread
    let player: Player
    let chooser: PlayChooser
    let acts: ListenerActs
    let spoken: SpokenHandler

    func answer(_ call: CommandCall) -> CommandAnswer {
        let player = player
        switch call.command(of: PlaybackCommand.self) {
        case .play?: return play(call)
        case .pause?: return afterwards { try await player.pause() }
        case .toggle?: return afterwards { try await player.toggle() }
        case .stop?: return afterwards { try await player.stop() }
        case .next?: return afterwards { try await player.next() }
        case .previous?: return afterwards { try await player.previous() }
        case .seek?: return seek(call.parameters)
        case .volume?: return volume(call.parameters)
        case .undo?: return decisions.answer { [acts] in UndoneReply(try await acts.undo()) }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func play(_ call: CommandCall) -> CommandAnswer {
        let what = call.parameters.text("what")
        let position = call.parameters.time("position")
        let said = call.parameters.text("said")
        let mayAddFeeds = call.caller.permission >= .admin
        return afterwards { [player, chooser, spoken] in
            var start: MediaTime?
            switch position {
            case .absolute(let time)?: start = time
            case .relative?:
                throw ControlError(.invalidArgument, "a beginning is no relative time", hint: "say it without + or -")
            case nil: start = nil
            }
            if said != nil, position != nil || what == nil {
                throw ControlError(
                    .invalidArgument, "said needs an episode and no position", hint: "play EPISODE --said TEXT")
            }
            if let what {
                let entry = try await chooser.entry(for: what, mayAddFeeds: mayAddFeeds)
                if let said { start = try await spoken.time(of: said, in: entry.episode) }
                try await player.play(entry, at: start)
            } else {
                try await player.resume()
                if let start { try await player.seek(.absolute(start)) }
            }
        }
    }

    private func seek(_ parameters: Parameters) -> CommandAnswer {
        switch (parameters.time("time"), parameters.text("said")) {
        case (let time?, nil): return moved { [acts] in try await acts.seek(to: time) }
        case (nil, let said?):
            return moved { [acts, player, spoken] in
                let status = player.status
                guard let episode = status.entry?.episode else { throw PlayerError.nothingPlaying }
                let time = try await spoken.time(of: said, in: episode, after: status.position)
                return try await acts.seek(to: .absolute(time))
            }
        case (nil, nil), (_?, _?):
            return .error(
                ControlError(
                    .invalidParameters, "seek needs either a time or what is said there",
                    hint: "seek +30, or seek --said TEXT"))
        }
    }

    private func volume(_ parameters: Parameters) -> CommandAnswer {
        let player = player
        let level = parameters.integer("level").map(Int.init)
        let change = parameters.integer("change").map(Int.init)
        guard (level == nil) != (change == nil) else {
            return .error(
                ControlError(.invalidArgument, "volume takes either a level or a change", hint: "50, +5 or -5"))
        }
        return decisions.answer {
            await player.setVolume(level ?? player.status.volume + (change ?? 0))
            return VolumeReply(player.status.volume)
        }
    }

    /// Answers with the state that a command led to.
    private func afterwards(_ work: @escaping @Sendable () async throws -> Void) -> CommandAnswer {
        let player = player
        return decisions.answer {
            do {
                try await work()
            } catch let error as PositionNotSaved {
                throw ControlError(done: PlayerReply.State(player.status.state).rawValue, error)
            }
            return PlayerStateReply(PlayerReply.State(player.status.state))
        }
    }

    /// Answers with the position that a seek led to.
    private func moved(_ work: @escaping @Sendable () async throws -> MediaTime) -> CommandAnswer {
        let player = player
        return decisions.answer {
            do {
                return PositionReply(try await work())
            } catch let error as PositionNotSaved {
                throw ControlError(done: "moved to \(player.status.position)", error)
            }
        }
    }
}
