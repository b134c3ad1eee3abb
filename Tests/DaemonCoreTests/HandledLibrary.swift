import AudioOutput
@testable import ControlLanguage
import JSON
import TestSupport
import Testing

@testable import DaemonCore

/// A daemon's parts with three episodes (ids 1 to 3, the oldest first), to whose handlers commands go as from a client.
final class HandledLibrary: Sendable {
    private let dispatcher: CommandDispatcher
    let parts: DaemonParts

    init(_ daemon: TestDaemon) {
        parts = daemon.parts
        dispatcher = daemon.parts.commandDispatcher(ConfiguredPermissions(owner: 0, others: nil))
    }

    /// Runs a test with the parts, then stops them.
    static func run(
        searches: [OutputSearch] = [], _ test: (HandledLibrary) async throws -> Void
    ) async throws {
        try await TestDaemon.run(searches: searches) { daemon in
            _ = try await daemon.addEpisodes("Blue", "Grey", "Sperm")
            try await test(HandledLibrary(daemon))
        }
    }

    /// The result of a command, as a client gets it.
    /// - Throws: `ControlError` as the client gets it.
    @discardableResult
    func call(
        _ method: String, _ params: JSONValue = [:], as permission: CommandDeclaration.Permission = .admin
    ) async throws -> JSONValue {
        let caller = Caller(
            connection: ConnectionID(1), peer: PeerIdentity(process: 1, user: 0, group: 0, groups: []),
            permission: permission)
        let command = try dispatcher.command(named: method)
        switch dispatcher.answer(Request(id: nil, method: method, params: params), of: command, by: caller) {
        case .now(let result): return try result.get().json
        case .later(let start):
            return try await withCheckedThrowingContinuation { waiting in
                start { waiting.resume(with: $0.map(\.json)) }
            }
        }
    }

    /// The error of a command, which must fail.
    func refusal(
        _ method: String, _ params: JSONValue = [:], as permission: CommandDeclaration.Permission = .admin
    ) async -> ControlError? {
        await #expect(throws: ControlError.self, "\(method) \(params)") {
            try await call(method, params, as: permission)
        }
    }

    /// A member of each row of a reply's list.
    func column(
        _ member: String, of list: String, _ method: String, _ params: JSONValue = [:]
    ) async throws -> [JSONValue?] { try await call(method, params)[list]?.arrayValue?.map { $0[member] } ?? [] }
}
