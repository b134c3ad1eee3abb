public import PodcastModel
internal import SQLite

/// A day of the local calendar.
public struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01.
    public let number: Int64

    /// A day beyond the range of `Timestamp` is clamped.
    public init(_ number: Int64) {
        self.init(Timestamp(seconds: 0).adding(seconds: min(max(number, -1_000_000), 4_000_000) * 86_400), offset: 0)
    }

    /// - Parameter offset: seconds of local time east of UTC.
    public init(_ time: Timestamp, offset: Int) {
        let seconds = time.adding(seconds: Int64(offset)).seconds
        number = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    }

    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    /// Parses `2026-11-22`; for `2026-11` or `2026` the first day.
    public init?(parsing text: String) {
        let day = text + "2026-01-01".dropFirst(text.count)
        guard let time = Timestamp(parsing: day + "T00:00:00Z") else { return nil }
        self.init(time, offset: 0)
        // Reject a day beyond the end of its month, and a year or month that is cut short.
        guard description == day, [4, 7, 10].contains(text.count) else { return nil }
    }

    /// `2026-11-22`.
    public var description: String { String(Timestamp(seconds: number * 86_400).description.prefix(10)) }

    /// `2026`.
    public var year: String { String(description.prefix(4)) }

    /// `2026-11`.
    public var month: String { String(description.prefix(7)) }
}

/// Listening time of a feed on one day.
public struct HeardDay: Equatable, Sendable {
    public var day: CalendarDay
    /// Unknown before an import: 0.
    public var feed: FeedID
    /// Nil if the feed is not subscribed to, and of single files.
    public var url: String?
    public var title: String
    public var time: ListeningTime

    public init(day: CalendarDay, feed: FeedID = FeedID(0), url: String?, title: String, time: ListeningTime) {
        self.day = day
        self.feed = feed
        self.url = url
        self.title = title
        self.time = time
    }
}

/// Listening time per feed and day.
public struct ListeningStore: LibraryPart {
    let library: LibraryStore

    /// Adds time to an episode's feed. A power failure may lose it.
    public func add(_ time: ListeningTime, to episode: EpisodeID, on day: CalendarDay) throws(LibraryError) {
        try write(.relaxed, maximumWait: LibraryStore.shortWait) {
            try run(
                """
                INSERT INTO listening(day, feed, heard, saved_by_speed, saved_by_silence)
                SELECT \(day.number), feed, \(milliseconds(time.heard)), \(milliseconds(time.savedBySpeed)),
                  \(milliseconds(time.savedBySilence)) FROM episode WHERE id = \(episode)
                ON CONFLICT DO UPDATE SET heard = heard + excluded.heard,
                  saved_by_speed = saved_by_speed + excluded.saved_by_speed,
                  saved_by_silence = saved_by_silence + excluded.saved_by_silence
                """)
        }
    }

    private func milliseconds(_ duration: Duration) -> Int64 { max(0, duration.nanoseconds / 1_000_000) }

    /// Adds what another library counted. If both heard a feed on the same day, the longer time stays, because a document may be
    /// imported twice. One commit.
    /// - Returns: number of days of feeds that changed.
    public func importDays(_ days: ArraySlice<HeardDay>) throws(LibraryError) -> Int {
        try write(.relaxed) {
            try recordingPart {
                try days.count { day in
                    let feed = try day.url.flatMap { try library.feeds.id(url: $0) } ?? heardFeed(day.title)
                    try run(
                        """
                        INSERT INTO listening(day, feed, heard, saved_by_speed, saved_by_silence)
                        VALUES (\(day.day.number), \(feed), \(milliseconds(day.time.heard)),
                          \(milliseconds(day.time.savedBySpeed)), \(milliseconds(day.time.savedBySilence)))
                        ON CONFLICT DO UPDATE SET heard = excluded.heard,
                          saved_by_speed = excluded.saved_by_speed, saved_by_silence = excluded.saved_by_silence
                        WHERE excluded.heard > heard
                        """)
                    return connection.changedRows > 0
                }
            }
        }
    }

    /// The feed without a subscription that has this title, or a new one in the statistics only.
    private func heardFeed(_ title: String) throws -> FeedID {
        let title = SafeText.title(title) ?? ""
        let known: FeedID? = try connection.value(
            """
            SELECT feed FROM heard_feed WHERE title = \(title)
            UNION ALL SELECT id FROM feed WHERE kind <> \(literal: FeedKind.subscribed) AND title = \(title)
            """)
        if let known { return known }
        // No other feed gets the id of a feed that is gone.
        try run("INSERT INTO feed(kind, subscribed, title) VALUES (\(FeedKind.hidden), 0, \(title))")
        let id = FeedID(connection.lastInsertedRow)
        try run("DELETE FROM feed WHERE id = \(id)")
        try run("INSERT INTO heard_feed(feed, title) VALUES (\(id), \(title))")
        return id
    }

    /// Listening time of each feed in each month since `day`, which keeps ten years of a hundred feeds small. A month is one
    /// row, dated with its first day with sound.
    /// - Parameter byDay: true for each day, in an order that other libraries with the same feeds have, too.
    public func heard(since day: CalendarDay?, byDay: Bool = false) throws(LibraryError) -> [HeardDay] {
        try read {
            try connection.all(
                """
                SELECT min(l.day) AS day, l.feed, sum(l.heard) AS heard, sum(l.saved_by_speed) AS saved_by_speed,
                  sum(l.saved_by_silence) AS saved_by_silence, coalesce(f.title, h.title, '') AS title,
                  iif(f.kind = \(literal: FeedKind.subscribed), f.url, NULL) AS url
                FROM listening l LEFT JOIN feed f ON f.id = l.feed LEFT JOIN heard_feed h ON h.feed = l.feed
                WHERE l.day >= \(day?.number ?? .min)
                GROUP BY iif(\(byDay), l.day, strftime('%Y-%m', l.day * 86400, 'unixepoch')), l.feed
                ORDER BY 1, iif(\(byDay), url, l.feed), title
                """
            ) { row in
                HeardDay(
                    day: CalendarDay(row["day"]), feed: row["feed"], url: row["url"], title: row["title"],
                    time: ListeningTime(
                        heard: .milliseconds(row["heard"] as Int64),
                        savedBySpeed: .milliseconds(row["saved_by_speed"] as Int64),
                        savedBySilence: .milliseconds(row["saved_by_silence"] as Int64)))
            }
        }
    }

    /// The duration of all episodes of subscriptions, as far as it is known.
    public func knownDuration() throws(LibraryError) -> MediaTime {
        try read {
            let sum: MediaTime? = try connection.value(
                """
                SELECT sum(coalesce(e.measured_duration, e.duration)) FROM episode e JOIN feed f ON f.id = e.feed
                WHERE f.kind = \(literal: FeedKind.subscribed)
                """)
            return sum ?? .zero
        }
    }
}
