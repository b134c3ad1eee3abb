import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Subscribing to feeds that need something: a login, a user agent, an address, patience.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SubscribingTests {
    private static let feed = """
        <?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Premium</title>LINK
        <item><title>Only</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg" length="1"/></item>
        </channel></rss>
        """

    private static func document(_ link: String = "") -> Resource {
        Resource(
            Array(feed.replacingOccurrences(of: "LINK", with: link).utf8), contentType: "application/rss+xml",
            etag: nil,
            lastModified: nil)
    }

    /// A server that lets in only ann with the password s3cret.
    private let server: LoopbackServer
    private let premium: LoopbackServer.Endpoint
    private let daemon: RunningDaemon
    private let log: String

    init() throws {
        let scratch = try Scratch()
        server = try LoopbackServer()
        premium = server.serve("/feed.xml") { request in
            request["authorization"] == "Basic YW5uOnMzY3JldA=="
                ? .resource(Self.document())
                : .status(401, fields: [("WWW-Authenticate", "Basic realm=\"show\"")], body: [])
        }
        log = scratch.path + "/log"
        daemon = try RunningDaemon(in: scratch, arguments: ["--log-level", "debug"], log: log)
    }

    private func ctl(_ arguments: String..., stdin: String = "") throws -> Outcome<Int32?> {
        try daemon.ctl(arguments, stdin: stdin)
    }

    private var kept: String {
        (try? String(contentsOfFile: daemon.scratch.path + "/data/credentials", encoding: .utf8)) ?? ""
    }

    @Test func withoutATerminalTheLoginIsAskedForByMessageAndComesFromAFile() throws {
        try expectOutcome(
            ctl("subscribe", premium.url), 69, errors: "\(premium.url): login required (HTTP 401)",
            "podcastctl subscribe --user NAME \(premium.url)")
        try expectEqual(ctl("subscribe", "--user", "ann", premium.url).status, 64, "no password, and no terminal")
        try expectEqual(ctl("subscribe", "--password-file", "-", premium.url, stdin: "x\n").status, 64)

        try expectOutcome(
            ctl("subscribe", "--user", "ann", "--password-file", "-", premium.url, stdin: "wr0ng\n"), 69,
            errors: "login rejected")
        #expect(kept.isEmpty, "a rejected login is not kept")

        let file = try daemon.scratch.file("password", "s3cret\nnext line\n")
        try expectOutcome(
            ctl("subscribe", "--user", "ann", "--password-file", file, "--user-agent", "Listener/7", premium.url), 0,
            output: "subscribed to Premium")
        expectEqual(premium.requests.last?["user-agent"], "Listener/7")
        let count = premium.requests.count
        try expectEqual(ctl("refresh", "Premium").status, 0)
        #expect(premium.requests.count > count && premium.requests.last?["user-agent"] == "Listener/7")
        expectContains(kept, "s3cret")
        let logged = try String(contentsOfFile: log, encoding: .utf8)
        #expect(!logged.contains("s3cret") && !logged.contains("wr0ng"))
    }

    /// Answers the questions of a program on a terminal.
    private func typing(
        _ program: String, _ arguments: [String], until end: String
    ) throws -> (status: TerminationStatus, shown: String) {
        let terminal = try PseudoTerminal()
        let process = try terminal.start(program, arguments, ["HOME=\(daemon.scratch.path)", "TERM=dumb"])
        var (isNamed, isTyped) = (false, false)
        let shown = terminal.shown(until: end) { shown in
            if !isNamed, shown.contains("User name: ") {
                terminal.type("ann\n")
                isNamed = true
            }
            guard !isTyped, shown.contains("Password: ") else { return }
            terminal.waitForSilence()
            terminal.type("s3cret\n")
            isTyped = true
        }
        return (process.wait(), shown)
    }

    @Test func onATerminalNameAndPasswordAreAskedForWithoutEcho() throws {
        let (status, shown) = try typing(
            "podcastctl", ["--socket", daemon.socketPath, "subscribe", premium.url], until: "subscribed to")
        expectEqual(status, .exited(0), "\(shown)")
        #expect(shown.contains("\(premium.url) requires a login") && !shown.contains("s3cr"), "\(shown)")
        expectContains(kept, "s3cret")
    }

    @Test func podcastRefreshAsksInTheSameWay() throws {
        let data = daemon.scratch.path + "/other"
        let (status, shown) = try typing(
            "podcast-refresh", ["--data-dir", data, "add", premium.url], until: "subscribed to")
        expectEqual(status, .exited(0), "\(shown)")
        #expect(!shown.contains("s3cr"), "\(shown)")
        let kept = try String(contentsOfFile: data + "/credentials", encoding: .utf8)
        expectContains(kept, "s3cret")
        let refused = try Programs.run("podcast-refresh", ["--data-dir", data + "2", "add", premium.url])
        expectContains(refused.errors, "podcast-refresh add --user NAME \(premium.url)")
    }

    @Test func aServerThatHangsOnOneFeedDelaysNoOther() throws {
        let isSlow = Mutex(false)
        let slow = server.serve("/slow.xml") { _ in
            // The server sends slowly and never pauses, because a refresh gives up after 30 seconds of silence.
            .resource(Self.document(), faults: isSlow.withLock { $0 } ? [.rate(2)] : [])
        }
        try expectEqual(ctl("subscribe", slow.url).status, 0)
        isSlow.withLock { $0 = true }
        let client = try daemon.connect()
        client.begin(RefreshFeeds { $0.feeds = ["f1"] })
        #expect(slow.waitForRequests(2))

        let other = server.serve("/other.xml", .resource(Self.document()))
        try expectOutcome(ctl("subscribe", other.url), 0, output: "subscribed to")
        try expectEqual(ctl("refresh", "f2").status, 0)
        try expectOutcome(ctl("refresh", "f1"), 75, errors: "another refresh of this feed is running")
    }

    @Test func aFeedsFileIsRefreshedFromTheAddressThatItNames() throws {
        let other = server.serve("/other.xml", .resource(Self.document()))
        let named = try daemon.scratch.file(
            "named.xml",
            Self.feed.replacingOccurrences(of: "LINK", with: "<atom:link rel=\"self\" href=\"\(other.url)\"/>"))
        try expectOutcome(
            ctl("subscribe", named), 0,
            output: "subscribed to Premium (1 episode) at \(other.url), the URL that the file names")
        try expectContains(ctl("subscribe", named).output, "already subscribed to Premium (f1)")

        let unnamed = try daemon.scratch.file("unnamed.xml", Self.feed.replacingOccurrences(of: "LINK", with: ""))
        try expectOutcome(ctl("subscribe", unnamed), 65, errors: "--url URL")
        let given = server.serve("/given.xml", .resource(Self.document()))
        let told = try ctl("subscribe", unnamed, "--url", given.url)
        expectContains(told.output, "at \(given.url), the URL that you gave", "\(told)")
        try expectEqual(ctl("refresh", "f2").status, 0)
        #expect(!given.requests.isEmpty)
        try expectEqual(ctl("subscribe", "--url", given.url, other.url).status, 64)
    }
}
