internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// A call of `playback.play` that also searches for its episode or sets the speed: several commands of the daemon, one after
/// another. A value without I/O.
struct PlaySequence {
    enum Step: Equatable {
        case call(method: String, params: JSONValue)
        /// All is done; the result of the call.
        case end(JSONValue)
        case fail(Failure)
    }

    struct Failure: Error, Equatable {
        var text: String
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

    /// The first command, or the next one after one that has succeeded.
    mutating func next(after result: JSONValue?) -> Step {
        if let search {
            guard let result else { return .call(method: ListEpisodes.name, params: .object(search)) }
            guard let id = result["episodes"]?.arrayValue?.first?["id"]?.integerValue else {
                return .fail(
                    Failure(text: "no episode is found; try other words, or feeds_list to see which podcasts there are")
                )
            }
            play.insert(.init("what", .string("e\(id)")), at: 0)
            self.search = nil
            return .call(method: Play.name, params: .object(play))
        }
        guard let result else { return .call(method: Play.name, params: .object(play)) }
        if let speed, played == nil {
            played = result
            return .call(method: SetSpeed.name, params: .object([.init("speed", speed)]))
        }
        guard let played, case .object(var members) = played, let speed else { return .end(result) }
        members.removeAll { $0.name == "speed" }
        return .end(.object(members + [.init("speed", speed)]))
    }
}
