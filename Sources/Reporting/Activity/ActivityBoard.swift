public import PodcastModel
internal import Synchronization

/// An operation in progress that a person waits for.
public struct Activity: Equatable, Sendable {
    /// Clients choose words and symbols by the kind.
    public enum Kind: String, Sendable, CaseIterable {
        /// Fetching, parsing and queueing a requested episode, until the first sound.
        case loading
        /// Waiting for audio from the network or the decoder.
        case buffering
        case seeking, refreshing, subscribing, downloading, backup, searching
    }

    /// Unicode scalars to which messages and subjects are cut, so that all activities fit in one line of the protocol.
    public static let maximumLength = 200

    /// Unique within a process.
    public var id: UInt64 = 0
    public var kind = Kind.loading
    /// Text for users, such as `Buffering audio`: one line without control characters, at most `maximumLength` Unicode scalars.
    public var message = ""
    /// Title of the feed or episode; cleaned and cut like the message.
    public var subject: String?
    /// 0 to 1; nil if unknown.
    public var progress: Double?
    public var since = Timestamp(seconds: 0)
    /// The activity that this one is a part of.
    public var parent: UInt64?

    public init() {}
}

/// The activities in progress: workers begin, update and end them; an observer reads snapshots and is notified.
///
/// Every method may be called from any thread. A notification does not say what changed: the observer takes a snapshot when
/// it has time, so that a slow observer misses details but does not delay others.
public final class ActivityBoard: Sendable {
    private struct State {
        var activities: [Activity] = []
        /// Progress at the last notification, by activity.
        var reported: [UInt64: Double] = [:]
        var lastID: UInt64 = 0
        var notify: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: the wall clock for the activities' start.
    public init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Activities in progress, oldest first.
    public var snapshot: [Activity] { state.withLock { $0.activities } }

    /// Calls `notify` after each change, on the changing thread without a lock.
    public func watch(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify = notify } }

    /// Begins an activity, which ends when the handle is ended or released, also after errors and cancellation.
    public func begin(
        _ kind: Activity.Kind, _ message: String, subject: String? = nil, progress: Double? = nil,
        parent: ActivityHandle? = nil
    ) -> ActivityHandle {
        var activity = Activity()
        activity.kind = kind
        activity.since = now()
        activity.parent = parent?.id
        activity.message = Self.bounded(message)
        activity.subject = subject.map(Self.bounded)
        activity.progress = progress.flatMap(Self.clamp)
        change { state in
            state.lastID += 1
            activity.id = state.lastID
            state.activities.append(activity)
            state.reported[activity.id] = activity.progress
            return true
        }
        return ActivityHandle(id: activity.id, board: self)
    }

    fileprivate func update(_ id: UInt64, _ edit: (inout Activity) -> Void) {
        change { state in
            guard let index = state.activities.firstIndex(where: { $0.id == id }) else { return false }
            var before = state.activities[index]
            edit(&state.activities[index])
            let after = state.activities[index]
            if !Self.isWorthReporting(from: state.reported[id], to: after.progress) { before.progress = after.progress }
            guard before != after else { return false }
            state.reported[id] = after.progress
            return true
        }
    }

    fileprivate func end(_ id: UInt64) {
        change { state in
            let count = state.activities.count
            state.activities.removeAll { $0.id == id }
            state.reported[id] = nil
            return state.activities.count != count
        }
    }

    fileprivate static func clamp(_ progress: Double) -> Double? { progress.isNaN ? nil : min(max(progress, 0), 1) }

    fileprivate static func bounded(_ text: String) -> String { SafeText.line(text, atMost: Activity.maximumLength) }

    private static func isWorthReporting(from reported: Double?, to progress: Double?) -> Bool {
        guard let reported, let progress else { return reported != progress }
        // Always notify of completion, because a bar that stays at 99 % looks stuck; else of each hundredth.
        return abs(progress - reported) >= 0.01 || (progress == 1 && reported != 1)
    }

    /// - Parameter edit: returns whether something has changed.
    private func change(_ edit: (inout State) -> Bool) {
        let notify = state.withLock { edit(&$0) ? $0.notify : nil }
        notify?()
    }
}

/// Updates and ends one activity. The activity ends at the latest when the last reference to its handle is released.
public final class ActivityHandle: Sendable {
    public let id: UInt64
    private let board: ActivityBoard

    fileprivate init(id: UInt64, board: ActivityBoard) {
        self.id = id
        self.board = board
    }

    deinit { board.end(id) }

    /// Updates the values that are not nil. `progress` is clamped to 0…1; NaN is ignored. Does nothing after the end.
    public func update(message: String? = nil, subject: String? = nil, progress: Double? = nil) {
        board.update(id) { activity in
            if let message { activity.message = ActivityBoard.bounded(message) }
            if let subject { activity.subject = ActivityBoard.bounded(subject) }
            if let progress, let clamped = ActivityBoard.clamp(progress) { activity.progress = clamped }
        }
    }

    /// Further calls do nothing.
    public func end() { board.end(id) }
}
