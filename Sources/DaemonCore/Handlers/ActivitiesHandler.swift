internal import ControlLanguage
internal import ControlProtocol
internal import Reporting
internal import SerialThreads

/// Answers `activities`: lists activities, and lets other processes report activities. The activities of a connection end with the connection.
struct ActivitiesHandler {
    /// Maximum number of activities of one user's connections.
    private static let maximumPerUser = 32
    /// Maximum number of activities of all clients. Those with the permission `admin`, such as podcast-refresh, may begin
    /// `maximumPerUser` more. All of them fit in one line of `status.get`, even with the longest texts.
    private static let maximum = 128

    private struct Held {
        let user: UInt32
        var handles: [UInt64: ActivityHandle] = [:]
    }

    let board: ActivityBoard
    private let held = Locked<[ConnectionID: Held]>([:])

    var answers: [AnsweredCommand] { [.atOnce(list), .atOnce(begin), .atOnce(update), .atOnce(end)] }

    func connectionEnded(_ connection: ConnectionID) {
        // Ending an activity calls watchers, so it happens outside the lock.
        let ended = held.withLock { $0.removeValue(forKey: connection) }
        for handle in (ended?.handles ?? [:]).values { handle.end() }
    }

    private func list(_ request: ListActivities) -> ActivityListReply { ActivityListReply(board.snapshot) }

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
                .conflict, "user \(user) already has \(count) activities in progress", hint: "end one of them first")
        }
        guard total < Self.maximum + (caller.permission >= .admin ? Self.maximumPerUser : 0) else {
            throw ControlError(
                .unavailable, "clients already have \(total) activities in progress", hint: "try again later")
        }
        let handle = board.begin(
            request.kind, request.message, subject: request.subject, progress: request.progress, parent: parent)
        held.withLock { $0[caller.connection, default: Held(user: user)].handles[handle.id] = handle }
        return ActivityBegunReply { $0.id = handle.id }
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
