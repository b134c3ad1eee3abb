internal import ControlProtocol
internal import Synchronization
public import ControlLanguage
public import Foundation
public import JSON
public import LineServing

/// A daemon that answers each command as the test says, and remembers what was asked.
public final class CannedDaemon: StatusSource, PermissionPolicy, Sendable {
    private struct State {
        var replies: [String: CommandResult] = [:]
        var pages: [String: [JSONValue]] = [:]
        public var calls: [any Command] = []
        var parts: [StatusPart: JSONValue] = [:]
        /// Commands that are not answered yet, with those who wait.
        var held: [String: [@Sendable (CommandResult) -> Void]] = [:]
        /// Revisions of lists that the test has changed.
        var revisions: [StatusPart: UInt64] = [:]
    }
    private let state = Mutex(State())

    public init() {}

    public func reply(to name: String, _ value: JSONValue) { state.withLock { $0.replies[name] = .success(value) } }
    public func refuse(_ name: String, _ error: ControlError) { state.withLock { $0.replies[name] = .failure(error) } }
    /// Answers the calls of a command one after another with these.
    public func pages(of name: String, _ pages: [JSONValue]) { state.withLock { $0.pages[name] = pages } }
    public func set(_ part: StatusPart, _ value: JSONValue) { state.withLock { $0.parts[part] = value } }
    /// Answers a command only when it is released.
    public func hold(_ name: String) { state.withLock { $0.held[name] = [] } }
    public func release(_ name: String) {
        let waiting = state.withLock { $0.held.removeValue(forKey: name) } ?? []
        for finish in waiting { finish(.success(JSONValue.object([]))) }
    }
    /// What was asked, in order.
    public var calls: [any Command] { state.withLock { $0.calls } }
    /// What was asked of one command.
    public func calls<Called: Command>(of type: Called.Type) -> [Called] { calls.compactMap { $0 as? Called } }

    /// Answers all commands of some sections.
    fileprivate func answers(_ sections: [CommandSection]) -> [AnsweredCommand] {
        sections.flatMap { section in section.types.map { answered($0) } }
    }

    private func answered<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
        AnsweredCommand { [self] (command: Called, _) in answer(command) }
    }

    private func answer<Called: Command>(_ command: Called) -> CommandAnswer {
        let isHeld = state.withLock { state in
            if state.held[Called.name] == nil { return false }
            state.calls.append(command)
            return true
        }
        if isHeld { return .later { [self] finish in state.withLock { $0.held[Called.name]?.append(finish) } } }
        return .now(
            state.withLock { state -> CommandResult in
                state.calls.append(command)
                if let page = state.pages[Called.name]?.first {
                    state.pages[Called.name]?.removeFirst()
                    return .success(page)
                }
                return state.replies[Called.name] ?? .success(Called.Reply().json)
            })
    }
    public func value(of part: StatusPart) -> JSONValue { state.withLock { $0.parts[part] ?? .null } }
    public func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        PartUpdate(value: value(of: part), revision: state.withLock { $0.revisions[part] })
    }
    fileprivate func change(_ part: StatusPart) { state.withLock { $0.revisions[part, default: 0] += 1 } }
    public func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .admin }
}

/// A canned daemon at a socket.
public final class ServedDaemon {
    public let daemon = CannedDaemon()
    public let folder: URL
    public let socket: String
    public let server: ControlServer

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("canned-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("control").path
        let sections = CommandTable.sections.filter { $0.name != CommandSection.session.name }
        server = try ControlServer(
            dispatcher: CommandDispatcher(daemon.answers(sections), version: "9.9.9", policy: daemon), status: daemon,
            policy: daemon,
            eventInterval: .zero)
        try server.start(on: [try LineListener(path: socket)])
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Changes a part and reports it to clients that watch.
    public func publish(_ part: StatusPart, _ value: JSONValue) {
        daemon.set(part, value)
        server.publish(part)
    }

    /// Reports to clients that watch that they must read a list again.
    public func change(_ part: StatusPart) {
        daemon.change(part)
        server.publish(part)
    }

    /// Closes all connections.
    public func stop() { server.stop() }
}
