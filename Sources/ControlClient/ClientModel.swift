public import ControlLanguage
public import ControlProtocol
public import PodcastModel

/// What the daemon's clients show, kept current from a connection's events: pass each event to `apply`, and answer what
/// `partsToReload` names with a command, whose reply goes to `apply` as well.
public struct ClientModel: Equatable, Sendable {
    /// The player, at the instant that it names; see `position(at:)`.
    public private(set) var player = PlayerReply()
    /// The queue's length and current index.
    public private(set) var queue = QueueExtentReply()
    /// The queue's entries as they were last read; the first ones, if only a page was read.
    public private(set) var entries: [EntryReply] = []
    /// Work in progress, in the order in which it began.
    public private(set) var activities: [ActivityReply] = []
    /// All outputs.
    public private(set) var outputs: [OutputReply] = []
    /// All settings as they were last read.
    public private(set) var settings: [SettingReply] = []
    /// The daemon's greeting; nil while there is no connection. The other values then stay as they were last known.
    public private(set) var greeting: HelloReply?
    /// The parts that have changed since their rows were read; ask for them again.
    public private(set) var partsToReload: StatusParts = []
    /// The number of the last event that changed each part, by the part's raw value.
    private var revisions: [UInt64]

    /// A model that knows nothing.
    public init() { revisions = [UInt64](repeating: 0, count: StatusPart.allCases.count) }

    /// A number that rises with each change of a part: two equal ones mean that nothing has changed in between.
    public func revision(of part: StatusPart) -> UInt64 { revisions[Int(part.rawValue)] }

    /// Takes what a connection reported.
    public mutating func apply(_ event: ConnectionEvent) {
        switch event {
        case .greeted(let hello): greeting = hello
        case .snapshot(let snapshot): apply(snapshot)
        case .changed(let change): apply(change)
        case .lost: greeting = nil
        }
    }

    /// Takes the values of all parts in a snapshot; lists of which it holds no rows are to be reloaded.
    public mutating func apply(_ snapshot: SnapshotReply) {
        for part in StatusPart.allCases {
            guard let value = snapshot.parts[part] else { continue }
            apply(EventReply(sequence: snapshot.sequence, part: part, value: value))
        }
    }

    /// Takes the new value of a part, or marks the part for reloading if the event has no value.
    public mutating func apply(_ change: EventReply) {
        revisions[Int(change.part.rawValue)] = change.sequence
        switch change.part {
        case .player: if let value = PlayerReply(json: change.value) { player = value }
        case .queue:
            if let value = QueueExtentReply(json: change.value) { queue = value }
            partsToReload.insert(StatusParts(.queue))
        case .activities: activities = [ActivityReply](json: change.value)
        case .outputs: outputs = [OutputReply](json: change.value)
        case .feeds, .episodes, .settings, .playlists, .rules, .downloads:
            partsToReload.insert(StatusParts(change.part))
        }
    }

    /// Takes the queue's entries from its beginning.
    public mutating func apply(_ list: QueueListReply) {
        (entries, queue) = (list.entries, list.extent)
        partsToReload.remove(StatusParts(.queue))
    }

    /// Takes all settings.
    public mutating func apply(_ list: SettingListReply) {
        settings = list.settings
        partsToReload.remove(StatusParts(.settings))
    }

    /// Notes that a part whose rows this model does not keep was read again.
    public mutating func noteReloaded(_ part: StatusPart) { partsToReload.remove(StatusParts(part)) }
}

extension PlayerReply {
    /// The position at an instant if nothing changes until then, at most the episode's end.
    ///
    /// - Parameter instant: CLOCK_MONOTONIC in nanoseconds, of this machine.
    public func position(at instant: Int64) -> MediaTime? {
        guard pace > 0, let position else { return position }
        let running = position + MediaTime(seconds: Double(max(0, instant - self.instant)) / 1e9 * pace)
        return duration.map { min(running, max($0, position)) } ?? running
    }
}
