internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// A row of a list that events name by its id.
protocol IdentifiedRow: Equatable, Sendable {
    var rowID: Int64 { get }
}

extension FeedReply: IdentifiedRow {
    var rowID: Int64 { feed.id.rawValue }
}

extension EpisodeReply: IdentifiedRow {
    var rowID: Int64 { episode.id.rawValue }
}

/// A client's copy of a list whose events name the rows that changed, without their content.
struct ListCopy<Row: IdentifiedRow>: Equatable, Sendable {
    /// Reading the list again costs less than reading more single rows.
    private static var mostRowsToRead: Int { 50 }

    private(set) var rows: [Row] = []
    private(set) var rowsToRead: Set<Int64> = []
    /// Whether the rows were read.
    private var isRead = false
    /// That of the list after the last event; nil before the first.
    private var revision: UInt64?

    /// Takes the rows as they were read.
    mutating func replace(_ rows: [Row]) {
        (self.rows, rowsToRead, isRead) = (rows, [], true)
    }

    /// Takes a row that was read by itself.
    /// - Parameter place: where among the other rows the row belongs; nil for where the former one was, or nowhere.
    mutating func update(_ row: Row, place: (_ others: [Row], _ former: Row?) -> Int?) {
        rowsToRead.remove(row.rowID)
        let index = rows.firstIndex { $0.rowID == row.rowID }
        let former = index.map { rows.remove(at: $0) }
        if let place = place(rows, former) ?? index { rows.insert(row, at: place) }
    }

    mutating func remove(_ id: Int64) {
        rows.removeAll { $0.rowID == id }
        rowsToRead.remove(id)
    }

    /// Another daemon may count its revisions from the beginning.
    mutating func forgetRevision() { (revision, isRead) = (nil, false) }

    /// Takes the changes of an event.
    ///
    /// - Parameter readsNewRows: whether a new row always belongs to the list.
    /// - Returns: false if the list has to be read again.
    mutating func apply(_ event: EventReply, readingNewRows readsNewRows: Bool) -> Bool {
        defer { revision = event.revision }
        guard isRead, event.needsReload != true, let since = event.since, revision == nil || revision == since else {
            isRead = false
            return false
        }
        for change in event.changes {
            guard let id = change.id else { return false }
            switch change.kind {
            case .insert:
                if !readsNewRows { return false }
                rowsToRead.insert(id)
            case .delete: remove(id)
            case .update, .move:
                if readsNewRows || rows.contains(where: { $0.rowID == id }) { rowsToRead.insert(id) }
            }
        }
        return rowsToRead.count <= Self.mostRowsToRead
    }
}
