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

/// A recorded change of a row, with the columns by name.
struct RecordedRow {
    let table: RecordedTable
    let kind: ChangedRow.Kind
    let keys: [String: SQLValue]
    /// The first column of the primary key, if it is a number.
    let key: Int64?
    /// Values before: see `ChangedRow`. A step from before an upgrade knows fewer columns.
    var before: [String: SQLValue]
    var after: [String: SQLValue]

    init?(_ row: ChangedRow, columns: [String]) {
        guard let table = RecordedTable(rawValue: row.table) else { return nil }
        func named(_ values: [SQLValue?]) -> [String: SQLValue] {
            Dictionary(
                uniqueKeysWithValues: zip(columns, values).compactMap { name, value in value.map { (name, $0) } })
        }
        self.table = table
        kind = row.kind
        before = named(row.before)
        after = named(row.after)
        let keys = row.keys.map { (name: columns[$0], value: row.before[$0] ?? row.after[$0] ?? .null) }
        self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.value) })
        key = keys.first?.value.integer
    }

    /// A value before or, without one, after.
    subscript(name: String) -> SQLValue? { before[name] ?? after[name] }

    /// True if undoing the change makes a difference: false for publishers' data and for the time of a mark.
    var isOfAct: Bool {
        switch table {
        case .feed where kind == .updated: changes("title", "url", "kind")
        case .playback: changes("position", "last_played")
        default: true
        }
    }

    private func changes(_ names: String...) -> Bool {
        // An episode without a row was not played.
        func value(_ value: SQLValue?) -> SQLValue? { value == .null || value == .integer(0) ? nil : value }
        return names.contains { value(before[$0]) != value(after[$0]) }
    }
}

extension SQLValue {
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension LibraryStore {
    func rows(of changes: Changeset, isInverse: Bool = false) throws -> [RecordedRow] {
        try changes.rows().compactMap { RecordedRow(isInverse ? $0.inverse : $0, columns: try columns(of: $0.table)) }
    }

    private func columns(of table: String) throws -> [String] {
        if let known = tableColumns[table] { return known }
        let names: [String] = try connection.column("SELECT name FROM pragma_table_info(\(table)) ORDER BY cid")
        tableColumns[table] = names
        return names
    }
}

/// The episodes and feeds that changes concern.
struct TouchedRows: LibraryPart {
    let library: LibraryStore
    /// Episodes of the queue in its order, then others by id.
    let episodes: [EpisodeID]
    let feeds: [FeedID]
    /// Entries of the queue that came, went or moved.
    private(set) var entries = 0
    private(set) var isQueueChanged = false
    private(set) var settings: [ClientSetting] = []
    /// Feeds that were added, hidden or brought back.
    private(set) var subscriptions = 0
    /// The change of all playlists, rules or bookmarks; nil without any, or if the changes differ.
    let outcome: Act.Outcome?

    init(_ rows: [RecordedRow], _ library: LibraryStore) throws {
        self.library = library
        var queued: [(place: Int64, episode: Int64)] = []
        var others: Set<Int64> = []
        var touched: Set<Int64> = []
        var outcomes: Set<ChangedRow.Kind> = []
        let isOrderKept = rows.contains { $0.table == .queueEntry && $0.kind != .updated }
        for row in rows {
            /// The episode of a row whose key is another number.
            func episode() throws -> Int64? {
                try row["episode"]?.integer
                    ?? library.connection.value("SELECT episode FROM \(raw: row.table.rawValue) WHERE id = \(row.key)")
            }
            switch row.table {
            case .playback, .note, .downloadRequest, .ruleAct: if let key = row.key { others.insert(key) }
            case .bookmark:
                outcomes.insert(row.kind)
                if let episode = try episode() { others.insert(episode) }
            case .episode: if let key = row.key, row.kind == .updated { others.insert(key) }
            case .queueEntry:
                isQueueChanged = true
                // Other entries give way to those that come.
                if row.kind == .updated, isOrderKept { continue }
                entries += 1
                if let episode = try episode() { queued.append((row["place"]?.integer ?? 0, episode)) }
            case .queueState: isQueueChanged = true
            case .clientSetting:
                guard let name = row["name"]?.text else { continue }
                settings.append(
                    ClientSetting(
                        ClientSetting.Name(name), row.after["value"]?.text, replaced: row.before["value"]?.text))
            case .feed, .feedSetting, .feedTag: if let key = row.key { touched.insert(key) }
            case .removedFeed:
                if let key = row.key { touched.insert(key) }
                subscriptions += 1
            case .rule, .smartPlaylist: outcomes.insert(row.kind)
            case .ruleBacklog, .retention, .formerURL, .importedEpisode, .history, .listening: break
            }
        }
        outcome =
            switch outcomes.count == 1 ? outcomes.first : nil {
            case .inserted: .restored
            case .deleted: .removed
            case .updated: .changed
            case nil: nil
            }
        var seen: Set<Int64> = []
        let inOrder = queued.sorted { $0.place < $1.place }.map(\.episode) + others.sorted()
        episodes = inOrder.filter { seen.insert($0).inserted }.map { EpisodeID($0) }
        feeds = touched.sorted().map { FeedID($0) }
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
