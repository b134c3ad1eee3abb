internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Playback
internal import PodcastModel

/// What the next start of the daemon restores of the player; queue and positions are in the library.
struct PlayerSession: ReplyObject {
    /// Percentage.
    var volume = 100
    /// Records; see `ConfiguredOutputs`.
    var outputs: [OutputSetup] = []
    /// The boot during which it last played or tried to; nil if it was paused or stopped.
    var playingBoot: String?
    var sleep: StoredSleep?
    private var storedContext: String?
    /// Nil if the queue plays.
    var context: PlayContext? {
        get { storedContext.flatMap(PlayContext.init(stored:)) }
        set { storedContext = newValue?.stored }
    }

    init() {}

    /// Reads what `text` wrote; nil if it is not a session.
    init?(parsing text: [UInt8]) {
        guard let value = text.withUnsafeBytes({ try? JSONValue(parsing: $0) }), case .object = value else {
            return nil
        }
        self.init(json: value)
        volume = min(max(volume, 0), 100)
    }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("volume", &volume)
        members.declare("outputs", &outputs)
        members.declare("playingBoot", &playingBoot)
        members.declare("sleep", &sleep)
        members.declare("context", &storedContext)
    }

    var text: String { json.text + "\n" }

    /// After a longer silence a start counts as new, like a login on the next day.
    private static let longestRestart: Int64 = 300_000

    /// Whether a start continues playback.
    /// - Parameter lastHeard: when the current episode was last heard.
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
    /// `oldest-first f7`, `newest-first playlist:NAME`.
    fileprivate var stored: String {
        switch source {
        case .feed(let feed): "\(order.rawValue) \(feed.label)"
        case .view(let name): "\(order.rawValue) \(name)"
        }
    }

    fileprivate init?(stored: String) {
        let words = stored.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let order = Order(rawValue: words[0]) else { return nil }
        let feed = words[1].hasPrefix("f") ? Int64(words[1].dropFirst()) : nil
        self.init(feed.map { .feed(FeedID($0)) } ?? .view(words[1]), order)
    }
}

struct StoredSleep: ReplyObject {
    /// The boot during which it was noted.
    private(set) var boot: String?
    private var end = ""
    private var episodes: Int?
    /// Playing time left when nothing sounds; nil while it runs.
    private var left: MediaTime?
    /// When a time that runs is over, by the calendar.
    private var until: Timestamp?

    init() {}

    /// - Parameters:
    ///   - instant: the time of `status`.
    ///   - now: the same by the calendar.
    init(_ status: SleepStatus, at instant: Instant, _ now: Timestamp, boot: String) {
        self.boot = boot
        switch status.end {
        case .time: end = status.until == nil ? "time" : "time of day"
        case .chapter: end = "chapter"
        case .episode(let count):
            end = "episode"
            episodes = count
        }
        switch status.left {
        case .held(let time): left = MediaTime(nanoseconds: time.nanoseconds)
        case .until(let deadline):
            until = now.adding(milliseconds: (deadline - instant).nanoseconds / 1_000_000)
        case nil: break
        }
        until = status.until ?? until
    }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("boot", &boot)
        members.require("end", &end)
        members.declare("episodes", &episodes)
        members.declare("left", &left)
        members.declare("until", &until)
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
            let rest = until.map { $0.milliseconds - now.milliseconds } ?? left?.milliseconds ?? 0
            return .after(min(max(.milliseconds(rest), .seconds(1)), SleepRequest.longest))
        default: return nil
        }
    }
}
