@testable import MPDGateway
import Configuration
import ControlLanguage
import LineServing
import Secrets
import SystemCalls
import TestSupport
import Testing

@Suite struct MPDSettingsTests {
    @Test func thisMachineControlsAndOthersDoNothingUntilConfigured() {
        let settings = MPDSettings()
        let user = LinePeer.local(.init(process: 1, user: 1000, group: 1000), groups: [])
        expectEqual(settings.permission(of: user), .control)
        expectEqual(settings.permission(of: .network(address: "127.0.0.1")), .control)
        expectEqual(settings.permission(of: .network(address: "::1")), .control)
        expectEqual(settings.permission(of: .network(address: "192.0.2.7")), nil)
        expectEqual(settings.highestPermission, .control)
    }

    @Test func passwordsGrantTheirPermission() throws {
        let (one, two) = (try #require(PasswordHash.make(from: "tea")), try #require(PasswordHash.make(from: "milk")))
        let settings = MPDSettings.file.read(
            "[server]\nlisten = 0.0.0.0:6600 /run/x\nlocal = none\nremote = read\n[passwords]\nphone = control \(one.text)\nme = admin \(two.text)\n"
        ).settings
        expectEqual(settings.listen.count, 2)
        expectEqual(settings.permission(of: .network(address: "127.0.0.1")), nil)
        expectEqual(settings.permission(of: .network(address: "192.0.2.7")), .read)
        #expect(settings.permission(of: "tea") == .control && settings.permission(of: "milk") == .admin)
        expectEqual(settings.permission(of: "water"), nil)
        expectEqual(settings.highestPermission, .admin)
    }

    @Test(arguments: [
        ("[server]\nlisten = example.org:6600\n", 2), ("[server]\nlocal = all\n", 2),
        ("[passwords]\nx = control tea\n", 2),
        ("\n[server]\ncolour = red\n", 3), ("nonsense\n", 1),
    ])
    func whatIsWrongIsNamedWithItsLine(_ text: String, _ line: Int) {
        expectEqual(MPDSettings.file.read(text).problems.map(\.line), [line])
    }
}
