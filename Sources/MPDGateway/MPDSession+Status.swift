internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import LineServing
internal import PodcastModel
internal import SystemCalls

extension MPDCommand {
    static let status: [MPDCommand] = [
        MPDCommand("clearerror") { $0.finish() },
        MPDCommand("ping", nil) { $0.finish() },
        MPDCommand("status", .read) { $0.finish($0.status) },
        MPDCommand("currentsong", .read) { session in
            var answer = MPDAnswer()
            if let position = session.currentPosition {
                session.service.library.write(position, session.tags, to: &answer)
            }
            session.finish(answer)
        },
        MPDCommand("stats", .read) { $0.writeStatistics() },
        MPDCommand("commands", nil) { $0.writeCommands(areAllowed: true) },
        MPDCommand("notcommands", nil) { $0.writeCommands(areAllowed: false) },
        MPDCommand("urlhandlers", nil) { session in
            session.finish(["http://", "https://"].map { ("handler", $0) })
        },
        MPDCommand("decoders", .read) { $0.finish(decoderLines) },
        MPDCommand("tagtypes", 0...most, nil) { session, words in
            if words.isEmpty {
                let tags = MPDTag.allCases.filter(session.tags.tags.contains)
                return session.finish(tags.map { ("tagtype", $0.rawValue) })
            }
            try session.tags.change(words)
            session.finish()
        },
        MPDCommand("password", 1...1, nil) { session, words in try session.logIn(words[0]) },
        MPDCommand("binarylimit", 1...1, nil) { session, words in
            session.binaryLimit = try MPDArgument.integer(words[0], 64...(1 << 20))
            session.finish()
        },
    ]

    private static let decoderLines = [
        ("plugin", "mpg123"), ("suffix", "mp3"), ("mime_type", "audio/mpeg"), ("plugin", "ffmpeg"), ("suffix", "m4a"),
        ("suffix", "aac"), ("suffix", "opus"), ("suffix", "ogg"), ("suffix", "flac"), ("suffix", "wav"),
        ("mime_type", "audio/mp4"), ("mime_type", "audio/aac"), ("mime_type", "audio/ogg"), ("mime_type", "audio/flac"),
        ("mime_type", "audio/wav"),
    ]

    static let outputs: [MPDCommand] = [
        MPDCommand("outputs", .read) { session in
            var answer = MPDAnswer()
            for (index, output) in session.service.model.outputs.enumerated() {
                answer.add("outputid", index)
                answer.add("outputname", output.name)
                answer.add("plugin", String(output.specification.prefix { $0 != ":" }))
                answer.add("outputenabled", output.isEnabled ? 1 : 0)
                answer.add("attribute", "volume=\(output.volume)")
                answer.add("attribute", "delay=\(output.delay)")
            }
            session.finish(answer)
        },
        MPDCommand("enableoutput", 1...1) { $0.switchOutput(try $0.output($1[0]), on: true) },
        MPDCommand("disableoutput", 1...1) { $0.switchOutput(try $0.output($1[0]), on: false) },
        MPDCommand("toggleoutput", 1...1) { session, words in
            let output = try session.output(words[0])
            session.switchOutput(output, on: !output.isEnabled)
        },
        MPDCommand("outputset", 3...3) { session, words in
            let output = try session.output(words[0])
            switch words[1] {
            case "volume":
                let volume = try MPDArgument.integer(words[2])
                session.change(
                    SetOutputVolume {
                        $0.name = output.name
                        $0.volume = volume
                    })
            case "delay":
                session.change(
                    SetOutputDelay {
                        $0.name = output.name
                        $0.delay = words[2]
                    })
            case let other: throw MPDError.argument("an output has volume and delay, not \(other)")
            }
        },
    ]
}

extension MPDSession {
    fileprivate var status: MPDAnswer {
        let player = service.model.player
        let library = service.library
        var answer = MPDAnswer()
        answer.add([
            ("volume", "\(player.volume)"), ("repeat", "0"), ("random", "0"),
            ("single", player.endsAfterEpisode ? "oneshot" : "0"), ("consume", service.keepsPlayed ? "0" : "1"),
            ("partition", "default"), ("playlist", "\(library.version)"),
            ("playlistlength", "\(library.entries.count)"), ("state", player.stateName),
        ])
        if let position = currentPosition {
            answer.add("song", position)
            answer.add("songid", library.entries[position].id)
        }
        if player.state != .stopped { writePlayback(player, to: &answer) }
        if let next = currentPosition.map({ $0 + 1 }), library.entries.indices.contains(next),
            player.upcoming.next.map({ $0.id == library.entries[next].episode }) ?? false
        {
            answer.add("nextsong", next)
            answer.add("nextsongid", library.entries[next].id)
        }
        if let update = service.update { answer.add("updating_db", update) }
        if let error = player.error { answer.add("error", error) }
        return answer
    }

