import CommandLineTool
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import TestSupport
import Testing

/// Feeds that want a name and a password.
@Suite(.ownThread) struct LoginTests {
    private let rig: RefreshRig
    private let feed: LoopbackServer.Endpoint
    private let secretURL: String

    init() throws {
        rig = try RefreshRig()
        let resource = Resource(try RefreshRig.fixture("two-episodes.xml"), etag: "\"1\"")
        feed = rig.serve("/feed.xml") { request in
            request["authorization"] == "Basic YW5uOnMzY3JldA=="
                ? .resource(resource)
                : .status(401, fields: [("WWW-Authenticate", "Basic realm=\"show\"")], body: [])
        }
        secretURL = feed.url.replacingOccurrences(of: "http://", with: "http://ann:s3cret@")
    }

    private var file: LoginFile { LoginFile(folder: rig.data, credentials: nil) }

    @Test func aLoginInTheAddressIsTakenOutOfItAndUsedFromThenOn() throws {
        let added = try rig.run("add", "--json", secretURL)
        expectEqual(added.status, .success)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).url, feed.url)
        try expectEqual(file.read().login(ofFeedAt: [feed.url])?.password, "s3cret")
        try expectEqual(rig.run("--force").status, .success)
        // A host says first whether it wants a password or a digest of it.
        expectEqual(rig.server.requests.map { $0["authorization"] != nil }, [false, true, false, true])
        for words in [["explain", "1"], ["explain", "--json", "1"], ["export"], ["--force", "--json"]] {
            let ending = try rig.run(["--data-dir", rig.data] + words)
            #expect(!(ending.output + ending.errors + added.output).contains("s3cret"), "\(words)")
        }
        try expectContains(rig.run("explain", "1").output, "login hosts     127.0.0.1")
        let library = try String(decoding: Data(contentsOf: URL(filePath: rig.data + "/library.db")), as: UTF8.self)
        #expect(!library.contains("s3cret"))
    }

    @Test func olderPagesAreHadWithTheLoginOfTheFeed() throws {
        @Sendable func page(_ guid: String, _ link: String) -> Answer {
            let text = """
                <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Pages</title>\(link)
                <item><title>\(guid)</title><guid>\(guid)</guid>
                <enclosure url="https://media.example/\(guid).mp3" type="audio/mpeg"/></item></channel></rss>
                """
            return .resource(Resource(Array(text.utf8), contentType: "application/rss+xml"))
        }
        rig.serve("/feed.xml") { request in
            guard request["authorization"] == "Basic YW5uOnMzY3JldA==" else {
                return .status(401, fields: [("WWW-Authenticate", "Basic realm=\"show\"")], body: [])
            }
            return request.query == nil ? page("b", "<atom:link rel=\"next\" href=\"?page=2\"/>") : page("a", "")
        }
        try expectEqual(rig.run("add", secretURL).status, .success)
        try expectEqual(rig.titles().sorted(), ["a", "b"])
    }

    @Test func aLoginThatIsRefusedIsNotKept() throws {
        let wrong = secretURL.replacingOccurrences(of: "s3cret", with: "wr0ng")
        let ending = try rig.run("add", wrong)
        #expect(ending.status == .unavailable && ending.errors.contains("login rejected (HTTP 401)"))
        #expect(!ending.errors.contains("wr0ng"))
        #expect(try file.read().isEmpty)
    }

    @Test func aLoginThatAServerNoLongerAcceptsIsNamedWithItsRemedy() throws {
        try expectEqual(rig.run("add", secretURL).status, .success)
        try file.update([feed.url]) { $0.password = "wr0ng" }
        try expectOutcome(
            rig.run("--force"), .unavailable,
            errors: "login rejected (HTTP 401); 'podcastctl set FEED password -' sets another password")
    }

    @Test func aLoginOfASubscribedFeedIsReplacedOnlyIfTheServerAcceptsIt() throws {
        try expectEqual(rig.run("add", secretURL).status, .success)
        let wrong = secretURL.replacingOccurrences(of: "s3cret", with: "wr0ng")
        try expectOutcome(rig.run("add", wrong), .unavailable, errors: "login rejected (HTTP 401)")
        try expectEqual(file.read().login(ofFeedAt: [feed.url])?.password, "s3cret")
        try file.update([feed.url]) { $0.password = "former" }
        try expectOutcome(
            rig.run("add", secretURL), .success, output: "already subscribed to", "  login changed\n")
        try expectEqual(file.read().login(ofFeedAt: [feed.url])?.password, "s3cret")
        let again = try rig.run("add", secretURL)
        #expect(again.status == .success && !again.output.contains("login changed"))
    }

    @Test func aListDoesNotReplaceALogin() throws {
        try expectEqual(rig.run("add", secretURL).status, .success)
        let list = rig.file("list.opml")
        try "<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"\(secretURL)\"/></body></opml>"
            .replacingOccurrences(of: "s3cret", with: "wr0ng").write(toFile: list, atomically: true, encoding: .utf8)
        try expectEqual(rig.run("import", list).status, .success)
        try expectEqual(file.read().login(ofFeedAt: [feed.url])?.password, "s3cret")
    }

    @Test func aUserAgentOfASubscribedFeedIsStoredAndReported() throws {
        try expectEqual(rig.run("add", secretURL).status, .success)
        try expectOutcome(
            rig.run("add", "--user-agent", "Listener/8", feed.url), .success, output: "  user agent changed\n")
        try expectEqual(rig.store().feeds.settings(of: FeedID(1))["user_agent"], "Listener/8")
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(feed.requests.last?["user-agent"], "Listener/8")
        let wrong = secretURL.replacingOccurrences(of: "s3cret", with: "wr0ng")
        try expectEqual(rig.run("add", wrong).status, .unavailable)
        expectEqual(feed.requests.last?["user-agent"], "Listener/8")
    }

    @Test func aMissingLoginIsReportedWithTheCommandThatPassesOne() throws {
        try expectOutcome(
            rig.run("add", feed.url), .unavailable,
            errors: "\(feed.url): login required (HTTP 401); podcast-refresh add --user NAME \(feed.url)")
    }

    @Test func aListsLoginsAreTakenOutOfItToo() throws {
        let list = rig.file("list.opml")
        try "<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"\(secretURL)\"/></body></opml>"
            .write(toFile: list, atomically: true, encoding: .utf8)
        try expectEqual(rig.run("import", list).status, .success)
        try expectEqual(rig.run().status, .success)
        try expectEqual(rig.titles().count, 2)
        #expect(try !rig.run("export").output.contains("s3cret"))
    }

    @Test func aRedirectToAnotherHostIsNotToldTheLogin() throws {
        try expectEqual(rig.run("add", secretURL).status, .success)
        let other = try LoopbackServer()
        let stranger = other.serve("/elsewhere", .status(404))
        rig.serve("/feed.xml", .redirect(302, to: stranger.url))
        _ = try rig.run("--force")
        #expect(other.requests.count == 1 && other.requests.first?["authorization"] == nil)
    }

    @Test func anUnreadableFileOfLoginsIsToldBeforeAnythingIsAsked() throws {
        try FileManager.default.createDirectory(
            atPath: rig.data + "/credentials", withIntermediateDirectories: true)
        _ = try rig.store()
        let ending = try rig.run("--force")
        expectContains(ending.errors, "cannot read the logins of feeds")
    }

    @Test func aListOfADeviceHasNoLoginsAndNoPrivateAddressesOfItsOwn() throws {
        let list = rig.file("device.opml")
        let addresses = [
            "http://anna:secret@127.0.0.1:9/login", "http://127.0.0.7:9/internal", "http://169.254.169.254/latest/",
            "http://nas/feed", "http://router.lan/feed", "http://sam:word@feeds.example/show", "http://127.0.0.1::9/",
            "https://127{0.0.1/",
        ]
        let outlines = addresses.map { "<outline type='rss' xmlUrl='\($0)'/>" }.joined()
        try Data("<opml version='2.0'><body>\(outlines)</body></opml>".utf8).write(to: URL(filePath: list))
        let ending = try rig.run("import", "--json", "--from", "device", list)
        expectEqual(ending.status, .badData)
        try expectEqual(rig.store().feeds.feeds().map(\.url), ["http://feeds.example/show"])
        let errors = ending.json["errors"]?.arrayValue?.compactMap { $0["what"]?.stringValue } ?? []
        expectEqual(errors.count, 7)
        expectEqual(errors.count { $0.contains("network.private_hosts") }, 5)
        #expect(!FileManager.default.fileExists(atPath: rig.data + "/credentials"))
        // The user's own list may name them.
        _ = try rig.run("import", list)
        try expectEqual(rig.store().feeds.feeds().count, 6)
        #expect(FileManager.default.fileExists(atPath: rig.data + "/credentials"))
    }

    @Test func aListOfADeviceIsReadAsOPMLOnly() throws {
        let state = rig.file("state.json")
        try Data(
            #"{"format":"podcastd-state","settings":{},"rules":[{"rule":"is:new then download"}],"feeds":[]}"#.utf8
        )
        .write(to: URL(filePath: state))
        try expectOutcome(rig.run("import", "--from", "device", state), .badData, errors: "state.json")
        try expectEqual(rig.store().rules.rules(for: nil).count, 0)
    }
}
