import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// sync.conf of podcast-sync, and servers that it cannot use.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SyncConfigStoryTests {
    private let laptop: RunningDaemon
    private let client: DaemonConnection
    private let server: LoopbackServer

    init() throws {
        laptop = try RunningDaemon(trustsLoopback: true)
        client = try laptop.connect(watching: .sync)
        server = try LoopbackServer()
        server.serveOtherwise { _ in
            .status(200, fields: [], body: Array(#"{"add":[],"remove":[],"actions":[],"timestamp":1}"#.utf8))
        }
    }

    /// Waits until an account matches.
    private func account(_ name: String, _ matches: (SyncAccount) -> Bool) throws -> SyncAccount {
        while true {
            if let found = try client.call(ListSyncAccounts()).rows.first(where: { $0.name == name && matches($0) }) {
                return found
            }
            try client.change(of: .sync)
        }
    }

    @Test func readsItsFileAgainAfterSIGHUP() throws {
        let program = try syncing(laptop, with: ["one = gpodder \(server.url("")) anna secret"])
        _ = try account("one") { $0.state == .idle }
        func reload(_ text: String) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: laptop.scratch.path + "/sync.conf"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
            kill(program.number, SIGHUP)
        }
        try reload("[accounts]\nnonsense")
        #expect(try program.wait(for: "sync.conf:2"))
        _ = try account("one") { $0.state == .idle }
        try reload("[accounts]\ntwo = gpodder \(server.url("")) anna secret")
        _ = try account("two") { $0.state == .idle }
        try expectEqual(client.call(ListSyncAccounts()).rows.contains { $0.name == "one" && $0.state != .off }, false)
        expectEqual(program.stop(), .exited(0))
    }

    @Test func reportsAServerThatDoesNotAnswer() throws {
        let gate = Gate()
        server.serveOtherwise { _ in .resource(Resource(Array("{}".utf8)), faults: [.stall(at: 0, .gate(gate))]) }
        let program = try syncing(laptop, with: ["odd = gpodder \(server.url("")) anna secret"])
        let waiting = try account("odd") { $0.message != nil }
        #expect(
            waiting.state == .running && waiting.message?.hasSuffix("has not answered for 10 s") == true, "\(waiting)")
        gate.open()
        expectEqual(program.stop(), .exited(0))
    }

    @Test func trustsTheCertificateThatItsFileNames() throws {
        let server = try TLSServer([:])
        let line = "odd = gpodder \(server.url("x").dropLast(2)) anna secret"
        let program = try syncing(laptop, with: [line])
        let failed = try account("odd") { $0.state == .failed }
        #expect(failed.message?.contains("ca_file = FILE below [sync]") == true, "\(failed)")
        expectEqual(program.stop(), .exited(0))
        let trusting = try syncing(laptop, with: [line], settings: "[sync]\nca_file = \(server.authority)")
        // The server answers, but not as one for synchronization.
        let other = try account("odd") { $0.state == .failed }
        #expect(other.message?.contains("certificate") == false, "\(other)")
        expectEqual(trusting.stop(), .exited(0))
    }
}
