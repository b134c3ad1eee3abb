import CommandLineTool
import ControlLanguage
import ControlProtocol
import ControlSocket
import ControlTool
import Foundation
import JSON
import LineServing
import Synchronization
import SystemCalls
import TestSupport

/// A daemon that answers each command as the test says, and remembers what was asked.
final class CannedDaemon: StatusSource, PermissionPolicy, Sendable {
    private struct State {
        var replies: [String: Result<JSONValue, ControlError>] = [:]
        var pages: [String: [JSONValue]] = [:]
        var calls: [any Command] = []
        var parts: [StatusPart: JSONValue] = [:]
    }
    private let state = Mutex(State())

    func reply(to name: String, _ value: JSONValue) { state.withLock { $0.replies[name] = .success(value) } }
    func refuse(_ name: String, _ error: ControlError) { state.withLock { $0.replies[name] = .failure(error) } }
    /// Answers the calls of a command one after another with these.
    func pages(of name: String, _ pages: [JSONValue]) { state.withLock { $0.pages[name] = pages } }
    func set(_ part: StatusPart, _ value: JSONValue) { state.withLock { $0.parts[part] = value } }
    /// What was asked, in order.
    var calls: [any Command] { state.withLock { $0.calls } }
    /// What was asked of one command.
    func calls<Called: Command>(of type: Called.Type) -> [Called] { calls.compactMap { $0 as? Called } }

    fileprivate func answer<Called: Command>(_ command: Called) -> CommandAnswer {
        .now(
            state.withLock { state in
                state.calls.append(command)
                if let page = state.pages[Called.name]?.first {
                    state.pages[Called.name]?.removeFirst()
                    return .success(page)
                }
                return state.replies[Called.name] ?? .success(Called.Reply().json)
            })
    }
    func value(of part: StatusPart) -> JSONValue { state.withLock { $0.parts[part] ?? .null } }
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .admin }
}

/// Has all commands of a section answered by a canned daemon.
private struct CannedSection: CommandHandler {
    let section: CommandSection
    let daemon: CannedDaemon

    var answers: [AnsweredCommand] { section.types.map { answered($0) } }

    private func answered<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
        AnsweredCommand { (command: Called, _) in daemon.answer(command) }
    }
}

/// podcastctl against a canned daemon, over a real socket.
final class ToolRun {
    let daemon = CannedDaemon()
    let folder: URL
    let socket: String
    let server: ControlServer

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("control").path
        let sections = CommandTable.sections.filter { $0 != .session }
        let handlers = sections.map { [daemon] in CannedSection(section: $0, daemon: daemon) }
        server = try ControlServer(
            dispatcher: CommandDispatcher(handlers: handlers, version: "9.9.9"), status: daemon, policy: daemon,
            eventInterval: .zero)
        try server.start(on: [try LineListener(path: socket)])
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a command line, split at spaces; `width` makes stdout a terminal without style.
    func run(_ line: String, width: Int? = nil, style: Bool = false) throws -> Outcome<CommandLineTool.ExitStatus> {
        try run(line.split(separator: " ").map(String.init), width: width, style: style)
    }

    func run(
        _ words: [String], width: Int? = nil, style: Bool = false, socket: String? = nil,
        machine: any Machine = OtherMachine()
    ) throws -> Outcome<CommandLineTool.ExitStatus> {
        let (output, errors) = (try Capture(in: folder), try Capture(in: folder))
        let path = socket ?? self.socket
        let status = ControlTool.run(
            words,
            streams: ToolStreams(
                output: ToolOutput(descriptor: output.descriptor.raw),
                errors: ToolOutput(descriptor: errors.descriptor.raw),
                terminal: Terminal(isInteractive: width != nil, width: width, usesStyle: style)),
            variable: { $0 == "PODCASTD_SOCKET" ? path : nil }, machine: machine)
        return Outcome(status: status, output: try output.text, errors: try errors.text)
    }
}

/// A file that takes what a program writes.
final class Capture {
    let descriptor: FileDescriptor
    private let path: String

    init(in folder: URL) throws {
        path = folder.appendingPathComponent(UUID().uuidString).path
        descriptor = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_TRUNC)
    }

    var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }
}
