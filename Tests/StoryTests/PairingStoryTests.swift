import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// App passwords for phones, made by the web remote and by Nextcloud's login flow.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PairingStoryTests {
    private let daemon: RunningDaemon
    private let settings: String

    init() throws {
        daemon = try RunningDaemon(trustsLoopback: true)
        let hash = try passwordHash(in: daemon.scratch)
        settings = "[users]\nanna = admin \(hash)\nbert = control \(hash)\n"
    }

    private func gateway(settings: String? = nil) throws -> RunningGateway {
        try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: settings ?? self.settings, hasPort: true)
    }

    private func run(_ script: String, needs modules: String, _ arguments: [String]) throws {
        let python = try RequiredPython.path(with: modules)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script(script)] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(300))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
    }

    @Test func anAppPasswordOpensOnlySynchronizationUntilTheDeviceIsRemoved() throws {
        let (first, second) = (try gateway(), try gateway())
        try run(
            "pairing_story.py", needs: "mygpoclient",
            [
                first.url, second.url, "anna", "open sesame", "bert", "http://127.0.0.1:9/feed.xml",
                Programs.path("podcastctl"), daemon.socketPath,
            ])
        withExtendedLifetime((first, second)) {}
    }

    @Test func aPhoneIsAddedAndRemovedInTheBrowser() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let gateway = try gateway()
        try run(
            "web_devices.py", needs: "selenium, axe_core_python",
            [gateway.url, "anna", "open sesame", RequiredTool.zbarimg.path()])
        withExtendedLifetime(gateway) {}
    }

    @Test func anAppPasswordEndsWithItsOwner() throws {
        let client = try gateway().connect()
        let login = { (name: String, password: String) in
            "Authorization: Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
        }
        let made = try client.ask(
            "POST", "/api/v1/devices", [login("anna", "open sesame"), "Content-Type: application/json"],
            body: #"{"caption":"phone"}"#)
        let password = try #require(JSONValue(parsing: made.text)["password"]?.stringValue)
        try expectEqual(client.ask("GET", "/api/2/devices/anna.json", [login("anna", password)]).status, 200)
        // The user Anna may only read now, and then there is only Bert.
        let reduced = try gateway(settings: settings.replacing("anna = admin", with: "anna = read")).connect()
        try expectEqual(reduced.ask("GET", "/api/2/devices/anna.json", [login("anna", password)]).status, 403)
        let other = try gateway(settings: settings.replacing("anna", with: "carla")).connect()
        try expectEqual(other.ask("GET", "/api/2/devices/anna.json", [login("anna", password)]).status, 401)
    }

    @Test func aDeviceIsPairedOnceAndItsPasswordIsOnlyForAdministrators() throws {
        let client = try daemon.connect(watching: .sync)
        let pair = PairDevice { ($0.name, $0.caption, $0.owner, $0.hash) = ("phone-1", "Phone", "anna", "$y$j9T$x") }
        try expectEqual(client.call(pair).owner, "anna")
        #expect(throws: (any Error).self) { try client.call(pair) }
        #expect(throws: (any Error).self) { try client.call(PairDevice { $0.name = "a\nb" }) }
        try expectEqual(client.call(ShowPassword { $0.name = "phone-1" }).hash, "$y$j9T$x")
        let password = ShowPassword { $0.name = "phone-1" }
        for level in [CommandDeclaration.Permission.read, .control] {
            #expect(throws: (any Error).self) {
                try client.call(
                    CallAs { ($0.permission, $0.method, $0.parameters) = (level, ShowPassword.name, password.params) })
            }
        }
        try expectOutcome(daemon.ctl("device", "remove", "phone-1"), 0, output: "forgot phone-1")
        #expect(throws: (any Error).self) { try client.call(password) }
    }

    @Test func devicesWithoutAPasswordAreForgottenFirst() throws {
        let client = try daemon.connect()
        for number in 1...50 {
            try client.call(
                PairDevice {
                    ($0.name, $0.caption, $0.owner, $0.hash) = ("phone-\(number)", "Phone", "anna", "hash")
                })
        }
        #expect(throws: (any Error).self) {
            try client.call(
                PairDevice { ($0.name, $0.caption, $0.owner, $0.hash) = ("phone-51", "Phone", "anna", "hash") })
        }
        for number in 1...60 { try client.call(NoteDevice { $0.name = "browser-\(number)" }) }
        let rows = try client.call(ListDevices()).rows
        expectEqual(rows.count, 100)
        expectEqual(rows.count { $0.owner == "anna" }, 50)
    }
}
