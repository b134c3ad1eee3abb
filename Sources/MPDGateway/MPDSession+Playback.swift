internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDSession {
    func executePlayback(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .play: try play(arguments.first.flatMap { $0 == "-1" ? nil : $0 }.map(position(of:)))
        case .playid: try play(arguments.first.flatMap { $0 == "-1" ? nil : $0 }.map(position(ofID:)))
        case .pause: try pause(arguments.first.map(MPDArgument.flag))
        case .stop: change(Stop())
        case .next: change(PlayNext())
        // As in MPD, the first entry begins again: the one that was heard before it must not come back into the queue.
        case .previous where currentPosition == 0: change(Seek { $0.time = .absolute(.zero) })
        case .previous: change(PlayPrevious())
        case .seek: try seek(try position(of: arguments[0]), arguments[1])
        case .seekid: try seek(try position(ofID: arguments[0]), arguments[1])
        case .seekcur:
            let time = try MPDArgument.seek(arguments[0])
            change(Seek { $0.time = time })
        case .setvol:
            let level = try MPDArgument.integer(arguments[0], 0...100)
            change(SetVolume { $0.level = level })
        case .volume:
            let amount = try MPDArgument.integer(arguments[0], -100...100)
            change(SetVolume { $0.change = amount })
        case .getvol: finish(Self.lines([("volume", "\(service.model.player.volume)")]))
        default: try executeOption(command, arguments)
        }
    }

    private func play(_ position: Int?) {
        change(Play { $0.what = position.map { "#\($0 + 1)" } })
    }

    private func pause(_ isWanted: Bool?) {
        let state = service.model.player.state
        switch isWanted {
        case nil where state == .stopped: finish()
        case nil: change(TogglePlayback())
        case true? where state != .stopped && state != .paused: change(Pause())
        case false? where state == .paused: change(Play())
        case .some: finish()
        }
    }

    private func seek(_ position: Int, _ text: String) throws(MPDError) {
        let time = try MPDArgument.time(text)
        if position == currentPosition, service.model.player.state != .stopped {
            change(Seek { $0.time = .absolute(time) })
        } else {
            change(
                Play {
                    $0.what = "#\(position + 1)"
                    $0.position = .absolute(time)
                })
        }
    }

    private func executeOption(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .random: try refuse(arguments[0], "there is no random order; 'shuffle' orders the queue at random once")
        case .repeat: try refuse(arguments[0], "podcasts are not repeated")
        case .single:
            switch arguments[0] {
            case "0" where !service.model.player.endsAfterEpisode: finish()
            case "1" where service.model.player.endsAfterEpisode: finish()
            case "oneshot" where service.model.player.endsAfterEpisode: finish()
            case "0": change(SetSleepTimer { $0.when = "off" })
            case "1", "oneshot": change(SetSleepTimer { $0.when = "end-of-episode" })
            default: throw MPDError(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
            }
        case .consume:
            let isConsuming = try MPDArgument.flag(arguments[0])
            if isConsuming != service.keepsPlayed { return finish() }
            try set("queue.keep_played", to: isConsuming ? "no" : "yes")
        case .crossfade:
            if try MPDArgument.integer(arguments[0]) != 0 {
                throw MPDError(.argument, "episodes are not faded into each other")
            }
            finish()
        case .mixrampdb, .mixrampdelay:
            // Clients restore these at their start. Without crossfading MPD ignores them too.
            finish()
        case .replayGainMode: try setLoudness(arguments[0])
        default: finish(Self.lines([("replay_gain_mode", service.adjustsLoudness ? "track" : "off")]))
        }
    }

    private func refuse(_ flag: String, _ why: String) throws(MPDError) {
        if try MPDArgument.flag(flag) { throw MPDError(.argument, why) }
        finish()
    }

    /// Replay gain makes songs equally loud; here the loudness of speech is measured.
    private func setLoudness(_ mode: String) throws(MPDError) {
        guard ["off", "track", "album", "auto"].contains(mode) else {
            throw MPDError(.argument, "Unrecognized replay gain mode")
        }
        if service.adjustsLoudness != (mode == "off") { return finish() }
        try set("playback.loudness", to: mode == "off" ? "off" : "-16")
    }

    /// Clients take an error of permission for a question for the password, so there is none: who may play may not change settings.
    private func set(_ key: String, to value: String) throws(MPDError) {
        if permission ?? .read < .admin {
            throw MPDError(
                .argument,
                "this is podcastd's setting \(key), which needs the permission admin; change it with: podcastctl settings "
                    + "\(key) \(value)")
        }
        alter(
            SetSetting {
                $0.key = key
                $0.value = value
            }
        ) { [weak self] _ in self?.service.readSettings { self?.finish() } }
    }

    // MARK: positions

    /// The position that an argument names, if it exists.
    func position(of argument: String) throws(MPDError) -> Int {
        let position = try MPDArgument.integer(argument)
        guard service.library.entries.indices.contains(position) else {
            throw MPDError(.argument, "Bad song index")
        }
        return position
    }

    /// The position of the entry that an argument names.
    func position(ofID argument: String) throws(MPDError) -> Int {
        guard let position = service.library.position(ofEntry: try MPDArgument.integer(argument)) else {
            throw .noSuchSong
        }
        return position
    }
}
