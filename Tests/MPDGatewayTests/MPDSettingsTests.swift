import ControlLanguage
import GatewayKit
import LineServing
import PasswordHashing
import SystemCalls
import Testing

@testable import MPDGateway

@Suite struct MPDSettingsTests {
    @Test func thisMachineControlsAndOthersDoNothingUntilConfigured() {
        let settings = MPDSettings()
        let user = LinePeer.local(.init(process: 1, user: 1000, group: 1000), groups: [])
        #expect(settings.permission(of: user) == .control)
        #expect(settings.permission(of: .network(address: "127.0.0.1")) == .control)
        #expect(settings.permission(of: .network(address: "::1")) == .control)
        #expect(settings.permission(of: .network(address: "192.0.2.7")) == nil)
        #expect(settings.highestPermission == .control)
    }

    @Test func passwordsGrantTheirPermission() throws {
        let (one, two) = (try #require(PasswordHash.make(from: "tea")), try #require(PasswordHash.make(from: "milk")))
        let settings = MPDSettings.read(
            "[server]\nlisten = 0.0.0.0:6600 /run/x\nlocal = none\nremote = read\n[passwords]\nphone = control \(one.text)\nme = admin \(two.text)\n"
        ).settings
        #expect(settings.listen.count == 2)
        #expect(settings.permission(of: .network(address: "127.0.0.1")) == nil)
        #expect(settings.permission(of: .network(address: "192.0.2.7")) == .read)
        #expect(settings.permission(of: "tea") == .control && settings.permission(of: "milk") == .admin)
        #expect(settings.permission(of: "water") == nil)
        #expect(settings.highestPermission == .admin)
    }

    @Test(arguments: [
        ("[server]\nlisten = example.org:6600\n", 2), ("[server]\nlocal = all\n", 2),
        ("[passwords]\nx = control tea\n", 2),
        ("\n[server]\ncolour = red\n", 3), ("nonsense\n", 1),
    ])
    func whatIsWrongIsNamedWithItsLine(_ text: String, _ line: Int) {
        #expect(MPDSettings.read(text).problems.map(\.line) == [line])
    }
}
