internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import LineServing
internal import PodcastModel
internal import SystemCalls

extension MPDSession {
    func executeStatus(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .clearerror, .ping: finish()
        case .status: finish(status)
        case .currentsong:
            var answer = MPDAnswer()
            if let position = currentPosition { service.library.write(position, tags, to: &answer) }
            finish(answer)
        case .stats: writeStatistics()
        case .commands, .notcommands: finish(commandNames(areAllowed: command == .commands))
        case .urlhandlers: finish(Self.lines(["http://", "https://"].map { ("handler", $0) }))
        case .decoders: finish(Self.decoders)
        case .tagtypes:
            if arguments.isEmpty {
                finish(Self.lines(MPDTag.allCases.filter(tags.tags.contains).map { ("tagtype", $0.rawValue) }))
            } else {
                try tags.change(arguments)
                finish()
            }
        case .config:
            guard case .local = connection.peer else {
                throw MPDError(.permission, "Command only permitted to local clients")
            }
            finish()
        case .kill: throw MPDError(.permission, "stop podcast-mpd with the service manager")
        case .password: try logIn(arguments[0])
        case .binarylimit:
            binaryLimit = try MPDArgument.integer(arguments[0], 64...(1 << 20))
            finish()
        default: try executeOutput(command, arguments)
        }
    }

    static func lines(_ lines: [(String, String)]) -> MPDAnswer {
        var answer = MPDAnswer()
        for (name, value) in lines { answer.add(name, value) }
        return answer
    }

    /// The position of the current entry, from 0.
    var currentPosition: Int? {
        guard let index = service.model.queue.index, service.library.entries.indices.contains(index - 1) else {
            return nil
        }
        return index - 1
    }

    var status: MPDAnswer {
        let (player, library) = (service.model.player, service.library)
        var answer = MPDAnswer()
        answer.add("volume", player.volume)
        answer.add("repeat", false)
        answer.add("random", false)
        answer.add("single", player.endsAfterEpisode ? "oneshot" : "0")
        answer.add("consume", !service.keepsPlayed)
        answer.add("partition", "default")
        answer.add("playlist", library.version)
        answer.add("playlistlength", library.entries.count)
        answer.add("mixrampdb", "0")
        answer.add("state", player.stateName)
        if let position = currentPosition {
            answer.add("song", position)
            answer.add("songid", library.entries[position].id)
        }
        if player.state != .stopped, let position = player.position(at: .now) {
            let total = player.duration.map { "\(Int($0.seconds.rounded()))" } ?? "0"
            answer.add("time", "\(Int(position.seconds)):\(total)")
            answer.add("elapsed", position)
        }
        if player.state != .stopped, let duration = player.duration { answer.add("duration", duration) }
        if player.state != .stopped, let audio = player.audio {
            if let bitRate = audio.bitRate { answer.add("bitrate", (bitRate + 500) / 1000) }
            let samples = ["int16": "16", "int32": "32", "float32": "f"][audio.samples] ?? "*"
            answer.add("audio", "\(audio.rate):\(samples):\(audio.channels)")
        }
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

    private func writeStatistics() {
        ask(GetStatistics()) { [weak self] reply in
            guard let self else { return }
            let feeds = service.library.feeds.filter { $0.episodeCount > 0 }
            var answer = MPDAnswer()
            answer.add("artists", feeds.count)
            answer.add("albums", feeds.count)
            answer.add("songs", feeds.reduce(0) { $0 + $1.episodeCount })
            answer.add("uptime", service.uptime)
            answer.add("db_playtime", 0)
            answer.add("db_update", feeds.compactMap(\.health.lastSuccess).max()?.seconds ?? 0)
            answer.add("playtime", Int(reply.total.heard.seconds))
            finish(answer)
        }
    }

    private func commandNames(areAllowed: Bool) -> MPDAnswer {
        var names = areAllowed ? MPDCommand.ofConversation : []
        for command in MPDCommand.allCases {
            let isAllowed = command.permission.map { needed in permission.map { $0 >= needed } ?? false } ?? true
            if isAllowed == areAllowed { names.append(command.rawValue) }
        }
        return Self.lines(names.sorted().map { ("command", $0) })
    }

    private static let decoders = lines([
        ("plugin", "mpg123"), ("suffix", "mp3"), ("mime_type", "audio/mpeg"), ("plugin", "ffmpeg"), ("suffix", "m4a"),
        ("suffix", "aac"), ("suffix", "opus"), ("suffix", "ogg"), ("suffix", "flac"), ("suffix", "wav"),
        ("mime_type", "audio/mp4"), ("mime_type", "audio/aac"), ("mime_type", "audio/ogg"), ("mime_type", "audio/flac"),
        ("mime_type", "audio/wav"),
    ])

    private func logIn(_ password: String) throws(MPDError) {
        let address = connection.peer.address
        if let seconds = service.failures.wait(for: address, at: .now) {
            throw MPDError(.password, "too many wrong passwords; wait \(seconds) s")
        }
        // It counts before the answer is known, so that passwords at the same time count too.
        service.failures.failed(address, at: .now)
        let isChecking = service.logins.check { [settings = service.settings] in
            settings.permission(of: password)
        } done: { [weak self, service] granted in
            if granted != nil { service.failures.succeeded(address) }
            guard let self else { return }
            guard let granted else { return finish(.failure(MPDError(.password, "incorrect password"))) }
            permission = max(granted, permission ?? granted)
            finish()
        }
        if !isChecking { throw MPDError(.password, "too many passwords at the same time; try again") }
    }

    // MARK: outputs

    private func executeOutput(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        let outputs = service.model.outputs
        if command == .outputs {
            var answer = MPDAnswer()
            for (index, output) in outputs.enumerated() {
                answer.add("outputid", index)
                answer.add("outputname", output.name)
                answer.add("plugin", String(output.specification.prefix { $0 != ":" }))
                answer.add("outputenabled", output.isEnabled)
            }
            return finish(answer)
        }
        let index = try MPDArgument.integer(arguments[0])
        guard outputs.indices.contains(index) else { throw MPDError(.noSuchObject, "No such audio output") }
        let output = outputs[index]
        switch command {
        case .outputset: throw MPDError(.argument, "this output has no attributes")
        case .enableoutput: change(EnableOutput { $0.name = output.name })
        case .toggleoutput where !output.isEnabled: change(EnableOutput { $0.name = output.name })
        default: change(DisableOutput { $0.name = output.name })
        }
    }
}
