internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// The response to a request of snapserver, by Snapcast's stream plugin interface
/// (Snapcast's `doc/json_rpc_api/stream_plugin.md`).
enum SnapcastAction: Equatable {
    case result(JSONValue)
    /// A number of JSON-RPC 2.0, and a text for users.
    case fault(Int64, String)
    /// A command of the daemon; the request is answered when it is done.
    case command(method: String, params: JSONValue?)
}

extension MPRISState {
    func snapcastProperties(at now: Instant) -> JSONValue {
        snapcastFacts.adding("position", player.position(at: now)?.seconds)
    }

    /// Everything but the position.
    private var snapcastFacts: JSONValue {
        JSONValue(omittingNulls: [
            "playbackStatus": status.rawValue.lowercased(), "loopStatus": "none", "shuffle": false,
            "volume": min(100, player.volume), "rate": rate, "canControl": canControl, "canPlay": canPlay,
            "canPause": canPause, "canSeek": canSeek, "canGoNext": canGoNext, "canGoPrevious": canGoPrevious,
            "metadata": snapcastMetadata,
        ])
    }

    private var snapcastMetadata: JSONValue? {
        guard let playing = player.episode else { return nil }
        return JSONValue(omittingNulls: [
            "trackId": playing.entry.rawValue.description, "title": title, "artist": show.map { [$0] }, "album": show,
            "duration": player.duration?.seconds, "contentCreated": row?.published.description,
            "artData": cover.map { JSONValue(members: ["data": $0, "extension": "jpg"]) },
        ])
    }

    /// Whether snapserver must get another report: something has changed, or the position has jumped.
    func differs(from told: MPRISState, at now: Instant) -> Bool {
        let position = player.position(at: now) ?? .zero
        let expected = told.player.position(at: now) ?? .zero
        return snapcastFacts != told.snapcastFacts || abs(position.seconds - expected.seconds) > 0.5
    }

    // MARK: requests

    func action(for method: String, _ params: JSONValue?, at now: Instant) -> SnapcastAction {
        switch method {
        case "Plugin.Stream.Player.GetProperties": .result(snapcastProperties(at: now))
        case "Plugin.Stream.Player.Control": control(params?["command"]?.stringValue ?? "", params?["params"])
        case "Plugin.Stream.Player.SetProperty": set(params)
        case _: .fault(-32_601, "there is no method \(SafeText.line(method))")
        }
    }

    private func control(_ command: String, _ params: JSONValue?) -> SnapcastAction {
        switch command {
        case "play": status == .playing ? .result("ok") : call(Play())
        case "pause": status == .playing ? call(Pause()) : .result("ok")
        case "playPause": call(TogglePlayback())
        case "stop": call(Stop())
        case "next": call(PlayNext())
        case "previous": call(PlayPrevious())
        case "seek": seek(params?["offset"]?.numberValue) { .relative($0) }
        case "setPosition": seek(params?["position"]?.numberValue) { .absolute($0) }
        case _: .fault(-32_602, "there is no command \(SafeText.line(command))")
        }
    }

    private func seek(_ seconds: Double?, _ target: (MediaTime) -> TimeArgument) -> SnapcastAction {
        let longest = 10.0 * 365 * 86_400
        guard let seconds, abs(seconds) < longest else { return .fault(-32_602, "the time is not a number of seconds") }
        return call(Seek { $0.time = target(MediaTime(nanoseconds: Int64(seconds * 1e9))) })
    }

    private func set(_ params: JSONValue?) -> SnapcastAction {
        if let volume = params?["volume"]?.numberValue {
            return call(SetVolume { $0.level = Int(min(max(volume, 0), 100).rounded()) })
        }
        // Snapserver passes numbers of single precision.
        if let rate = params?["rate"]?.numberValue { return call(SetSpeed { $0.speed = (rate * 20).rounded() / 20 }) }
        if params?["shuffle"]?.boolValue == true { return call(ShuffleQueue()) }
        if params?["shuffle"] != nil || params?["loopStatus"]?.stringValue == "none" { return .result("ok") }
        return .fault(-32_602, "podcastd sets volume, rate and shuffle only")
    }

    private func call(_ command: some Command) -> SnapcastAction {
        .command(method: type(of: command).name, params: command.params)
    }
}
