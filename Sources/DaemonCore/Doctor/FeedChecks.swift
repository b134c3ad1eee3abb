internal import ControlProtocol
internal import PodcastModel

/// Whether feeds are looked at, and answer.
struct FeedChecks {
    private static let day: Int64 = 86_400

    let feeds: [Feed]
    let now: Timestamp
    /// What makes feeds be refreshed by themselves.
    let enablingTimer: String

    /// Both checks.
    var all: [CheckReply] { [refresh, failing] }

    /// Whether somebody looks at the feeds at all.
    var refresh: CheckReply {
        let name = "refresh"
        guard !feeds.isEmpty else { return .ok(name, "no feed is subscribed to") }
        guard let last = feeds.compactMap(\.health.lastTry).max() else {
            return .notice(name, "no feed was ever refreshed", fix: "podcastctl refresh")
        }
        if last > now.adding(seconds: Self.day) {
            return .notice(
                name, "the last refresh lies in the future: \(last)",
                fix: "check the clock, then podcastctl refresh --force")
        }
        if last < now.adding(seconds: -Self.day) {
            return .needsPerson(name, "no feed was looked at since \(last)", fix: enablingTimer)
        }
        return .ok(name, "feeds were looked at last at \(last)")
    }

    /// Whether feeds fail, and for how long.
    var failing: CheckReply {
        let name = "feeds"
        let failing = feeds.filter { $0.health.error != nil }
        guard let first = failing.first else { return .ok(name, feeds.count == 1 ? "1 feed" : "\(feeds.count) feeds") }
        let hopeless = failing.filter {
            $0.health.isStopped || ($0.health.lastSuccess ?? $0.subscribed) < now.adding(seconds: -7 * Self.day)
        }
        guard let worst = hopeless.first else {
            return .notice(
                name, "\(failing.count) of \(feeds.count) failed last time; \(words(first))",
                fix: "podcast-refresh explain \(first.id)")
        }
        let isGone = hopeless.contains { $0.health.isStopped }
        return .needsPerson(
            name,
            "\(hopeless.count) of \(feeds.count) have failed for a week\(isGone ? " or are gone" : ""); \(words(worst))",
            fix:
                "podcast-refresh explain \(worst.id), then podcastctl set \(worst.id) url URL or unsubscribe \(worst.id)"
        )
    }

    private func words(_ feed: Feed) -> String { "\(feed.title): \(feed.health.error ?? "")" }
}
