import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Feeds and episodes behind a name and a password, from the command line to the media's host.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct LoginTests {
    /// How a host asks for a login.
    enum Scheme: String, CaseIterable, Sendable {
        case basic
        case digest

        /// What ann with the password s3cret answers, RFC 7617 and RFC 2617 (without `qop` it is the same each time).
        func accepts(_ request: LoggedRequest) -> Bool {
            let answer = request["authorization"] ?? ""
            switch self {
            case .basic: return answer == "Basic YW5uOnMzY3JldA=="
            case .digest:
                let digest =
                    request.path.hasSuffix("/feed.xml")
                    ? "1337ca9ef0cb81a567f11e797fa0f932" : "53f81942e17443055b1a228a8f0c673d"
                return answer.hasPrefix("Digest username=\"ann\"") && answer.contains("response=\"\(digest)\"")
            }
        }

        var challenge: Answer {
            let field =
                switch self {
                case .basic: "Basic realm=\"show\""
                case .digest: "Digest realm=\"show\", nonce=\"abc\", algorithm=MD5"
                }
            return .status(401, fields: [("WWW-Authenticate", field)], body: Array("Who is there?".utf8))
        }
    }

    /// Two hosts behind a proxy: one has the feed, the other the media.
    private final class Premium: Sendable {
        let server: LoopbackServer
        let feed: LoopbackServer.Endpoint
        let media: LoopbackServer.Endpoint

        init(_ scheme: Scheme, audio: [UInt8]) throws {
            let server = try LoopbackServer()
            let text = """
                <?xml version="1.0"?><rss version="2.0"><channel><title>Premium</title>
                <item><title>Only</title><guid>1</guid>
                <enclosure url="http://cdn.example.invalid/1.mp3" type="audio/mpeg" length="\(audio.count)"/></item>
                </channel></rss>
                """
            let resource = Resource(Array(text.utf8), contentType: "application/rss+xml", etag: nil, lastModified: nil)
            let door = Door()
            feed = server.serve("http://premium.example.invalid/feed.xml") { request in
                door.isOpen || scheme.accepts(request) ? .resource(resource) : scheme.challenge
            }
            media = server.serve("http://cdn.example.invalid/1.mp3") { request in
                scheme.accepts(request) ? .resource(Resource(audio)) : scheme.challenge
            }
            self.server = server
            self.door = door
        }

        private let door: Door
        func close() { door.close() }
    }

    /// Whether everybody is let in.
    private final class Door: Sendable {
        private let open = Mutex(true)
        var isOpen: Bool { open.withLock { $0 } }
        func close() { open.withLock { $0 = false } }
    }

    @Test(arguments: Scheme.allCases)
    func aLoginIsSentToTheFeedAndItsMediaAndNowhereElse(scheme: Scheme) throws {
        let premium = try Premium(scheme, audio: try fixture("forty-seconds.mp3"))
        let scratch = try Scratch()
        let config = try scratch.file(
            "podcastd.conf", "[network]\nproxy = http://127.0.0.1:\(premium.server.port)\n")
        let log = scratch.path + "/log"
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config, "--log-level", "debug"], log: log)
        let client = try daemon.connect(watching: .player)
        var told = ""
        func tell(_ arguments: String..., stdin: String = "") throws -> Int32? {
            let result = try daemon.ctl(arguments, stdin: stdin)
            told += result.output + result.errors
            return result.status
        }
        try expectEqual(tell("subscribe", "http://premium.example.invalid/feed.xml"), 0)
        premium.close()
        try expectEqual(tell("refresh", "--force"), 69)
        expectContains(told, "login required")
        try expectEqual(tell("set", "Premium", "username", "ann"), 0)
        try expectEqual(tell("set", "Premium", "password", "-", stdin: "s3cret\n"), 0)
        try expectEqual(tell("set", "Premium", "user_agent", "Listener/7"), 0)
        try expectEqual(tell("refresh", "Premium"), 0)
        expectEqual(premium.feed.requests.last.map(scheme.accepts), true)
        expectEqual(premium.feed.requests.last?["user-agent"], "Listener/7")

        // The media's host is not told until it is named.
        try client.call(Play { $0.what = "Only" })
        try client.player { $0.error != nil && $0.state == .stopped }
        #expect(!premium.media.requests.isEmpty)
        #expect(premium.media.requests.allSatisfy { $0["authorization"] == nil })
        try expectEqual(tell("set", "Premium", "login_hosts", "cdn.example.invalid"), 0)
        try client.play("Only")
        expectEqual(premium.media.requests.last.map(scheme.accepts), true)
        expectEqual(premium.media.requests.last?["user-agent"], "Listener/7")

        #expect(try tell("export") == 0 && tell("export", "--state") == 0 && tell("feeds", "--json") == 0)
        let explained = try Programs.run(
            "podcast-refresh", ["--config", config, "--data-dir", scratch.path + "/data", "explain", "Premium"])
        expectContains(explained.output, "login hosts     premium.example.invalid, cdn.example.invalid")
        told += explained.output + explained.errors
        told += try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self)
        #expect(!told.contains("s3cret"))
        let kept = try FileManager.default.attributesOfItem(atPath: scratch.path + "/data/credentials")
        expectEqual(kept[.posixPermissions] as? Int, 0o600)
    }

    @Test func aPasswordIsTypedWithoutEcho() throws {
        let published = try PublishedFeed(episodes: [])
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("subscribe", published.feed.url).status, 0)
        let terminal = try PseudoTerminal()
        let process = try terminal.start("podcastctl", ["--socket", daemon.socketPath, "set", "Test", "password", "-"])
        var isTyped = false
        let shown = terminal.shown(until: "password = ") { shown in
            guard !isTyped, shown.contains("password: ") else { return }
            terminal.waitForSilence()
            // A mistake that is erased, then the password.
            terminal.type("wrong\u{15}s3crex\u{7F}t\n")
            isTyped = true
        }
        expectEqual(process.wait(), .exited(0), "\(shown)")
        #expect(!shown.contains("s3cr"))
        let kept = try String(
            decoding: Data(contentsOf: URL(filePath: daemon.scratch.path + "/data/credentials")), as: UTF8.self)
        expectContains(kept, "\"password\":\"s3cret\"")
        try expectOutcome(daemon.ctl("undo"), 65, errors: "former logins are not kept")
    }
}
