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

    @Test func aPhoneIsAddedAtATerminal() throws {
        let home = daemon.scratch.path
        let file = "[server]\nlisten = 192.0.2.7:6681\n\(settings)"
        try FileManager.default.createDirectory(atPath: home + "/.config/podcastd", withIntermediateDirectories: true)
        try file.write(toFile: home + "/.config/podcastd/web.conf", atomically: true, encoding: .utf8)
        let terminal = try PseudoTerminal()
        terminal.resize(columns: 100, lines: 60, cell: (8, 16))
        let process = try terminal.start(
            "podcastctl", ["--socket", daemon.socketPath, "device", "add", "Anna's phone"],
            ["HOME=\(home)", "TERM=xterm-256color"])
        let shown = terminal.shown { shown in
            let rows = codeRows(shown)
            return !rows.isEmpty && rows.count * 2 >= rows[0].count
        }
        expectEqual(process.wait(), .exited(0))
        let words = shown.split(whereSeparator: \.isWhitespace).map(String.init)
        let password = try #require(words.firstIndex(of: "password").map { words[$0 + 1] }, "\(shown)")
        let picture = home + "/code.pgm"
        try Data(picturePixels(codeRows(shown))).write(to: URL(filePath: picture))
        try expectEqual(
            Programs.run(
                Launch(
                    RequiredTool.zbarimg.path(), ["--quiet", "--raw", picture], environment: ["PATH=/usr/bin:/bin"])
            ).output.trimmingCharacters(in: .newlines),
            "nc://login/server:http://192.0.2.7:6681&user:anna&password:\(password)")
        let login = "Authorization: Basic " + Data("anna:\(password)".utf8).base64EncodedString()
        try expectEqual(gateway().connect().ask("GET", "/api/2/devices/anna.json", [login]).status, 200)
        try expectOutcome(daemon.ctl("devices"), 0, output: "Anna's phone")
    }

    /// The rows of a code that a terminal shows.
    private func codeRows(_ shown: String) -> [[Character]] {
        shown.components(separatedBy: "\u{1B}[30;107m").dropFirst().compactMap { row in
            let parts = row.components(separatedBy: "\u{1B}[0m")
            return parts.count > 1 ? Array(parts[0]) : nil
        }
    }

    /// A picture (PGM) with four pixels for each module.
    private func picturePixels(_ rows: [[Character]]) -> [UInt8] {
        let modules = rows.flatMap { row in
            [row.map { "█▀".contains($0) }, row.map { "█▄".contains($0) }]
        }
        let lines = modules.map { row in row.flatMap { Array(repeating: $0 ? UInt8(0) : 255, count: 4) } }
        return Array("P5 \(lines[0].count) \(lines.count * 4) 255\n".utf8)
            + lines.flatMap { line in (0..<4).flatMap { _ in line } }
    }

    @Test func aPhoneIsAddedOnlyIfItCanReachThisMachineAndAUserSynchronizes() throws {
        func add(_ file: String) throws -> Outcome<Int32?> {
            let config = try daemon.scratch.file("web.conf", file)
            return try Programs.run(
                Launch(
                    Programs.path("podcast-web"),
                    ["--socket", daemon.socketPath, "--config", config, "--add-device", "phone"],
                    environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]))
        }
        try expectOutcome(add(settings), 78, errors: "listens on this one only", "listen = 0.0.0.0:6681")
        try expectOutcome(
            add("[server]\nlisten = 0.0.0.0:6681\n"), 78, errors: "no user of web.conf synchronizes", "below [users]")
        try expectOutcome(
            add("[server]\nhosts = radio.example\n\(settings)"), 0, output: "server    https://radio.example")
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
