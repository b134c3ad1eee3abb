internal import Activity
internal import ControlLanguage
internal import ControlProtocol
internal import Synchronization
internal import WireMapping

/// Answers `activities`: shows the board, and lets other processes stand on it. What a connection began ends with it.
final class ActivitiesHandler: CommandHandler {
    /// Activities that all connections of one user may have in progress.
    private static let maximumPerUser = 32
    /// Activities that all clients may have in progress; those with the permission `admin`, such as podcast-refresh, may
    /// begin `maximumPerUser` more. Together they fit in one line of `status.get`, however long their texts are.
    private static let maximum = 128

    /// What one connection has in progress.
    private struct Held {
        let user: UInt32
        var handles: [UInt64: ActivityHandle] = [:]
    }

    private let board: ActivityBoard
    private let held = Mutex<[ConnectionID: Held]>([:])

    init(board: ActivityBoard) { self.board = board }

    var answers: [AnsweredCommand] {
        ActivitiesSection.commands.answered(by: .atOnce(list), .atOnce(begin), .atOnce(update), .atOnce(end))
    }

    func connectionEnded(_ connection: ConnectionID) {
        // The handles are let go outside the lock: their ends are told to watchers.
        let ended = held.withLock { $0.removeValue(forKey: connection) }
        for handle in (ended?.handles ?? [:]).values { handle.end() }
    }

    private func list(_ request: ListActivities) -> ActivityListReply {
        ActivityListReply(board.snapshot.map { ActivityReply($0) })
    }

    func begin(_ request: BeginActivity, _ caller: Caller) throws(ControlError) -> ActivityBegunReply {
        let user = caller.peer.user
        let (count, total, parent) = held.withLock { held in
            (
                held.values.reduce(0) { $0 + ($1.user == user ? $1.handles.count : 0) },
                held.values.reduce(0) { $0 + $1.handles.count },
                request.parent.flatMap { held[caller.connection]?.handles[$0] }
            )
        }
        guard count < Self.maximumPerUser else {
            throw ControlError(
                .conflict, "user \(user) has \(count) activities in progress already", hint: "end one of them first")
        }
        guard total < Self.maximum + (caller.permission >= .admin ? Self.maximumPerUser : 0) else {
            throw ControlError(
                .unavailable, "clients have \(total) activities in progress already", hint: "try again later")
        }
        let handle = board.begin(
            Activity.Kind(request.kind), request.message, subject: request.subject, progress: request.progress,
            parent: parent)
        held.withLock { $0[caller.connection, default: Held(user: user)].handles[handle.id] = handle }
        return ActivityBegunReply(id: handle.id)
    }

    private func update(_ request: UpdateActivity, _ caller: Caller) throws(ControlError) -> EmptyReply {
        try handle(request.id, of: caller).update(
            message: request.message, subject: request.subject, progress: request.progress)
        return EmptyReply()
    }

    private func end(_ request: EndActivity, _ caller: Caller) throws(ControlError) -> EmptyReply {
        try handle(request.id, of: caller).end()
        held.withLock { _ = $0[caller.connection]?.handles.removeValue(forKey: request.id) }
        return EmptyReply()
    }

    private func handle(_ id: UInt64, of caller: Caller) throws(ControlError) -> ActivityHandle {
        guard let handle = held.withLock({ $0[caller.connection]?.handles[id] }) else {
            throw ControlError(.notFound, "this connection has no activity \(id)")
        }
        return handle
    }
}

extension Activity.Kind {
    fileprivate init(_ kind: BeginActivity.Kind) {
        switch kind {
        case .loading: self = .loading
        case .buffering: self = .buffering
        case .seeking: self = .seeking
        case .refreshing: self = .refreshing
        case .subscribing: self = .subscribing
        case .downloading: self = .downloading
        }
    }
}
