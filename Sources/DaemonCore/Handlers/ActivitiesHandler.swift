internal import Activity
internal import ControlProtocol
internal import Synchronization

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

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        let connection = call.caller.connection
        switch call.command(of: ActivitiesCommand.self) {
        case .list?:
            return .reply(ActivityListReply(board.snapshot.map { ActivityReply($0) }))
        case .begin?: return begin(parameters, call.caller)
        case .update?:
            return with(parameters, connection) { handle in
                handle.update(
                    message: parameters.text("message"), subject: parameters.text("subject"),
                    progress: parameters.number("progress"))
            }
        case .end?:
            return with(parameters, connection) { [self] handle in
                handle.end()
                held.withLock { _ = $0[connection]?.handles.removeValue(forKey: handle.id) }
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    func connectionEnded(_ connection: ConnectionID) {
        // The handles are let go outside the lock: their ends are told to watchers.
        let ended = held.withLock { $0.removeValue(forKey: connection) }
        for handle in (ended?.handles ?? [:]).values { handle.end() }
    }

    private func begin(_ parameters: Parameters, _ caller: Caller) -> CommandAnswer {
        guard let kind = parameters.text("kind").flatMap(Activity.Kind.init) else {
            return .error(ControlError(.invalidParameters, "that is no kind of activity"))
        }
        let (connection, user) = (caller.connection, caller.peer.user)
        let (count, total, parent) = held.withLock { held in
            (
                held.values.reduce(0) { $0 + ($1.user == user ? $1.handles.count : 0) },
                held.values.reduce(0) { $0 + $1.handles.count },
                parameters.integer("parent").flatMap { held[connection]?.handles[UInt64($0)] }
            )
        }
        guard count < Self.maximumPerUser else {
            return .error(
                ControlError(
                    .conflict, "user \(user) has \(count) activities in progress already", hint: "end one of them first"
                ))
        }
        guard total < Self.maximum + (caller.permission >= .admin ? Self.maximumPerUser : 0) else {
            return .error(
                ControlError(
                    .unavailable, "clients have \(total) activities in progress already", hint: "try again later"))
        }
        let handle = board.begin(
            kind, parameters.text(required: "message"), subject: parameters.text("subject"),
            progress: parameters.number("progress"), parent: parent)
        held.withLock { $0[connection, default: Held(user: user)].handles[handle.id] = handle }
        return .reply(ActivityBegunReply(id: handle.id))
    }

    private func with(
        _ parameters: Parameters, _ connection: ConnectionID, _ body: (ActivityHandle) -> Void
    ) -> CommandAnswer {
        let id = UInt64(parameters.integer(required: "id"))
        guard let handle = held.withLock({ $0[connection]?.handles[id] }) else {
            return .error(ControlError(.notFound, "this connection has no activity \(id)"))
        }
        body(handle)
        return .reply(EmptyReply())
    }
}
