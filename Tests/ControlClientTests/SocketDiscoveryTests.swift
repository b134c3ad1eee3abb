import ControlClient
import Foundation
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct SocketDiscoveryTests {
    private func path(
        _ variables: [String: String], existing: Set<String>, explicit: String? = nil, hidden: Set<String> = [],
        answering: Set<String> = [], runtime: String? = nil
    ) -> SocketDiscovery {
        SocketDiscovery(
            explicit: explicit, variable: { variables[$0] }, runtime: runtime,
            exists: { hidden.contains($0) ? nil : existing.contains($0) }, answers: { answering.contains($0) })
    }

    private let user = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/u"]
    private let userLibrary = "/home/u/.local/share/podcastd/library.db"
    private let systemLibrary = "/var/lib/podcastd/library.db"
    private let userSocket = "/run/user/1/podcastd/control"
    private let systemSocket = "/run/podcastd/control"

    @Test func whatIsAskedForComesFirst() {
        expectEqual(path(["PODCASTD_SOCKET": "/b"], existing: [], explicit: "/a").path, "/a")
        expectEqual(path(["PODCASTD_SOCKET": "/b"], existing: []).path, "/b")
    }

    @Test func theOneThatHasALibraryIsUsed() {
        expectEqual(path(user, existing: [userLibrary]).path, userSocket)
        expectEqual(path(user, existing: [systemLibrary, userSocket]).path, systemSocket)
        expectEqual(path(user, existing: [systemSocket], hidden: [systemLibrary]).path, systemSocket)
    }

    @Test func theUsersSocketIsUsedIfItAnswersAlsoBeforeThereIsALibrary() {
        for hidden: Set<String> in [[], [systemLibrary]] {
            let first = path(user, existing: [userSocket], hidden: hidden, answering: [userSocket])
            expectEqual(first.path, userSocket)
            let both = path(
                user, existing: [userSocket, systemSocket], hidden: hidden, answering: [userSocket, systemSocket])
            expectEqual(both.path, userSocket)
        }
    }

    @Test func aSystemFolderThatCannotBeSearchedProvesNothing() {
        expectEqual(path(user, existing: [], hidden: [systemLibrary]).path, userSocket)
        expectEqual(path(user, existing: [userSocket], hidden: [systemLibrary]).path, userSocket)
        expectEqual(path(user, existing: [], hidden: [systemLibrary, systemSocket]).path, userSocket)
    }

    @Test func aUserWithALibraryIsNotConnectedToBeforeTheFirstCommand() {
        let chosen = SocketDiscovery(
            explicit: nil, variable: { user[$0] }, exists: { $0 == userLibrary },
            answers: { path in
                Issue.record("connected to \(path)")
                return true
            })
        expectEqual(chosen.path, userSocket)
    }

    @Test func aSocketAnswersAsLongAsItIsServed() throws {
        let path = FileManager.default.temporaryDirectory.path + "/socket-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var listener: FileDescriptor? = try LocalSocket.listen(at: path, mode: 0o600)
        #expect(SocketDiscovery.answers(path))
        #expect(!SocketDiscovery.answers(path + "-missing"))
        listener = nil
        _ = listener
        #expect(!SocketDiscovery.answers(path))
    }

    @Test func ofTwoTheUsersIsUsedAndThatIsSaid() {
        let both = path(user, existing: [userLibrary, systemLibrary, systemSocket, userSocket])
        expectEqual(both.path, userSocket)
        #expect(both.note != nil)
        expectEqual(path(user, existing: [userLibrary, userSocket]).note, nil)
    }

    @Test func aCronJobFindsTheUsersSocketWithoutXDGsVariable() {
        let variables = ["HOME": "/home/u"]
        expectEqual(path(variables, existing: [userLibrary], runtime: "/run/user/1").path, userSocket)
        expectEqual(path(user, existing: [userLibrary], runtime: "/other").path, userSocket)
    }

    @Test func withoutAnyTheUsersIsMeant() {
        expectEqual(path(user, existing: []).path, userSocket)
        expectEqual(path(user, existing: [systemSocket]).path, systemSocket)
        expectEqual(path([:], existing: []).path, systemSocket)
    }
}
