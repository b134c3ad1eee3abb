internal import PodcastModel
internal import SQLite

/// The tables that undoing restores, in the order in which it does so.
///
/// Triggers run then too. What they do to another of these tables is overwritten by what the change says of it, since
/// `episode` comes after those that have triggers. A feed is hidden while it still has its queue entries, and comes back when
/// no other feed has had its address.
enum RecordedTable: String, CaseIterable {
    case clientSetting = "client_setting"
    case rule
    case ruleBacklog = "rule_backlog"
    case retention
    case smartPlaylist = "smart_playlist"
    case feedSetting = "feed_setting"
    case feedTag = "feed_tag"
    case formerURL = "former_url"
    case removedFeed = "removed_feed"
    case feed
    case importedEpisode = "imported_episode"
    case playback
    case note
    case bookmark
    case queueEntry = "queue_entry"
    case queueState = "queue_state"
    case downloadRequest = "download_request"
    case ruleAct = "rule_act"
    case episode
    case history
    case listening

    /// True for tables that only an import changes as an act: what is heard stays recorded whatever is undone.
    var isOfImport: Bool { self == .history || self == .listening }
}

/// The episodes and feeds that changes concern.
struct TouchedRows: LibraryPart {
    let library: LibraryStore
    /// Episodes of the queue in its order, then others by id.
    private(set) var episodes: [EpisodeID] = []
    private(set) var feeds: [FeedID] = []
    /// Entries of the queue that came, went or moved.
    private(set) var entries = 0
    private(set) var isQueueChanged = false
    private(set) var settings: [ClientSetting] = []
    /// Feeds that were added, hidden or brought back.
    private(set) var subscriptions = 0
    /// The change of all playlists, rules or bookmarks; nil without any, or if the changes differ.
    private(set) var outcome: Act.Outcome?

    init(_ rows: [ChangedRow], _ library: LibraryStore) throws {
        self.library = library
        var (queued, others): ([(place: Int64, episode: EpisodeID)], Set<EpisodeID>) = ([], [])
        var touched: Set<FeedID> = []
        let isOrderKept = rows.contains { $0.table == RecordedTable.queueEntry.rawValue && $0.kind != .updated }
        for row in rows {
            guard let table = RecordedTable(rawValue: row.table) else { continue }
            let key = row.key
            switch table {
            case .playback, .note, .downloadRequest, .ruleAct:
                if let key { others.insert(EpisodeID(key)) }
            case .bookmark:
                let episode: Int64? =
                    try row.column("episode", library).flatMap { row.number($0) }
                    ?? connection.value("SELECT episode FROM bookmark WHERE id = \(key)")
                if let episode { others.insert(EpisodeID(episode)) }
            case .episode:
                if let key, row.kind == .updated { others.insert(EpisodeID(key)) }
            case .queueEntry:
                isQueueChanged = true
                // Other entries give way to those that come.
                if row.kind == .updated, isOrderKept { continue }
                entries += 1
                let place = try row.column("place", library)
                let episode = try row.column("episode", library)
                let known: Int64? =
                    try episode.flatMap { row.number($0) }
                    ?? connection.value("SELECT episode FROM queue_entry WHERE id = \(key)")
                if let known { queued.append((place.flatMap { row.number($0) } ?? 0, EpisodeID(known))) }
            case .queueState: isQueueChanged = true
            case .clientSetting:
                guard case .text(let name)? = row.value(0) else { continue }
                let value: String? = if case .text(let text)? = row.after[1] { text } else { nil }
                let replaced: String? = if case .text(let text)? = row.before[1] { text } else { nil }
                settings.append(ClientSetting(ClientSetting.Name(name), value, replaced: replaced))
            case .feed, .feedSetting, .feedTag:
                if let key { touched.insert(FeedID(key)) }
            case .removedFeed:
                if let key { touched.insert(FeedID(key)) }
                subscriptions += 1
            case .rule, .ruleBacklog, .retention, .smartPlaylist, .formerURL, .importedEpisode, .history, .listening:
                break
            }
        }
        let outcomes = Set(
            rows.filter { [.smartPlaylist, .rule, .bookmark].contains(RecordedTable(rawValue: $0.table)) }.map(\.kind))
        outcome =
            switch outcomes.count == 1 ? outcomes.first : nil {
            case .inserted: .restored
            case .deleted: .removed
            case .updated: .changed
            case nil: nil
            }
        var seen: Set<EpisodeID> = []
        let inOrder = queued.sorted { $0.place < $1.place }.map(\.episode) + others.sorted()
        episodes = inOrder.filter { seen.insert($0).inserted }
        feeds = touched.sorted()
    }

    /// The number that lists of steps show.
    func count(of kind: Act) -> Int {
        switch kind.traits.counted {
        case .entries: entries
        case .subscriptions: subscriptions
        case .episodes: episodes.count
        // Rounds of retention add episodes whose files they released.
        case .object: kind == .retention && !episodes.isEmpty ? 0 : 1
        case .nothing: 0
        }
    }
}

extension ChangedRow {
    /// The first column of the primary key, if it is a number.
    var key: Int64? { keys.first.flatMap { number($0) } }

    /// A number before or after.
    func number(_ column: Int) -> Int64? {
        guard case .integer(let number)? = value(column) else { return nil }
        return number
    }

    /// True if undoing the change makes a difference: false for publishers' data and for the time of a mark.
    func isOfAct(_ library: LibraryStore) throws -> Bool {
        switch RecordedTable(rawValue: table) {
        case .feed where kind == .updated: try changes(["title", "url", "kind"], library)
        case .playback: try changes(["position", "last_played"], library)
        default: true
        }
    }

    private func changes(_ names: [String], _ library: LibraryStore) throws -> Bool {
        // An episode without a row was not played.
        func value(_ value: SQLValue?) -> SQLValue? { value == .null || value == .integer(0) ? nil : value }
        return try names.contains { try value(before($0, library)) != value(after($0, library)) }
    }

    func before(_ name: String, _ library: LibraryStore) throws -> SQLValue? {
        try column(name, library).flatMap { $0 < before.count ? before[$0] : nil }
    }

    func after(_ name: String, _ library: LibraryStore) throws -> SQLValue? {
        try column(name, library).flatMap { $0 < after.count ? after[$0] : nil }
    }

    func column(_ name: String, _ library: LibraryStore) throws -> Int? {
        try library.columns(of: table).firstIndex(of: name)
    }
}

extension LibraryStore {
    func columns(of table: String) throws -> [String] {
        if let known = tableColumns[table] { return known }
        let names: [String] = try connection.column("SELECT name FROM pragma_table_info(\(table)) ORDER BY cid")
        tableColumns[table] = names
        return names
    }
}
