import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LineServing
import Synchronization

/// Values of the parts that a test sets, and handlers that answer as a test needs.
final class StubStatus: StatusSource, Sendable {
    private let values = Mutex<[StatusPart: JSONValue]>([:])
    let readings = Atomic(0)

    /// Changes of the feeds: one in each revision; older ones than the newest ten are forgotten.
    let feedRevision = Atomic<UInt64>(0)

    func set(_ part: StatusPart, _ value: JSONValue) { values.withLock { $0[part] = value } }
    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        guard part == .feeds else { return PartUpdate(value: value(of: part)) }
        let newest = feedRevision.load(ordering: .relaxed)
        let isKnown = revision <= newest && newest - revision <= 10
        return PartUpdate(
            value: .null, revision: newest,
            changes: isKnown ? (revision..<newest).map { RowChange(.update, Int64($0) + 1) } : nil)
    }
    func value(of part: StatusPart) -> JSONValue {
        readings.add(1, ordering: .relaxed)
        return values.withLock { $0[part] ?? .null }
    }
}

/// `pause`, `next`, `previous`, `stop` answer at once; `toggle`, `seek` and `play` when the test says so.
final class StubPlayback: Sendable {
    private struct State {
        var calls: [String] = []
        var waiting: [(verb: String, finish: @Sendable (CommandResult) -> Void)] = []
        var ended: [ConnectionID] = []
    }
    private let state = Mutex(State())
    private let condition = NSCondition()

    var answers: [AnsweredCommand] {
        [
            later(Play.self), atOnce(Pause.self), later(TogglePlayback.self), atOnce(Stop.self), atOnce(PlayNext.self),
            atOnce(PlayPrevious.self), later(Seek.self), later(GoToChapter.self),
            AnsweredCommand { [self] (request: SetVolume, _) in
                note(SetVolume.self)
                return .value(["volume": .integer(Int64(request.level ?? -1))] as JSONValue)
            }, atOnce(SetSpeed.self),
            AnsweredCommand { [self] (_: Undo, _) in
                note(Undo.self)
                return .value(["act": "seek", "count": 1] as JSONValue)
            }, atOnce(Redo.self), atOnce(ListUndoable.self), atOnce(SetSleepTimer.self), atOnce(Announce.self),
        ]
    }

    /// - Returns: the verb.
    @discardableResult
    private func note<Called: Command>(_ type: Called.Type) -> String {
        let verb = Called.declaration.verb
        state.withLock { $0.calls.append(verb) }
        return verb
    }

    private func atOnce<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
        AnsweredCommand { [self] (_: Called, _) in .value(["state": .string(note(Called.self))] as JSONValue) }
    }

    private func later<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
        AnsweredCommand { [self] (_: Called, _) in
            let verb = note(Called.self)
            return .later { finish in
                self.state.withLock { $0.waiting.append((verb, finish)) }
                self.condition.lock()
                self.condition.broadcast()
                self.condition.unlock()
            }
        }
    }

    @Sendable func connectionEnded(_ connection: ConnectionID) {
        condition.lock()
        state.withLock { $0.ended.append(connection) }
        condition.broadcast()
        condition.unlock()
    }

    var calls: [String] { state.withLock { $0.calls } }

    /// Waits until a call of that verb is waiting, and answers it.
    func finish(_ verb: String, _ result: Result<JSONValue, ControlError>) {
        let finish = wait { state in
            state.waiting.firstIndex { $0.verb == verb }.map { state.waiting.remove(at: $0).finish }
        }
        finish(result.map { $0 })
    }

    func waitForEnd() { wait { state in state.ended.isEmpty ? nil : () } }

    private func wait<Value>(_ take: (inout State) -> Value?) -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value = state.withLock({ take(&$0) }) { return value }
            condition.wait()
        }
    }
}

/// Answers `status.get` with a value that the test sets.
final class StubStatusHandler: Sendable {
    let reply: JSONValue
    init(reply: JSONValue = ["state": "playing"]) { self.reply = reply }
    var answers: [AnsweredCommand] {
        [
            AnsweredCommand { [reply] (_: GetStatus, _) in .value(reply) }, .ofConnection(SubscribeStatus.self),
        ]
    }
}

/// What everybody may do in a test.
struct StubPolicy: PermissionPolicy {
    var permission: CommandDeclaration.Permission? = .admin
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { permission }
}

/// A server on a socket in a temporary folder, removed with it.
final class TestServer {
    let folder: URL
    let path: String
    let status = StubStatus()
    let playback = StubPlayback()
    let counters = ServerCounters()
    let server: ControlServer

    init(
        permission: CommandDeclaration.Permission? = .admin, limits: LineServer.Limits = LineServer.Limits(),
        eventInterval: Duration = .milliseconds(100), reply: JSONValue = ["state": "playing"]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ctl-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("control").path
        let dispatcher = CommandDispatcher(
            playback.answers + StubStatusHandler(reply: reply).answers, version: "1.2.3", policy: StubPolicy(),
            connectionEnded: playback.connectionEnded)
        server = try ControlServer(
            dispatcher: dispatcher, status: status, policy: StubPolicy(permission: permission), limits: limits,
            eventInterval: eventInterval, counters: counters)
        try server.start(on: [try LineListener(path: path)])
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
