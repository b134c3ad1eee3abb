internal import PodcastModel
internal import XMLEvents

/// The update intervals that the document announces.
struct RhythmDraft {
    private static let day: Int64 = 86_400
    static let periods = [
        "hourly": 3600, "daily": day, "weekly": 7 * day, "monthly": 30 * day, "yearly": 365 * day,
    ]
    /// Longer intervals, above a year, are ignored.
    private static let longest = 366 * day

    /// `ttl`: rssboard.org/rss-specification#ltttlgtSubelementOfLtchannelgt.
    var minutesToLive: Int?
    /// `sy:updatePeriod` in seconds.
    var period: Int64?
    /// `sy:updateFrequency`: number of updates per period.
    var frequency: Int?
    private var rhythm = UpdateRhythm()

    /// `hour` of `skipHours`: 0 to 23, and 24 for midnight in RSS 0.91.
    mutating func skip(hour: Int?) {
        guard let hour, (0...24).contains(hour) else { return }
        rhythm.quietHours |= 1 << UInt32(hour % 24)
    }

    /// `day` of `skipDays`, in English.
    mutating func skip(day: ElementText) {
        let names: [StaticString] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        if let index = names.firstIndex(where: { day.equals($0) }) { rhythm.quietDays |= 1 << UInt8(index) }
    }

    /// `podcast:updateFrequency`, with a rule of RFC 5545 section 3.3.10, of which only the mean interval is used.
    mutating func plan(_ attributes: XMLAttributes) {
        if attributes.text("complete")?.flag == true { rhythm.isComplete = true }
        guard let rule = attributes.text("rrule")?.string else { return }
        var parts: [String: String] = [:]
        for part in rule.lowercased().split(separator: ";").prefix(20) {
            let sides = part.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { parts[String(sides[0])] = String(sides[1]) }
        }
        guard let unit = parts["freq"].flatMap({ Self.periods[$0] }) else { return }
        let interval = parts["interval"].flatMap { Int64($0) }.map { min(max($0, 1), 1000) } ?? 1
        let days = (parts["byday"] ?? parts["bymonthday"])?.split(separator: ",").count ?? 1
        rhythm.plannedGap = min(unit * interval, Self.longest) / Int64(min(max(days, 1), 31))
    }

    func build(isComplete: Bool) -> UpdateRhythm {
        var built = rhythm
        let fromPeriod = period.map { $0 / Int64(min(max(frequency ?? 1, 1), 1_000_000)) }
        let fromLife = minutesToLive.map { Int64($0) * 60 }
        built.patience = [fromPeriod, fromLife].compactMap(\.self).filter { $0 > 0 }.max().map { min($0, Self.longest) }
        built.isComplete = built.isComplete || isComplete
        // Ignore a feed that skips every hour or day.
        if built.quietHours == 0xFF_FFFF { built.quietHours = 0 }
        if built.quietDays == 0x7F { built.quietDays = 0 }
        return built
    }
}

extension FeedNamespace {
    /// The syndication module of RSS 1.0: web.resource.org/rss/1.0/modules/syndication.
    static let syndication = FeedNamespace("sy", ["purl.org/rss/1.0/modules/syndication"]) { scope, element in
        switch (scope, element) {
        case (.channel, "updateperiod"):
            .text { $0.channel.rhythm.period = $1.word.flatMap { RhythmDraft.periods[$0] } }
        case (.channel, "updatefrequency"): .text { $0.channel.rhythm.frequency = $1.number }
        default: nil
        }
    }
}
