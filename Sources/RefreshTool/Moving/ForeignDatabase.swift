internal import Library
internal import PodcastModel
internal import SQLite

/// Another program's database, read and never written.
///
/// The file is untrusted: only plain tables with known names are read; the time of all statements, the number of rows and the
/// length of texts are limited. One thread.
final class ForeignDatabase {
    /// Maximum time of all statements together, without the time to process their rows. A phone's library of a million
    /// episodes takes a few seconds.
    static let readingLimit = Duration.seconds(20)
    /// Bytes of a text; a longer one is cut.
    static let maximumTextBytes = 16 << 10
    static let maximumFeeds = 20_000
    static let maximumEpisodes = 2_000_000

    let program: ForeignProgram
    /// podboat's queue, whose episodes are imported even if newsboat knows nothing else of them.
    var queue: PodboatQueue?
    private let connection: Connection
    private let readingTime: ReadingTime
    private let tables: Set<String>
    private var columnNames: [String: Set<String>] = [:]

    /// Opens a database and detects the program that wrote it.
    ///
    /// - Parameters:
    ///   - path: a file that does not change meanwhile; a write-ahead log beside it is not read.
    ///   - clock: monotonic time since any instant.
    init(path: String, clock: (() -> Duration)? = nil) throws(MovingError) {
        let start = ContinuousClock.now
        let readingTime = ReadingTime(clock ?? { ContinuousClock.now - start })
        self.readingTime = readingTime
        let found: Set<String>
        do throws(SQLiteError) {
            connection = try Connection(foreign: path, isOverdue: { readingTime.isOver })
            found = try Self.names(Self.plainTables, in: connection, readingTime)
        } catch {
            throw MovingError(error, readingTime)
        }
        if found.isSuperset(of: ["episode", "feed", "queue_entry", "queue_state"]) {
            throw .notRecognized(
                reason: "it is a library of podcastd; to restore it: 'podcastctl help backup'; to add what is in it, "
                    + "import the output of 'podcast-refresh --data-dir FOLDER export --state'")
        }
        guard let program = ForeignProgram.allCases.first(where: { found.isSuperset(of: $0.tables) }) else {
            throw .notRecognized(reason: "the database of an unknown program")
        }
        tables = found
        self.program = program
    }

    /// Names of tables, without views and virtual tables, which could run code.
    private static let plainTables =
        "SELECT lower(name) AS name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 200"

    private static func names(
        _ sql: String, in connection: Connection, _ readingTime: ReadingTime
    ) throws(SQLiteError) -> Set<String> {
        let rows = try connection.rows(SQL(raw: sql))
        var names: Set<String> = []
        while let row = try readingTime.next(of: rows) { names.insert(row["name"]) }
        return names
    }

    /// Reads all feeds, then the episodes with a state, feed by feed.
    ///
    /// - Parameter take: returns whether more records are wanted.
    func read(_ take: (PortableRecord) -> Bool) throws(MovingError) {
        do throws(SQLiteError) {
            let queries =
                switch program {
                case .gpodder: try gPodderQueries()
                case .castero: try casteroQueries()
                case .newsboat: try newsboatQueries()
                case .antennapod: try antennaPodQueries()
                }
            let feeds = try connection.rows(SQL(raw: "\(queries.feeds) LIMIT \(Self.maximumFeeds)"))
            while let row = try readingTime.next(of: feeds) { if !take(.feed(feed(row))) { return } }
            let episodes = try connection.rows(SQL(raw: "\(queries.episodes) LIMIT \(Self.maximumEpisodes)"))
            while let row = try readingTime.next(of: episodes) {
                let episode = episode(row)
                if episode.hasPlayback || episode.isStarred || episode.queueIndex != nil, !take(.episode(episode)) {
                    return
                }
            }
        } catch {
            throw MovingError(error, readingTime)
        }
    }

    private func feed(_ row: Row) -> PortableFeed {
        // AntennaPod joins tags by a record separator; `#root` means that the feed is also listed outside of tags.
        let tags = name(row["tags"]).split(separator: "\u{1E}").map(String.init)
        var feed = PortableFeed(
            url: name(row["url"]), title: word(row["title"]), tags: tags.filter { $0 != "#root" })
        if let own = word(row["own_title"]), own != feed.title { feed.settings["title"] = own }
        let settings: [(FeedSetting, String?)] = [
            (.speed, row["speed"]), (.skipStart, row["skip_start"]), (.skipEnd, row["skip_end"]),
        ]
        for (setting, value) in settings {
            guard let text = word(value), Double(text) ?? 0 > 0, setting.objection(to: text) == nil else { continue }
            feed.settings[setting.rawValue] = setting.canonical(text)
        }
        return feed
    }

