public import ControlLanguage
internal import JSON
public import PodcastModel
internal import Queueing
internal import SerialThreads
internal import Synchronization

/// Where parts report what changed that clients follow. From any thread; returns at once.
public final class ChangeBoard: Sendable {
    private let listener = Listener<StatusPart>()
    private let journals = Mutex<[StatusPart: ChangeJournal<RowChange>]>([:])

    public init() {}

    /// Passes each changed part to `publish` from now on: to the control server, once there is one.
    public func connect(_ publish: @escaping @Sendable (StatusPart) -> Void) { listener.connect(publish) }

    /// Reports that a part changed; of a list, that clients have to read it again.
    public func changed(_ part: StatusPart) {
        if part.isJournaled { journals.withLock { $0[part, default: ChangeJournal()].appendUnknown() } }
        listener.emit(part)
    }

    /// Reports that rows of a list changed.
    public func changed(_ part: StatusPart, _ rows: [RowChange]) {
        if rows.isEmpty { return }
        journals.withLock { $0[part, default: ChangeJournal()].append(rows) }
        listener.emit(part)
    }

    /// Reports that the content of episodes changed; nil if it is unknown of which.
    public func episodesChanged(_ episodes: [EpisodeID]?) {
        guard let episodes else { return changed(.episodes) }
        changed(.episodes, episodes.map { RowChange(.update, $0.rawValue) })
    }

    /// Reports that downloads of episodes began, ended or failed.
    public func downloadsChanged(_ episodes: [EpisodeID]) {
        changed(.downloads, episodes.map { RowChange(.update, $0.rawValue) })
        episodesChanged(episodes)
    }

    /// A list whose value is not complete, as an event reports it.
    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        journals.withLock { journals in
            let journal = journals[part] ?? ChangeJournal()
            return PartUpdate(
                value: .null, revision: journal.revision, changes: journal.changes(since: revision)?.folded)
        }
    }
}

extension StatusPart {
    /// Whether a `ChangeBoard` keeps what changed in the part.
    var isJournaled: Bool {
        switch self {
        case .feeds, .episodes, .playlists, .rules, .downloads: true
        case .player, .queue, .activities, .outputs, .settings: false
        }
    }
}
