import ControlLanguage
import ControlProtocol
import JSON
import Synchronization
import SystemCalls

@testable import LineServing

/// The codec of the control socket: a client's bytes, in pieces, through the buffer and session that the server uses.
enum ControlFuzz {
    private final class Finished: Sendable {
        private let results = Mutex<[(ControlSession.CallNumber, CommandResult)]>([])
        func add(_ call: ControlSession.CallNumber, _ result: CommandResult) {
            results.withLock { $0.append((call, result)) }
        }
        func takeAll() -> [(ControlSession.CallNumber, CommandResult)] {
            results.withLock { results in
                defer { results = [] }
                return results
            }
        }
    }

    /// Echoes a call's parameters: at once, or when the finished calls are collected.
    private struct Echo {
        let section: CommandSection

        var answers: [AnsweredCommand] { section.types.map { answered($0) } }

        private func answered<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
            AnsweredCommand { (command: Called, _) in
                let value = JSONValue.string("\(Called.name) \(command)")
                if Called.name.utf8.count % 2 == 0 { return .value(value) }
                return .later { $0(.success(value)) }
            }
        }
    }

    private struct Nothing: StatusSource {
        func value(of part: StatusPart) -> JSONValue { .null }
    }

    private struct Policy: PermissionPolicy {
        func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .read }
    }

    private final class Host: ControlSession.Host {
        let dispatcher = CommandDispatcher(
            CommandTable.sections.filter { !["server", "session"].contains($0.name) }
                .flatMap { Echo(section: $0).answers },
            version: "0", policy: Policy())
        let status: any StatusSource = Nothing()
        let deliver: @Sendable (ConnectionID, ControlSession.CallNumber, CommandResult) -> Void = {
            finished.add($1, $2)
        }
        func willWatch(_ parts: StatusParts) -> UInt64 { 7 }
    }

    private static let finished = Finished()

    static func run(_ input: FuzzInput) {
        var input = input
        let permissions: [CommandDeclaration.Permission] = [.read, .control, .admin]
        let choice = input.number()
        var client = Client(permission: permissions[Int(choice) % permissions.count])
        for piece in input.pieces(input.number()) { client.receive(piece) }
        client.finishAll()
        require(!client.session.hasCalls, "a call is never answered")
        client.checkOutput()
    }

    private struct Client {
        private let host = Host()
        var session: ControlSession
        var buffer = LineBuffer()
        var output: [UInt8] = []

        init(permission: CommandDeclaration.Permission) {
            session = ControlSession(
                caller: Caller(
                    connection: ConnectionID(1), peer: PeerIdentity(process: 1, user: 1, group: 1),
                    permission: permission), on: host)
        }

        mutating func receive(_ bytes: UnsafeRawBufferPointer) {
            buffer.append(bytes)
            takeLines()
        }

        private mutating func takeLines() {
            while !session.isWaiting {
                let taken: Void? = buffer.takeLine { line in
                    session.take(line: line, output: &output)
                }
                if taken == nil { return }
            }
        }

        mutating func finishAll() {
            while case let results = finished.takeAll(), !results.isEmpty {
                for (call, result) in results {
                    session.finish(call, result, output: &output)
                }
                takeLines()
            }
        }

        func checkOutput() {
            guard !output.isEmpty else { return }
            require(output.last == UInt8(ascii: "\n"), "an answer has no end")
            for line in output.split(separator: UInt8(ascii: "\n")) {
                require(line.count <= Outgoing.maximumLine, "an answer is too long")
                line.withUnsafeBytes { bytes in
                    require((try? JSONValue(parsing: bytes)) != nil, "an answer is no JSON")
                }
            }
        }
    }
}