    private func episode(_ row: Row) -> PortableEpisode {
        let duration = span(row["duration"])
        var episode = PortableEpisode(
            EpisodeIdentity(
                guid: name(row["guid"]).nonEmpty, url: name(row["url"]), title: word(row["title"]),
                published: instant(row["published"]), duration: duration > .zero ? duration : nil))
        episode.feed = name(row["feed"])
        episode.isPlayed = row["played"]
        episode.position = span(row["position"])
        episode.lastPlayed = instant(row["last_played"])
        episode.isStarred = row["starred"]
        episode.queueIndex = row["queue_index"]
        queue?.complete(&episode)
        return episode
    }

    /// An instant in milliseconds; nil for 0, which means "never".
    private func instant(_ value: Int64) -> Timestamp? {
        value > 0 && value < 1 << 50 ? Timestamp(milliseconds: value) : nil
    }

    /// A time in milliseconds, at least 0.
    private func span(_ value: Int64) -> MediaTime { MediaTime(milliseconds: min(max(value, 0), 1 << 40)) }

    /// A text that is not empty, cut to what a record may hold.
    private func word(_ text: String?) -> String? {
        text?.nonEmpty.map { text in
            text.utf8.count <= Self.maximumTextBytes ? text : String(utf8: text.utf8.prefix(Self.maximumTextBytes))
        }
    }

    /// A text that names something, such as a URL; empty if it is longer than a record may hold, because a part of it would
    /// name something else.
    private func name(_ text: String) -> String { text.utf8.count <= Self.maximumTextBytes ? text : "" }

    // MARK: for the formats

    /// SQL for a program's feeds and its episodes with a state, whose times are in milliseconds. The columns have the names that `feed`
    /// and `episode` read.
    typealias Queries = (feeds: String, episodes: String)

    func has(_ table: String) -> Bool { tables.contains(table.lowercased()) }

    /// A column, or NULL if this version of the program does not have it.
    func column(_ name: String, of table: String, prefix: String = "") throws(SQLiteError) -> String {
        if columnNames[table] == nil {
            let columns = "SELECT lower(name) AS name FROM pragma_table_info('\(table)')"
            columnNames[table] = try Self.names(columns, in: connection, readingTime)
        }
        return columnNames[table]?.contains(name.lowercased()) == true ? prefix + "\"\(name)\"" : "NULL"
    }

    /// Moves the rows of the write-ahead log beside a copy of a database into the copy.
    ///
    /// - Parameter path: a file that no other program uses, with its log beside it as `PATH-wal`.
    static func checkpointLog(ofCopy path: String) throws(MovingError) {
        let copy = try mapError(of: Connection(path: path, busyTimeout: .zero, cacheKiB: 2048)) { MovingError($0) }
        try mapError(of: copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")) { MovingError($0) }
    }
}

/// The time that a database's statements have taken together.
private final class ReadingTime {
    private let clock: () -> Duration
    private var spent = Duration.zero
    private var stepBegan: Duration?

    init(_ clock: @escaping () -> Duration) { self.clock = clock }

    /// Whether the limit is exceeded; also checked within a step.
    var isOver: Bool {
        let now = stepBegan.map { clock() - $0 } ?? .zero
        return spent + now > ForeignDatabase.readingLimit
    }

    /// The next row, with the time it takes.
    func next(of rows: borrowing Rows) throws(SQLiteError) -> Row? {
        let began = clock()
        stepBegan = began
        defer {
            spent += clock() - began
            stepBegan = nil
        }
        return try rows.next()
    }
}

extension MovingError {
    fileprivate init(_ error: SQLiteError, _ time: ReadingTime? = nil) {
        if time?.isOver ?? false {
            self = .damaged("reading it takes longer than \(ForeignDatabase.readingLimit.components.seconds) seconds")
            return
        }
        switch error.code {
        case .notADatabase: self = .notRecognized(reason: "no database")
        default: self = .damaged(error.message)
        }
    }
}
