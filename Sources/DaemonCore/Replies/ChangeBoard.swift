internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import SerialThreads
internal import Synchronization

/// Where parts report what changed that clients follow. From any thread; returns at once.
final class ChangeBoard: Sendable {
    /// Reads rows of a list as its command lists them, by their ids, and calls the closure with those that exist, on any thread.
    typealias RowReader = @Sendable (StatusPart, [Int64], @escaping @Sendable ([Int64: JSONValue]) -> Void) -> Void

    private struct List {
        var journal = ChangeJournal<RowChange>()
        /// The newest content of rows that changed.
        var rows: [Int64: JSONValue] = [:]
        /// Number of changes that were reported without rows.
        var unread = 0

        static let mostRows = 100
    }

    private let listener = Listener<StatusPart>()
    private let reader = LateBound<RowReader>()
    private let lists = Mutex<[StatusPart: List]>([:])

    /// Passes each changed part to `publish` from now on: to the control server, once there is one.
    func connect(readRows: @escaping RowReader, _ publish: @escaping @Sendable (StatusPart) -> Void) {
        reader.value = readRows
        listener.connect(publish)
    }

    /// Reports that a part changed; of a list, that clients have to read it again.
    func changed(_ part: StatusPart) {
        if part.isJournaled {
            lists.withLock {
                $0[part, default: List()].journal.appendUnknown()
                $0[part]?.rows = [:]
                $0[part]?.unread += 1
            }
        }
        listener.emit(part)
    }

    /// Reports that rows of a list changed, after the content of few rows of episodes or feeds was read.
    func changed(_ part: StatusPart, _ changes: [RowChange]) {
        if changes.isEmpty { return }
        let ids = changes.filter { $0.kind != .delete }.compactMap(\.id)
        guard part == .episodes || part == .feeds, changes.count <= RowChange.mostRows, !ids.isEmpty,
            let read = reader.value
        else { return record(part, changes, [:]) }
        let unread = lists.withLock { $0[part]?.unread ?? 0 }
        read(part, ids) { [self] in record(part, changes, $0, unread) }
    }

    /// - Parameter unread: the list's `unread` before `rows` were read; nil for changes without rows. Rows are read in order, but
    ///   they may be older than a change without rows that came meanwhile.
    private func record(_ part: StatusPart, _ changes: [RowChange], _ rows: [Int64: JSONValue], _ unread: Int? = nil) {
        lists.withLock { lists in
            let rows = lists[part]?.unread ?? 0 == unread ? rows : [:]
            lists[part, default: List()].journal.append(changes)
            if unread == nil { lists[part]?.unread += 1 }
            // If the rows of these changes were not read, the kept rows are older than the changes.
            if rows.isEmpty || (lists[part]?.rows.count ?? 0) + rows.count > List.mostRows { lists[part]?.rows = [:] }
            lists[part]?.rows.merge(rows) { $1 }
        }
        listener.emit(part)
    }

    /// Reports that episodes changed; nil if it is unknown which.
    func episodesChanged(_ episodes: [EpisodeID]?, _ aspects: EpisodeAspect...) {
        guard let episodes else { return changed(.episodes) }
        changed(.episodes, episodes.changes(.update, aspects))
    }

    /// Reports that downloads of episodes began, ended or failed.
    func downloadsChanged(_ episodes: [EpisodeID]) {
        changed(.downloads, episodes.changes(.update))
        episodesChanged(episodes, .download)
    }

    /// A list whose value is not complete, as an event reports it.
    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        lists.withLock { lists in
            let list = lists[part] ?? List()
            var changes = list.journal.changes(since: revision)?.folded
            if let count = changes?.count, count <= RowChange.mostRows {
                for index in 0..<count {
                    let id = changes?[index].id
                    changes?[index].row = id.flatMap { list.rows[$0] }
                }
            }
            return PartUpdate(value: .null, revision: list.journal.revision, changes: changes)
        }
    }
}

extension Sequence where Element: LibraryID {
    /// A change of each of these rows.
    func changes(_ kind: RowChange.Kind, _ aspects: [EpisodeAspect] = []) -> [RowChange] {
        map { RowChange(kind, $0.rawValue, aspects) }
    }
}

extension StatusPart {
    /// Whether a `ChangeBoard` keeps what changed in the part.
    var isJournaled: Bool {
        switch self {
        case .feeds, .episodes, .playlists, .rules, .downloads: true
        case .player, .queue, .activities, .outputs, .settings, .sync: false
        }
    }
}
