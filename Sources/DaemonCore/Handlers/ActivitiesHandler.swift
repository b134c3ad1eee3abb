internal import Activity
internal import ControlProtocol
internal import Synchronization

/// Answers `activities`: shows the board, and lets other processes stand on it. What a connection began ends with it.
final class ActivitiesHandler: CommandHandler {
    /// How many activities one connection may have in progress.
    private static let maximum = 32

    private let board: ActivityBoard
    private let handles = Mutex<[ConnectionID: [UInt64: ActivityHandle]]>([:])

    init(board: ActivityBoard) { self.board = board }

    var answers: [AnsweredCommand] {
        ActivitiesSection.commands.answered(by: .atOnce(list), .atOnce(begin), .atOnce(update), .atOnce(end))
    }

    func connectionEnded(_ connection: ConnectionID) {
        // The handles are let go outside the lock: their ends are told to watchers.
        let ended = handles.withLock { $0.removeValue(forKey: connection) }
        for handle in (ended ?? [:]).values { handle.end() }
    }

    private func list(_ request: ListActivities) -> ActivityListReply {
        ActivityListReply(board.snapshot.map { ActivityReply($0) })
    }

    private func begin(_ request: BeginActivity, _ caller: Caller) throws(ControlError) -> ActivityBegunReply {
        let (count, parent) = handles.withLock { handles in
            let mine = handles[caller.connection] ?? [:]
            return (mine.count, request.parent.flatMap { mine[$0] })
        }
        guard count < Self.maximum else {
            throw ControlError(.conflict, "this connection has \(count) activities in progress already")
        }
        let handle = board.begin(
            Activity.Kind(request.kind), request.message, subject: request.subject, progress: request.progress,
            parent: parent)
        handles.withLock { $0[caller.connection, default: [:]][handle.id] = handle }
        return ActivityBegunReply(id: handle.id)
    }

    private func update(_ request: UpdateActivity, _ caller: Caller) throws(ControlError) -> EmptyReply {
        try handle(request.id, of: caller).update(
            message: request.message, subject: request.subject, progress: request.progress)
        return EmptyReply()
    }

    private func end(_ request: EndActivity, _ caller: Caller) throws(ControlError) -> EmptyReply {
        try handle(request.id, of: caller).end()
        handles.withLock { _ = $0[caller.connection]?.removeValue(forKey: request.id) }
        return EmptyReply()
    }

    private func handle(_ id: UInt64, of caller: Caller) throws(ControlError) -> ActivityHandle {
        guard let handle = handles.withLock({ $0[caller.connection]?[id] }) else {
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
