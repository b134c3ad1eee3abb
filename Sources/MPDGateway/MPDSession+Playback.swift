internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDCommand {
    static let playback: [MPDCommand] = [
        // MPD's old clients send -1 for no entry.
        MPDCommand("play", 0...1) { $0.play(try $1.first { $0 != "-1" }.map($0.position(of:))) },
        MPDCommand("playid", 0...1) { $0.play(try $1.first { $0 != "-1" }.map($0.position(ofID:))) },
        MPDCommand("pause", 0...1) { $0.pause(try $1.first.map(MPDArgument.flag)) },
        MPDCommand("stop", readsModel: false) { $0.change(Stop()) },
        MPDCommand("next", readsModel: false) { $0.change(PlayNext()) },
        MPDCommand("previous") { $0.playPrevious() },
        MPDCommand("seek", 2...2) { try $0.seek($0.position(of: $1[0]), $1[1]) },
        MPDCommand("seekid", 2...2) { try $0.seek($0.position(ofID: $1[0]), $1[1]) },
        MPDCommand("seekcur", 1...1) { session, words in
            let time = try MPDArgument.seek(words[0])
            session.change(Seek { $0.time = time })
        },
        MPDCommand("setvol", 1...1, readsModel: false) { session, words in
            let level = try MPDArgument.integer(words[0], 0...100)
            session.change(SetVolume { $0.level = level })
        },
        MPDCommand("volume", 1...1, readsModel: false) { session, words in
            let amount = try MPDArgument.integer(words[0], -100...100)
            session.change(SetVolume { $0.change = amount })
        },
        MPDCommand("getvol", .read) { session in
            session.finish([("volume", "\(session.service.model.player.volume)")])
        },
    ]

    static let options: [MPDCommand] = [
        MPDCommand("random", 1...1) { session, words in
            try session.refuse(words[0], "there is no random order; 'shuffle' orders the queue at random once")
        },
        MPDCommand("repeat", 1...1) { try $0.refuse($1[0], "podcasts are not repeated") },
        MPDCommand("single", 1...1) { try $0.endAfter($1[0]) },
        MPDCommand("consume", 1...1) { session, words in
            let isConsuming = try MPDArgument.flag(words[0])
            if isConsuming != session.service.keepsPlayed { return session.finish() }
            try session.set("queue.keep_played", to: isConsuming ? "no" : "yes")
        },
        MPDCommand("crossfade", 1...1) { session, words in
            if try MPDArgument.integer(words[0]) != 0 {
                throw MPDError.argument("episodes are not faded into each other")
            }
            session.finish()
        },
        MPDCommand("replay_gain_mode", 1...1) { try $0.setLoudness($1[0]) },
        MPDCommand("replay_gain_status", .read) { session in
            session.finish([("replay_gain_mode", session.service.adjustsLoudness ? "track" : "off")])
        },
    ]
}

extension MPDSession {
    fileprivate func play(_ position: Int?) { change(Play { $0.what = position.map { "#\($0 + 1)" } }) }

    fileprivate func playPrevious() {
        // As in MPD, the first entry begins again: the entry that was played before must not come back into the queue.
        currentPosition == 0 ? change(Seek { $0.time = .absolute(.zero) }) : change(PlayPrevious())
    }

    fileprivate func pause(_ isWanted: Bool?) {
        let state = service.model.player.state
        switch isWanted {
        case nil where state == .stopped: finish()
        case nil: change(TogglePlayback())
        case true? where state != .stopped && state != .paused: change(Pause())
        case false? where state == .paused: change(Play())
        case .some: finish()
        }
    }

    fileprivate func seek(_ position: Int, _ text: String) throws(MPDError) {
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

    /// MPD's option `single` is the sleep timer that ends with the episode.
    fileprivate func endAfter(_ mode: String) throws(MPDError) {
        guard ["0", "1", "oneshot"].contains(mode) else {
            throw .argument("Unrecognized single mode, expected 0, 1, or oneshot")
        }
        let ends = mode != "0"
        if ends == service.model.player.endsAfterEpisode { return finish() }
        change(SetSleepTimer { $0.when = ends ? "end-of-episode" : "off" })
    }

    fileprivate func refuse(_ flag: String, _ why: String) throws(MPDError) {
        if try MPDArgument.flag(flag) { throw .argument(why) }
        finish()
    }

    /// Replay gain makes songs equally loud; podcastd measures the loudness of speech instead.
    fileprivate func setLoudness(_ mode: String) throws(MPDError) {
        guard ["off", "track", "album", "auto"].contains(mode) else {
            throw .argument("Unrecognized replay gain mode")
        }
        if service.adjustsLoudness != (mode == "off") { return finish() }
        try set("playback.loudness", to: mode == "off" ? "off" : "-16")
    }

    /// Sets a setting of the daemon. A missing permission is another error here, because clients would ask for a password.
    fileprivate func set(_ key: String, to value: String) throws(MPDError) {
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
        ) { session, _ in
            session.service.readSettings { session.finish() }
        }
    }
}
