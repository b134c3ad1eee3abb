internal import JSON
internal import Playback
internal import PodcastModel

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
