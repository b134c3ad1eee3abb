internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct ListeningRows: ListeningStore, StoreRows {
    let library: LibraryStore

    func add(_ time: ListeningTime, to episode: EpisodeID, on day: CalendarDay) throws(LibraryError) {
        func milliseconds(_ duration: Duration) -> Int64 { max(0, duration.nanoseconds / 1_000_000) }
        try write(.relaxed, maximumWait: LibraryDatabase.shortWait) {
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

    func heard(since day: CalendarDay?) throws(LibraryError) -> [HeardDay] {
        let days = try read {
            try connection.all(
                """
                SELECT l.*, coalesce(f.title, h.title, '') AS title FROM listening l LEFT JOIN feed f ON f.id = l.feed
                LEFT JOIN heard_feed h ON h.feed = l.feed WHERE l.day >= \(day?.number ?? .min) ORDER BY l.day, l.feed
                """
            ) { row in
                HeardDay(
                    day: CalendarDay(row["day"]), feed: row["feed"], title: row["title"],
                    time: ListeningTime(
                        heard: .milliseconds(row["heard"] as Int64),
                        savedBySpeed: .milliseconds(row["saved_by_speed"] as Int64),
                        savedBySilence: .milliseconds(row["saved_by_silence"] as Int64)))
            }
        }
        // A row for each month keeps ten years of a hundred feeds small.
        var months: [HeardDay] = []
        var places: [MonthOfFeed: Int] = [:]
        for day in days {
            let key = MonthOfFeed(month: day.day.month, feed: day.feed)
            if let place = places[key] {
                months[place].time += day.time
            } else {
                places[key] = months.count
                months.append(day)
            }
        }
        return months
    }

    private struct MonthOfFeed: Hashable {
        let month: String
        let feed: FeedID
    }
}
