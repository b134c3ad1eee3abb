internal import PodcastModel
internal import Reporting

struct FeedChecks {
    private static let day: Int64 = 86_400

    let feeds: [Feed]
    let now: Timestamp
    /// The command that makes refreshes automatic.
    let enablingTimer: String

    var refresh: Finding {
        guard !feeds.isEmpty else { return .ok("no subscriptions") }
        guard let last = feeds.compactMap(\.health.lastTry).max() else {
            return .notice("no feed was refreshed yet", fix: "podcastctl refresh")
        }
        if last > now.adding(seconds: Self.day) {
            return .notice(
                "the last refresh is in the future, by \(Self.span(last.seconds - now.seconds))",
                fix: "check the clock, then podcastctl refresh --force")
        }
        if last < now.adding(seconds: -Self.day) {
            return .problem("the last refresh was \(Self.span(now.seconds - last.seconds)) ago", fix: enablingTimer)
        }
        return .ok("last refresh: \(Self.span(now.seconds - last.seconds)) ago")
    }

    /// Seconds in the largest unit that they fill.
    private static func span(_ seconds: Int64) -> String {
        let units: [(size: Int64, name: String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        let unit = units.first { seconds >= $0.size } ?? (1, "second")
        return counted(max(0, Int(seconds / unit.size)), unit.name)
    }

    var failing: Finding {
        let failing = feeds.filter { $0.health.error != nil }
        guard let first = failing.first else { return .ok(counted(feeds.count, "feed")) }
        let hopeless = failing.filter {
            $0.health.isStopped || ($0.health.lastSuccess ?? $0.subscribed) < now.adding(seconds: -7 * Self.day)
        }
        guard let worst = hopeless.first else {
            return .notice(
                "\(failing.count) of \(feeds.count) failed at the last refresh; \(words(first))",
                fix: "podcast-refresh explain \(first.id.label)")
        }
        let isGone = hopeless.contains { $0.health.isStopped }
        return .problem(
            "\(hopeless.count) of \(feeds.count) have failed for a week\(isGone ? " or were permanently removed" : ""); \(words(worst))",
            fix:
                "podcast-refresh explain \(worst.id.label), then podcastctl set \(worst.id.label) url URL or unsubscribe \(worst.id.label)"
        )
    }

    private func words(_ feed: Feed) -> String { "\(feed.title): \(feed.health.error ?? "")" }
}
