internal import JSON
internal import Playback
internal import PodcastModel

/// What the next start of the daemon restores of the player; queue and positions are in the library.
struct PlayerSession: Equatable, Sendable {
    /// Percentage.
    var volume = 100
    /// Names of the outputs that the user disabled.
    var disabledOutputs: [String] = []
    /// The boot during which it last played or tried to; nil if it was paused or stopped.
    var playingBoot: String?
    var sleep: StoredSleep?
    /// Nil if the queue plays.
    var context: PlayContext?

    init() {}

    /// Reads what `text` wrote; nil if it is not a session.
    init?(parsing text: [UInt8]) {
        guard let value = text.withUnsafeBytes({ try? JSONValue(parsing: $0) }), case .object = value else {
            return nil
        }
        if let stored = value["volume"]?.integerValue { volume = Int(min(max(stored, 0), 100)) }
        disabledOutputs = (value["disabledOutputs"]?.arrayValue ?? []).compactMap(\.stringValue)
        playingBoot = value["playingBoot"]?.stringValue
        context = value["context"].flatMap(PlayContext.init(json:))
        sleep = value["sleep"].flatMap(StoredSleep.init(json:))
    }

    /// One line of JSON.
    var text: String {
        JSONValue.object([
            .init("volume", JSONValue(volume)), .init("disabledOutputs", .array(disabledOutputs.map(JSONValue.string))),
            .init("playingBoot", JSONValue(playingBoot)), .init("sleep", sleep?.json ?? .null),
            .init("context", context?.json ?? .null),
        ]).text + "\n"
    }

    /// After a longer silence a start counts as new, like a login on the next day.
    private static let longestRestart: Int64 = 300_000

    /// Whether a start continues playback.
    ///
    /// - Parameters:
    ///   - boot: the boot of this start.
    ///   - lastHeard: when the current episode was last heard.
    ///   - resumesAtStart: the setting `playback.resume_at_start`.
    func continues(in boot: String, at now: Timestamp, lastHeard: Timestamp?, resumesAtStart: Bool) -> Bool {
        guard let playingBoot else { return false }
        if resumesAtStart { return true }
        // Without a record, playback may be what ended the daemon.
        guard playingBoot == boot, let lastHeard else { return false }
        return now.milliseconds - lastHeard.milliseconds < Self.longestRestart
    }

    /// The sleep timer that a start sets again. One that waits for `play` does so until the next boot, however long the pause is.
    /// - Parameter isContinuing: whether the start continues playback.
    func sleepRequest(in boot: String, at now: Timestamp, isContinuing: Bool) -> SleepRequest? {
        let isWaiting = playingBoot == nil && sleep?.boot == boot
        return isContinuing || isWaiting ? sleep?.request(at: now) : nil
    }
}

extension PlayContext {
    fileprivate init?(json: JSONValue) {
        guard let order = json["order"]?.stringValue.flatMap(Order.init) else { return nil }
        if let feed = json["feed"]?.integerValue {
            self.init(.feed(FeedID(feed)), order)
        } else if let view = json["view"]?.stringValue {
            self.init(.view(view), order)
        } else {
            return nil
        }
    }

    fileprivate var json: JSONValue {
        let source: JSONValue.Member =
            switch source {
            case .feed(let feed): .init("feed", .integer(feed.rawValue))
            case .view(let name): .init("view", .string(name))
            }
        return .object([source, .init("order", .string(order.rawValue))])
    }
}

/// The sleep timer as the session keeps it.
struct StoredSleep: Equatable, Sendable {
    /// The boot during which it was noted.
    let boot: String?
    private var end: String
    private var episodes: Int?
    /// Playing time left when nothing sounds; nil while it runs.
    private var left: Duration?
    /// When a time that runs is over, by the calendar.
    private var until: Timestamp?

    /// - Parameters:
    ///   - instant: the time of `status`.
    ///   - now: the same by the calendar.
    init(_ status: SleepStatus, at instant: Instant, _ now: Timestamp, boot: String) {
        self.boot = boot
        switch status.end {
        case .time: end = status.until == nil ? "time" : "time of day"
        case .chapter: end = "chapter"
        case .episode(let count): (end, episodes) = ("episode", count)
        }
        switch status.left {
        case .held(let time): left = time
        case .until(let deadline):
            until = Timestamp(milliseconds: now.milliseconds + (deadline - instant).nanoseconds / 1_000_000)
        case nil: break
        }
        until = status.until ?? until
    }

    init?(json: JSONValue) {
        guard let end = json["end"]?.stringValue else { return nil }
        self.end = end
        boot = json["boot"]?.stringValue
        episodes = json["episodes"]?.integerValue.map { Int(clamping: $0) }
        left = json["left"]?.integerValue.map { .milliseconds($0) }
        until = json["until"]?.integerValue.map { Timestamp(milliseconds: $0) }
    }

    var json: JSONValue {
        .object([
            .init("boot", JSONValue(boot)), .init("end", .string(end)), .init("episodes", JSONValue(episodes)),
            .init("left", left.map { .integer($0.nanoseconds / 1_000_000) } ?? .null),
            .init("until", until.map { .integer($0.milliseconds) } ?? .null),
        ])
    }

    /// Whether both mean the same timer: the two clocks were not read at the same instant.
    func isNear(_ other: StoredSleep) -> Bool {
        guard let until, let otherUntil = other.until else { return self == other }
        return end == other.end && abs(until.milliseconds - otherUntil.milliseconds) < 1_000
    }

    /// Sets the timer again after a restart; nil if it is not a timer.
    func request(at now: Timestamp) -> SleepRequest? {
        switch end {
        case "chapter": return .endOfChapter
        case "episode": return .endOfEpisode(min(max(episodes ?? 1, 1), SleepRequest.mostEpisodes))
        case "time of day":
            guard let until, until > now, until.adding(seconds: -86_400) <= now else { return nil }
            return .until(until)
        case "time":
            let rest = until.map { Duration.milliseconds($0.milliseconds - now.milliseconds) } ?? left ?? .zero
            return .after(min(max(rest, .seconds(1)), SleepRequest.longest))
        default: return nil
        }
    }
}
