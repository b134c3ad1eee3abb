internal import Activity
internal import ControlProtocol
internal import Synchronization
internal import WireMapping

/// Answers `activities`: shows the board, and lets other processes stand on it. What a connection began ends with it.
final class ActivitiesHandler: CommandHandler {
    /// How many activities one connection may have in progress.
    private static let maximum = 32

    private let board: ActivityBoard
    private let handles = Mutex<[ConnectionID: [UInt64: ActivityHandle]]>([:])

    init(board: ActivityBoard) { self.board = board }

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        let connection = call.caller.connection
        switch call.command(of: ActivitiesCommand.self) {
        case .list?:
            return .reply(ActivityListReply(board.snapshot.map { ActivityReply($0) }))
        case .begin?: return begin(parameters, connection)
        case .update?:
            return with(parameters, connection) { handle in
                handle.update(
                    message: parameters.text("message"), subject: parameters.text("subject"),
                    progress: parameters.number("progress"))
            }
        case .end?:
            return with(parameters, connection) { [self] handle in
                handle.end()
                handles.withLock { _ = $0[connection]?.removeValue(forKey: handle.id) }
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    func connectionEnded(_ connection: ConnectionID) {
        // The handles are let go outside the lock: their ends are told to watchers.
        let ended = handles.withLock { $0.removeValue(forKey: connection) }
        for handle in (ended ?? [:]).values { handle.end() }
    }

    private func begin(_ parameters: Parameters, _ connection: ConnectionID) -> CommandAnswer {
        guard let kind = parameters.text("kind").flatMap(Activity.Kind.init) else {
            return .error(ControlError(.invalidParameters, "that is no kind of activity"))
        }
        let (count, parent) = handles.withLock { handles in
            let mine = handles[connection] ?? [:]
            return (mine.count, parameters.integer("parent").flatMap { mine[UInt64($0)] })
        }
        guard count < Self.maximum else {
            return .error(ControlError(.conflict, "this connection has \(count) activities in progress already"))
        }
        let handle = board.begin(
            kind, parameters.text(required: "message"), subject: parameters.text("subject"),
            progress: parameters.number("progress"), parent: parent)
        handles.withLock { $0[connection, default: [:]][handle.id] = handle }
        return .reply(ActivityBegunReply(id: handle.id))
    }

    private func with(
        _ parameters: Parameters, _ connection: ConnectionID, _ body: (ActivityHandle) -> Void
    ) -> CommandAnswer {
        let id = UInt64(parameters.integer(required: "id"))
        guard let handle = handles.withLock({ $0[connection]?[id] }) else {
            return .error(ControlError(.notFound, "this connection has no activity \(id)"))
        }
        body(handle)
        return .reply(EmptyReply())
    }
}
