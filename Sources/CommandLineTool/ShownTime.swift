public import PodcastModel
internal import SystemCalls

/// Formats times for people and scripts.
public struct ShownTime {
    /// Seconds east of UTC at a time; nil for UTC.
    public let offset: ((Timestamp) -> Int)?
    /// True for output to programs, with complete dates and times.
    let isComplete: Bool

    public init(offset: ((Timestamp) -> Int)?, isComplete: Bool) {
        self.offset = offset
        self.isComplete = isComplete
    }

    /// A complete time in the process's time zone.
    public static func complete(_ instant: Timestamp) -> String {
        ShownTime(offset: { LocalZone.offset(atSeconds: $0.seconds) }, isComplete: true).time(instant)
    }

    /// `2026-11-20` in the process's time zone.
    public static func day(_ instant: Timestamp) -> String { String(complete(instant).prefix(10)) }

    /// `08:00` in the process's time zone.
    public static func timeOfDay(_ instant: Timestamp) -> String { String(complete(instant).dropFirst(11).prefix(5)) }

    /// `2026-11-20`; if complete, with the time.
    public func date(_ instant: Timestamp) -> String { isComplete ? time(instant) : String(local(instant).prefix(10)) }

    /// `2026-11-20 08:00`, in UTC `2026-11-20 07:00Z`; if complete `2026-11-20T08:00:00+01:00`.
    public func time(_ instant: Timestamp) -> String {
        let text = local(instant)
        if isComplete { return text.prefix(19) + (offset.map { Self.zone($0(instant)) } ?? "Z") }
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))" + (offset == nil ? "Z" : "")
    }

    private func local(_ instant: Timestamp) -> String {
        instant.adding(seconds: Int64(offset?(instant) ?? 0)).description
    }

    /// `+01:00`, or `Z` for UTC.
    private static func zone(_ offset: Int) -> String {
        if offset == 0 { return "Z" }
        let minutes = abs(offset) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

extension SleepRequest {
    /// Parses a user's text; times of day are in the process's time zone.
    public static func said(_ text: String, episodes: Int? = nil) -> SleepRequest? {
        SleepRequest(parsing: text, episodes: episodes, at: .now, offset: { LocalZone.offset(atSeconds: $0.seconds) })
    }

    /// The text for the daemon, whose time zone may differ.
    public static func sent(_ text: String) -> String {
        guard case .until(let time)? = said(text) else { return text }
        return time.description
    }
}
