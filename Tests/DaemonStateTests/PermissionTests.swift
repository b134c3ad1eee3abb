import ControlLanguage
@testable import DaemonCore
import Testing
import TestSupport

@Suite struct PermissionTests {
    private let policy = ConfiguredPermissions(
        owner: 100, users: [200: .control], groups: [10: .read, 20: .admin], others: nil)

    @Test(arguments: [
        (PeerIdentity(process: 1, user: 100, group: 1), CommandDeclaration.Permission?.some(.admin)),
        (PeerIdentity(process: 1, user: 0, group: 0), .admin),
        (PeerIdentity(process: 1, user: 200, group: 1), .control),
        (PeerIdentity(process: 1, user: 300, group: 1), nil), (PeerIdentity(process: 1, user: 300, group: 10), .read),
        (PeerIdentity(process: 1, user: 300, group: 1, groups: [10, 20]), .admin),
        (PeerIdentity(process: 1, user: 200, group: 10), .control),
        // What a user that the namespace does not know is shown as.
        (PeerIdentity(process: 0, user: 65534, group: 65534), nil),
    ])
    func theHighestOfUserAndGroupsCounts(peer: PeerIdentity, permission: CommandDeclaration.Permission?) {
        expectEqual(policy.permission(of: peer), permission)
    }

    @Test func everybodyMayHaveSomething() {
        let open = ConfiguredPermissions(owner: 100, users: [5: .control], others: .read)
        expectEqual(open.permission(of: PeerIdentity(process: 1, user: 5, group: 1)), .control)
        expectEqual(open.permission(of: PeerIdentity(process: 1, user: 6, group: 1)), .read)
    }
}
