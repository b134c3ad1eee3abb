internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// A call of `playback.play` that also searches or sets the speed, as several commands of the daemon. A value without I/O.
struct PlaySequence {
    enum Step: Equatable {
        case call(method: String, params: JSONValue?)
        /// All is done; the result of the call.
        case end(JSONValue)
        /// Why the call failed.
        case fail(String)
    }

    private var search: [JSONValue.Member]?
    private var play: [JSONValue.Member]
    private var speed: JSONValue?
    private var played: JSONValue?

    /// Nil for arguments of the daemon's command alone.
    init?(_ arguments: JSONValue?) {
        guard case .object(let members)? = arguments else { return nil }
        let ofSearch = ["search", "feed", "order"]
        play = members.filter { !ofSearch.contains($0.name) && $0.name != "speed" }
        speed = arguments?["speed"]
        if arguments?["search"] != nil, arguments?["what"] == nil {
            search = members.filter { ofSearch.contains($0.name) } + [.init("limit", 1)]
            if arguments?["order"] == nil { search?.append(.init("order", "newest")) }
        }
        if search == nil, speed == nil { return nil }
    }

    /// The first command, or the command after a successful one.
    mutating func next(after result: JSONValue?) -> Step {
        if result == nil, let refusal { return .fail(refusal) }
        if let search {
            guard let result else { return .call(method: ListEpisodes.name, params: .object(search)) }
            guard let id = result["episodes"]?.arrayValue?.first?["id"]?.integerValue else {
                return .fail("no episode is found; try other words, or feeds_list to see which podcasts there are")
            }
            play.insert(.init("what", "e\(id)"), at: 0)
            self.search = nil
            return .call(method: Play.name, params: .object(play))
        }
        guard let result else { return .call(method: Play.name, params: .object(play)) }
        if let speed, played == nil {
            played = result
            return .call(method: SetSpeed.name, params: ["speed": speed])
        }
        guard let speed else { return .end(result) }
        return .end(playing(.init("speed", speed)) ?? result)
    }

    /// The result of the call if the episode plays and only the speed was refused; nil if nothing plays.
    func result(speedRefused why: String) -> JSONValue? { playing(.init("speedError", why)) }

    private func playing(_ speed: JSONValue.Member) -> JSONValue? {
        guard case .object(let members)? = played else { return nil }
        return .object(members.filter { $0.name != "speed" } + [speed])
    }

    /// Why no daemon accepts the speed; nil for a valid speed.
    private var refusal: String? {
        guard let speed else { return nil }
        do throws(ControlError) {
            _ = try SetSpeed(params: ["speed": speed])
            return nil
        } catch {
            return GatewayTool.text(of: .refused(error))
        }
    }
}
