internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import SessionBus

enum MPRISAction: Equatable {
    case reply([BusValue])
    case fail(BusFault)
    /// A command of the daemon; the call is answered without values when it is done.
    case command(method: String, params: JSONValue?)
    /// Play a URL.
    case openURL(String)
    /// Play the local file with this path.
    case openFile(String)
}

extension MPRISState {
    /// What a method call of the player's object needs. Calls that cannot have an effect, such as `SetPosition` for a track that
    /// plays no longer, are answered without one, as the specification says.
    func action(for interface: String, _ member: String, _ arguments: [BusValue], at now: Instant) -> MPRISAction {
        let known = [MPRISInterface.introspectable, .propertyAccess] + MPRISInterface.all
        // A caller may leave the interface out.
        let candidates = known.filter { interface.isEmpty || $0.name == interface }
        if candidates.isEmpty { return .fail(.unknownInterface("there is no interface \(interface)")) }
        for candidate in candidates {
            guard let method = candidate.methods.first(where: { $0.name == member }) else { continue }
            guard method.signature == arguments.map(\.signature) else {
                return .fail(.invalidArguments("\(member) has the arguments '\(method.signature.joined())'"))
            }
            return later(now).action(candidate.name, member, arguments)
        }
        return .fail(.unknownMethod("there is no method \(member)"))
    }

    private func action(_ interface: String, _ member: String, _ arguments: [BusValue]) -> MPRISAction {
        switch (interface, member) {
        case (MPRISInterface.introspectable.name, _): return .reply([.string(MPRISInterface.introspection)])
        case (MPRISInterface.propertyAccess.name, _): return propertyAction(member, arguments)
        case (MPRISInterface.player.name, _): return playerAction(member, arguments)
        case _: return .reply([])
        }
    }

    private func command(_ command: some Command) -> MPRISAction {
        if permission == nil { return .fail(.failed("podcastd is not running")) }
        return .command(method: type(of: command).name, params: command.params)
    }

    // MARK: properties

    private func propertyAction(_ member: String, _ arguments: [BusValue]) -> MPRISAction {
        guard case .string(let name)? = arguments.first else { return .fail(.invalidArguments("no interface")) }
        guard let interface = MPRISInterface.all.first(where: { $0.name == name }) else {
            return .fail(.unknownInterface("there is no interface \(name)"))
        }
        if member == "GetAll" {
            return .reply([.dictionary(interface.properties.map { BusMember($0.name, $0.value(self)) })])
        }
        guard case .string(let name) = arguments[1],
            let property = interface.properties.first(where: { $0.name == name })
        else { return .fail(.unknownProperty("unknown property")) }
        if member == "Get" { return .reply([.variant(property.value(self))]) }
        guard case .variant(let value) = arguments[2], value.signature == property.signature else {
            return .fail(.invalidArguments("\(name) has the type '\(property.signature)'"))
        }
        guard property.isWritable else { return .fail(.readOnly("\(name) cannot be set")) }
        return settingAction(name, value)
    }

    private func settingAction(_ name: String, _ value: BusValue) -> MPRISAction {
        switch (name, value) {
        case ("Volume", .double(let volume)):
            guard !volume.isNaN else { return .fail(.invalidArguments("the volume is not a number")) }
            return command(SetVolume { $0.level = Int((min(max(volume, 0), 1) * 100).rounded()) })
        case ("Rate", .double(let rate)):
            // The specification: "If it is set to 0.0, the media player should act as though Pause was called."
            if rate == 0 { return playerAction("Pause", []) }
            guard rate.isFinite else { return .fail(.invalidArguments("the rate is not a number")) }
            return command(SetSpeed { $0.speed = rate })
        case ("Shuffle", .bool(let isOn)): return isOn ? command(ShuffleQueue()) : .reply([])
        case ("LoopStatus", .string("None")): return .reply([])
        case _: return .fail(.notSupported("podcastd does not repeat episodes"))
        }
    }

    // MARK: the player

    private func playerAction(_ member: String, _ arguments: [BusValue]) -> MPRISAction {
        switch (member, arguments.first) {
        case ("OpenUri", .string(let uri)?):
            guard let action = Self.opening(uri) else {
                return .fail(.notSupported("the URI must begin with http://, https:// or file:///"))
            }
            return permission == nil ? command(Play()) : action
        case _ where permission == nil || !canControl:
            // The daemon says why not.
            return command(Pause())
        case ("Play", _): return canPlay && status != .playing ? command(Play()) : .reply([])
        case ("Pause", _): return status == .playing ? command(Pause()) : .reply([])
        case ("PlayPause", _): return canPlay ? command(TogglePlayback()) : .reply([])
        case ("Stop", _): return status == .stopped ? .reply([]) : command(Stop())
        case ("Next", _): return canGoNext ? command(PlayNext()) : .reply([])
        case ("Previous", _): return canGoPrevious ? command(PlayPrevious()) : .reply([])
        case ("Seek", .int64(let offset)?):
            guard canSeek, offset != 0 else { return .reply([]) }
            return command(Seek { $0.time = .relative(Self.time(offset)) })
        case ("SetPosition", .path(let path)?):
            guard canSeek, case .int64(let position) = arguments[1], position >= 0,
                let entry = player.episode?.entry, MPRISTrack.path(entry) == path,
                let duration = player.duration, Self.time(position) <= duration
            else { return .reply([]) }
            return command(Seek { $0.time = .absolute(Self.time(position)) })
        case _: return .reply([])
        }
    }

    /// - Parameter microseconds: more than ten years are ten years.
    private static func time(_ microseconds: Int64) -> MediaTime {
        let longest: Int64 = 10 * 365 * 86_400 * 1_000_000
        return MediaTime(nanoseconds: min(max(microseconds, -longest), longest) * 1000)
    }

    private static func opening(_ uri: String) -> MPRISAction? {
        guard SafeText.isOneLine(uri) else { return nil }
        if FileAddress.isFile(uri) { return FileAddress.path(of: uri).map { .openFile($0) } }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", uri.dropFirst(scheme.count).hasPrefix("://") else { return nil }
        return .openURL(uri)
    }
}