    private func writePlayback(_ player: PlayerReply, to answer: inout MPDAnswer) {
        if let position = player.position(at: .now) {
            let total = player.duration.map { "\(Int($0.seconds.rounded()))" } ?? "0"
            answer.add("time", "\(Int(position.seconds)):\(total)")
            answer.add("elapsed", position)
        }
        if let duration = player.duration { answer.add("duration", duration) }
        if let audio = player.audio {
            if let bitRate = audio.bitRate { answer.add("bitrate", (bitRate + 500) / 1000) }
            let samples = ["int16": "16", "int32": "32", "float32": "f"][audio.samples] ?? "*"
            answer.add("audio", "\(audio.rate):\(samples):\(audio.channels)")
        }
    }

    fileprivate func writeStatistics() {
        ask(GetStatistics()) { session, reply in
            let feeds = session.service.library.feeds.filter { $0.episodeCount > 0 }
            session.finish([
                ("artists", "\(feeds.count)"), ("albums", "\(feeds.count)"),
                ("songs", "\(feeds.reduce(0) { $0 + $1.episodeCount })"), ("uptime", "\(session.service.uptime)"),
                ("db_playtime", "\(Int(reply.libraryDuration.seconds))"),
                ("db_update", "\(feeds.compactMap(\.health.lastSuccess).max()?.seconds ?? 0)"),
                ("playtime", "\(Int(reply.total.heard.seconds))"),
            ])
        }
    }

    fileprivate func writeCommands(areAllowed: Bool) {
        let commands = MPDCommand.all.filter { $0.isAllowed(to: permission) == areAllowed }.map(\.name)
        let names = commands + (areAllowed ? MPDCommand.ofConversation : [])
        finish(names.sorted().map { ("command", $0) })
    }

    fileprivate func logIn(_ password: String) throws(MPDError) {
        let seconds = service.logins.check(from: connection.peer.account.description, at: .now) {
            [settings = service.settings] in
            settings.permission(of: password)
        } done: { [weak self] granted in
            guard let self else { return }
            guard let granted else { return finish(.failure(MPDError(.password, "incorrect password"))) }
            permission = max(granted, permission ?? granted)
            finish()
        }
        if let seconds { throw MPDError(.password, "too many wrong passwords; wait \(seconds) s") }
    }

    // MARK: outputs

    fileprivate func output(_ argument: String) throws(MPDError) -> OutputReply {
        let index = try MPDArgument.integer(argument)
        let outputs = service.model.outputs
        guard outputs.indices.contains(index) else { throw MPDError(.noSuchObject, "No such audio output") }
        return outputs[index]
    }

    fileprivate func switchOutput(_ output: OutputReply, on isEnabled: Bool) {
        let name = output.name
        isEnabled ? change(EnableOutput { $0.name = name }) : change(DisableOutput { $0.name = name })
    }
}

// MARK: the player as MPD shows it

extension PlayerReply {
    /// A position that differs by more than this from the position where it would be without a seek shows a seek.
    private static let jump = MediaTime(milliseconds: 1_500)

    /// What `idle` reports of the difference between two states of the player.
    func changes(since before: PlayerReply) -> MPDSubsystems {
        var changes: MPDSubsystems = []
        if volume != before.volume { changes.insert(.mixer) }
        if endsAfterEpisode != before.endsAfterEpisode { changes.insert(.options) }
        if stateName != before.stateName || episode?.entry != before.episode?.entry || error != before.error
            || duration != before.duration || episode?.title != before.episode?.title || hasJumped(from: before)
        {
            changes.insert(.player)
        }
        return changes
    }

    private func hasJumped(from before: PlayerReply) -> Bool {
        guard let position, let expected = before.position(at: instant) else { return position != nil }
        return (position - expected).nanoseconds.magnitude > Self.jump.nanoseconds
    }

    var stateName: String {
        switch state {
        case .stopped: "stop"
        case .paused: "pause"
        case .loading, .buffering, .playing: "play"
        }
    }

    /// Whether playback ends with the current episode: MPD's `single oneshot`.
    var endsAfterEpisode: Bool { sleep?.end == .episode && sleep?.episodes ?? 1 <= 1 }
}
