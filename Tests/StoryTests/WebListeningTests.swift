import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Listening in a browser: the file of an episode over HTTP, and the page.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WebListeningTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed
    private let audio: [UInt8]
    private let path = "/api/v1/episodes/1/audio"

    init() throws {
        // Ten minutes, so that it still plays when the browser is slow.
        audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 15).joined())
        published = try PublishedFeed(episodes: [("Alpha talk", audio)])
        daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
    }

    /// A gateway with a user of each permission, whose passwords are "open sesame".
    private func gateway(hasPort: Bool = false) throws -> RunningGateway {
        let hash = try passwordHash(in: daemon.scratch)
        return try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch,
            settings: "[users]\n" + ["read", "control"].map { "\($0) = \($0) \(hash)" }.joined(separator: "\n"),
            hasPort: hasPort)
    }

    private func login(_ name: String) -> String {
        "Authorization: Basic " + Data("\(name):open sesame".utf8).base64EncodedString()
    }

    @Test func aFileIsServedInRanges() throws {
        let client = try gateway().connect()
        let login = login("read")
        let whole = try client.ask("GET", path, [login])
        #expect(whole.status == 200 && whole.body == audio)
        expectEqual(whole.header("content-type"), "audio/mpeg")
        expectEqual(whole.header("accept-ranges"), "bytes")
        expectEqual(whole.header("x-content-type-options"), "nosniff")
        let part = try client.ask("GET", path, [login, "Range: bytes=1000-1999"])
        #expect(part.status == 206 && part.body == Array(audio[1000..<2000]))
        expectEqual(part.header("content-range"), "bytes 1000-1999/\(audio.count)")
        let end = try client.ask("GET", path, [login, "Range: bytes=-100"])
        #expect(end.status == 206 && end.body == Array(audio.suffix(100)))
        let beyond = try client.ask("GET", path, [login, "Range: bytes=\(audio.count)-"])
        expectEqual(beyond.status, 416)
        expectEqual(beyond.header("content-range"), "bytes */\(audio.count)")
        let head = try client.ask("HEAD", path, [login])
        #expect(head.status == 200 && head.header("content-length") == "\(audio.count)")
        try expectEqual(client.ask("GET", "/api/v1/episodes/99/audio", [login]).status, 404)
        try expectEqual(client.ask("POST", path, [login]).status, 405)
        expectEqual(published.media[0].requests.count, 1)
    }

    @Test func theCookieOfALoginOpensFiles() throws {
        let client = try gateway().connect()
        try expectEqual(client.ask("GET", path).status, 401)
        try expectEqual(client.ask("POST", "/api/v1/session").status, 401)
        let session = try client.ask("POST", "/api/v1/session", [login("read")])
        expectEqual(session.status, 204)
        let field = try #require(session.header("set-cookie"))
        expectContains(field, "HttpOnly; SameSite=Strict")
        let cookie = "Cookie: other=1; \(field.prefix { $0 != ";" })"
        try expectEqual(client.ask("GET", path, [cookie]).status, 200)
        try expectEqual(client.ask("GET", "/api/v1/status", [cookie]).status, 200)
        try expectEqual(client.ask("GET", path, [cookie, "Sec-Fetch-Site: cross-site"]).status, 403)
        try expectEqual(client.ask("DELETE", "/api/v1/session", [cookie]).status, 204)
        try expectEqual(client.ask("GET", path, [cookie]).status, 401)
    }

    @Test func aFileOfAPrivateFeedNeedsMoreThanRead() throws {
        let admin = try daemon.connect()
        try admin.call(
            SetFeed { ($0.feed, $0.key, $0.value) = ("f1", FeedSetting.username.rawValue, "sam") })
        let client = try gateway().connect()
        try expectEqual(client.ask("GET", path, [login("read")]).status, 403)
        try expectEqual(client.ask("GET", path, [login("control")]).status, 200)
    }

    @Test func theWorkerKnowsAllFilesOfThePage() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        let worker = try String(contentsOf: folder.appending(path: "worker.js"), encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.standardizedFileURL.path)
        where !["index.html", "worker.js"].contains(name) {
            expectContains(worker, "\"\(name)\"")
        }
    }

    @Test(arguments: ["read", "control"])
    func aBrowserPlaysFromTheDaemonsPositionAndReportsIfItMay(_ permission: String) throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        let client = try daemon.connect(watching: .player)
        try daemon.play("Alpha talk", watchedBy: client)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        let gateway = try gateway(hasPort: true)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script("web_here.py"), gateway.url, permission, "open sesame", permission],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(300))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
    }
}
