import ControlClient
import ControlLanguage
import Foundation
import JSON
import LineServing
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct ListenerTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lst-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func theSocketIsForOwnerAndGroup() throws {
        try withFolder { folder in
            let listener = try LineListener(path: folder + "/sub/control")
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/sub/control")
            expectEqual(attributes[.posixPermissions] as? Int, 0o660)
            _ = listener
        }
    }

    @Test func aSocketWithoutAServerIsReplaced() throws {
        try withFolder { folder in
            let path = folder + "/control"
            // A listener that went without removing its path, as after kill -9.
            _ = try LocalSocket.listen(at: path, mode: 0o600)
            let listener = try LineListener(path: path)
            _ = try LocalSocket.connect(to: path)
            _ = listener
        }
    }

    @Test func aSocketWithAServerIsKeptAndReported() throws {
        try withFolder { folder in
            let path = folder + "/control"
            let listener = try LineListener(path: path)
            #expect(throws: LineListener.BindError.alreadyServed(path)) { try LineListener(path: path) }
            _ = try LocalSocket.connect(to: path)
            _ = listener
        }
    }

    @Test func anotherFileIsNeverRemoved() throws {
        try withFolder { folder in
            let path = folder + "/control"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: LineListener.BindError.notASocket(path)) { try LineListener(path: path) }
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aPathThatIsTooLongIsAnError() {
        #expect(throws: LineListener.BindError.self) {
            try LineListener(path: "/tmp/" + String(repeating: "x", count: 200))
        }
    }

    @Test func anInheritedSocketIsServed() throws {
        try withFolder { folder in
            let path = folder + "/control"
            let inherited = try LocalSocket.listen(at: path, mode: 0o600)
            let server = try ControlServer(
                dispatcher: CommandDispatcher([], version: "1", policy: StubPolicy()), status: StubStatus(),
                policy: StubPolicy())
            try server.start(on: [try LineListener(adopting: inherited)])
            try expectEqual(ControlConnection(path: path).call("server.version")["version"], "1")
            server.stop()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aClientIsToldThatNoDaemonRuns() throws {
        try withFolder { folder in
            #expect(throws: ClientFailure.notRunning(path: folder + "/none")) {
                try ControlConnection(path: folder + "/none")
            }
        }
    }

    @Test func thePeerIsIdentifiedByTheKernel() throws {
        try withFolder { folder in
            let listener = try LocalSocket.listen(at: folder + "/s", mode: 0o600)
            let client = try LocalSocket.connect(to: folder + "/s")
            guard let accepted = try LocalSocket.accept(listener.raw) else {
                Issue.record("nobody is waiting to be accepted")
                return
            }
            let peer = try LocalSocket.credentials(of: accepted.raw)
            #expect(peer.user == geteuid() && peer.group == getegid() && peer.process == getpid())
            #expect(Set(LocalSocket.groups(of: accepted.raw)).isSubset(of: Set(ownGroups())))
            _ = client.raw
        }
    }

    private func ownGroups() -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(1024, &groups)
        return Array(groups.prefix(Int(max(0, count)))) + [getegid()]
    }
}
