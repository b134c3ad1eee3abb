@testable import WebGateway
import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import HTTPServing
import JSON
import PodcastModel
import Secrets
import SystemCalls
import TestSupport
import Testing

/// What clients of podcast-web get, and what podcast-web asks of a daemon whose answers the test makes up.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct WebServiceTests {
    private let served: ServedDaemon
    private let service: WebService
    private let path: String

    init() throws {
        served = try ServedDaemon()
        path = served.folder.appendingPathComponent("web").path
        let files = served.folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data("<title>remote</title>".utf8).write(to: files.appendingPathComponent("index.html"))
        var settings = WebSettings()
        let hash = try #require(PasswordHash.make(from: "word"))
        settings.tokens = [WebSettings.Login(name: "admin", permission: .admin, hash: hash)]
        settings.local = .read
        settings.users = [WebSettings.Login(name: "anna.b", permission: .admin, hash: hash)]
        service = try WebService(
            connection: ControlConnection(reconnectingTo: served.socket), settings: settings,
            files: WebFiles(folder: files.path), listeners: [LocalSocket.listen(at: path, mode: 0o600).release()])
    }

    private func connect() throws -> HTTPConversation {
        try HTTPConversation(path: path) { [service] in service.process() }
    }

    @Test func aQueryBecomesACommandAndItsResultTheAnswer() throws {
        served.daemon.reply(to: "episodes.list", ["episodes": [["id": 7, "title": "Beta talk"]]])
        let client = try connect()
        let answer = try client.ask("GET", "/api/v1/feeds/4/episodes?limit=1&search=beta%20talk")
        #expect(answer.status == 200 && answer.text == #"{"episodes":[{"id":7,"title":"Beta talk"}]}"#)
        #expect(answer.header("content-type") == "application/json" && answer.header("x-permission") == "read")
        let asked = try #require(served.daemon.calls(of: ListEpisodes.self).first)
        #expect(asked.feed == "f4" && asked.search == "beta talk" && asked.page.limit == 1)
        let tag = try #require(answer.header("etag"))
        let again = try client.ask("GET", "/api/v1/feeds/4/episodes?limit=1", ["If-None-Match: \(tag)"])
        expectEqual(again.status, 304)
        try expectEqual(client.ask("HEAD", "/api/v1/status").status, 200)
        try expectEqual(client.ask("GET", "/").text, "<title>remote</title>")
    }

    private let basic = "Authorization: Basic " + Base64.text(of: Array("anna.b:word".utf8))
    private let json = "Content-Type: application/json"

    /// The cookie that an answer sets, as a header of requests.
    private func cookie(_ answer: HTTPConversation.Answer) throws -> String {
        let field = try #require(answer.header("set-cookie"))
        return "Cookie: other=1; \(field.prefix { $0 != ";" })"
    }

    @Test func eachBrowserHasItsOwnLoginWhichEndsAlone() throws {
        let client = try connect()
        let first = try client.ask("POST", "/api/v1/session", [basic])
        expectEqual(first.status, 204)
        let field = try #require(first.header("set-cookie"))
        #expect(
            field.contains("; HttpOnly; SameSite=Strict") && !field.contains("Max-Age") && !field.contains("Secure"))
        let second = try client.ask(
            "POST", "/api/v1/session", [basic, json, "X-Forwarded-Proto: https"], body: #"{"stay":true}"#)
        let lasting = try #require(second.header("set-cookie"))
        #expect(lasting.contains("; Max-Age=2592000;") && lasting.hasSuffix("; Secure"))
        let cookies = [try cookie(first), try cookie(second)]
        #expect(cookies[0] != cookies[1])
        for one in cookies {
            let answer = try client.ask("DELETE", "/api/v1/feeds/1", [one])
            #expect(answer.status == 200 && answer.header("x-login") == "yes")
            let foreign = try client.ask("DELETE", "/api/v1/feeds/1", [one, "Sec-Fetch-Site: cross-site"])
            expectEqual(foreign.status, 403)
        }
        let ending = try client.ask("DELETE", "/api/v1/session", [cookies[0]])
        #expect(ending.status == 204 && ending.header("set-cookie")?.contains("Max-Age=0") == true)
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [cookies[0]]).status, 401)
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [cookies[1]]).status, 200)
        try expectEqual(client.ask("POST", "/api/v1/session", ["Authorization: Bearer admin.word"]).status, 403)
    }

    @Test(arguments: [(nil, "/"), ("/pod/", "/pod/"), ("/a//b", "/a/b/"), ("/pod; Secure", "/"), ("pod", "/")])
    func cookiesBelongToThePathBelowAProxy(prefix: String?, path: String) {
        let request = HTTPRequest(
            "POST", "/", headers: prefix.map { [HTTPField("X-Forwarded-Prefix", $0)] } ?? [])
        let cookie = request.cookie(BrowserLogins.cookie, "x", lasting: nil).value
        expectContains(cookie, "; Path=\(path); ")
    }

    @Test func aCookieThatWasNotMadeHereIsNone() throws {
        let client = try connect()
        let made = try cookie(client.ask("POST", "/api/v1/session", [basic]))
        let parts = made.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 4)
        let (name, end, nonce, signature) = (parts[0], parts[1], parts[2], parts[3])
        let changed: [String] = [
            "\(name.replacing("anna%2Eb", with: "")).\(end).\(nonce).\(signature)",
            "\(name).99999999999.\(nonce).\(signature)", "\(name).\(end).\(nonce)0.\(signature)",
            "\(name).\(end).\(nonce).\(signature.dropLast())", "\(name).\(end).\(nonce)", made + ".x",
            "\(name).\(Int64.max).\(nonce).",
        ]
        for other in changed {
            try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [other]).status, 401, "\(other)")
        }
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [made]).status, 200)
    }

    private let now = Timestamp(seconds: 1_800_000_000)

    private func logins(_ hash: PasswordHash, file: String? = nil) -> BrowserLogins {
        var settings = WebSettings()
        settings.users = [WebSettings.Login(name: "anna", permission: .control, hash: hash)]
        return BrowserLogins(settings, file: file)
    }

    /// A request of a browser that has logged in to stay.
    private func request(_ logins: BrowserLogins) throws -> HTTPRequest {
        let field = try logins.cookie(
            for: .known(name: "anna", .control), stays: true, HTTPRequest("POST", "/"), at: now)
        return HTTPRequest("GET", "/", headers: [HTTPField("Cookie", String(field.value.prefix { $0 != ";" }))])
    }

    @Test func aLoginOutlastsTheServerAndEndsWithThePassword() throws {
        let hash = try #require(PasswordHash.make(from: "word"))
        let request = try request(logins(hash))
        var known = logins(hash)
        expectEqual(known.caller(of: request, at: now), .known(name: "anna", .control))
        expectEqual(known.caller(of: request, at: now.adding(seconds: 31 * 86_400)), nil)
        var other = try logins(#require(PasswordHash.make(from: "word")))
        expectEqual(other.caller(of: request, at: now), nil)
    }

    @Test func anAdministratorSeesTheBrowsersAndEndsALogin() throws {
        let client = try connect()
        let (mine, phone) = try (
            cookie(client.ask("POST", "/api/v1/session", [basic])),
            cookie(client.ask("POST", "/api/v1/session", [basic]))
        )
        try expectEqual(client.ask("GET", "/api/v1/status", [phone, "User-Agent: Phone 1"]).status, 200)
        let listed = try client.ask("GET", "/api/v1/logins", [mine, "User-Agent: Desk"])
        let browsers = try #require(JSONValue(parsing: listed.text)["browsers"]?.arrayValue)
        expectEqual(browsers.map { $0["user"] }, ["anna.b", "anna.b"])
        expectEqual(browsers.map { $0["isOwn"] }, [true, false])
        expectContains(listed.text, "Phone")
        #expect(!listed.text.contains("$y$"))
        let id = browsers[1]["id"]?.stringValue ?? ""
        try expectEqual(client.ask("DELETE", "/api/v1/logins/\(id)").status, 401)
        try expectEqual(client.ask("DELETE", "/api/v1/logins/\(id)", [mine]).status, 200)
        try expectEqual(client.ask("DELETE", "/api/v1/logins/\(id)", [mine]).status, 404)
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [phone]).status, 401)
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [mine]).status, 200)
    }

    @Test func anEndedLoginStaysEndedAfterARestart() throws {
        let hash = try #require(PasswordHash.make(from: "word"))
        let file = served.folder.path + "/ended"
        var first = logins(hash, file: file)
        let request = try request(first)
        let id = try #require(first.browser(of: request, at: now)).id
        expectEqual(first.caller(of: request, at: now), .known(name: "anna", .control))
        first.end(id, at: now)
        expectEqual(first.browsers.count, 0)
        var second = logins(hash, file: file)
        expectEqual(second.caller(of: request, at: now), nil)
        second.end("other", at: now.adding(seconds: 31 * 86_400))
        #expect(!String(decoding: try StoredFile.contents(of: file, limit: 1000), as: UTF8.self).contains(id))
    }

    @Test func theAddressThatLogsInWorksOnce() throws {
        let folder = served.folder.path
        let link = LoginLink(beside: folder + "/control", port: 6681)
        let path = LoginLink.path(beside: folder + "/control")
        let address = String(decoding: try StoredFile.contents(of: path, limit: 1000), as: UTF8.self)
        expectEqual(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int, 0o600)
        let key = try #require(address.split(separator: "=").last.map(String.init))
        expectEqual(address, "http://localhost:6681/#key=\(key)")
        let authenticator = Authenticator(WebSettings(), link) {}
        func ask(_ key: String) -> WebCaller? {
            var result: WebCaller?
            authenticator.identify(
                HTTPRequest("POST", "/", headers: [HTTPField("Authorization", "Bearer link.\(key)")]), at: .now,
                wallTime: .now
            ) { result = try? $0.get() }
            return result
        }
        expectEqual(ask("x" + key), nil)
        expectEqual(ask(key), .known(name: BrowserLogins.linked, .admin))
        expectEqual(ask(key), nil)
        #expect(String(decoding: try StoredFile.contents(of: path, limit: 1000), as: UTF8.self) != address)
    }

    @Test func aFailedLoginNamesTheRemedy() throws {
        let policy = AccessPolicy(hasUsers: false)
        let problem = #expect(throws: WebProblem.self) {
            try policy.require(.read, of: .anonymous, isLocal: true)
        }
        expectContains(String(decoding: try #require(problem).response.body, as: UTF8.self), "podcast-web --link")
    }

    @Test func oneCallerDoesNotTakeAllPlacesOfLongCommands() throws {
        served.daemon.hold("sync.now")
        let waiting = try (0..<4).map { _ in try connect() }
        let post = ["POST /api/v1/sync/now HTTP/1.1", "Host: localhost", basic, json, "Content-Length: 2", "", "{}"]
        for client in waiting { try client.send(Array(post.joined(separator: "\r\n").utf8)) }
        let other = try connect()
        try expectEqual(other.ask("GET", "/api/v1/status").status, 200)
        while served.daemon.calls(of: Synchronize.self).count < 4 { service.process() }
        try expectEqual(other.ask("GET", "/api/v1/queue").status, 200)
        try expectEqual(other.ask("POST", "/api/v1/sync/now", [basic, json], body: "{}").status, 429)
        served.daemon.release("sync.now")
        for client in waiting { try expectEqual(client.answer().status, 200) }
        try expectEqual(other.ask("POST", "/api/v1/sync/now", [basic, json], body: "{}").status, 200)
    }

    @Test func whatMayNotBeAnsweredNeverReachesTheDaemon() throws {
        let client = try connect()
        let json = "Content-Type: application/json"
        for (method, path, header, status) in [
            ("POST", "/api/v1/playback/play", json, 401), ("GET", "/api/v1/status", "X-Forwarded-For: 10.1.1.1", 401),
            ("GET", "/api/v1/status", "Origin: http://evil.example", 403), ("GET", "/api/v1/nothing", "X: y", 404),
            ("GET", "/missing.js", "X: y", 404), ("DELETE", "/api/v1/status", "X: y", 405),
            ("GET", "/api/v1/episodes?colour=red", "X: y", 400),
            ("GET", "/api/v1/status", "Authorization: Basic YTpi", 401),
        ] {
            let body = method == "POST" ? "{}" : nil
            let answer = try client.ask(method, path, [header], body: body)
            expectEqual(answer.status, status, "\(method) \(path) \(header)")
            expectEqual(answer.header("content-type"), "application/problem+json")
            if status == 401 { expectEqual(answer.headers("www-authenticate").count, 2) }
        }
        try client.send(Array("GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n".utf8))
        try expectEqual(client.answer().status, 421)
        expectEqual(served.daemon.calls.count, 0)
    }

    @Test func anErrorOfTheDaemonIsAProblemAndPrivateAddressesAreHidden() throws {
        served.daemon.refuse("episodes.show", ControlError(.notFound, "no episode e9"))
        served.daemon.reply(to: "feeds.show", ["url": "http://user:secret@host/feed?key=1"])
        let client = try connect()
        let problem = try client.ask("GET", "/api/v1/episodes/9")
        #expect(problem.status == 404 && problem.text.contains("no episode e9"))
        let feed = try client.ask("GET", "/api/v1/feeds/1").text
        #expect(!feed.contains("secret") && !feed.contains("key=1"))
        let login = "Authorization: Bearer admin.word"
        expectContains(try client.ask("GET", "/api/v1/feeds/1", [login]).text, "user:secret@host/feed?key=1")
        let exported = try client.ask("POST", "/api/v1/feeds/export", ["Content-Type: application/json"], body: "{}")
        expectEqual(exported.status, 401)
    }

    @Test func aStreamBeginsWithASnapshotAndHasEachChangeWithoutPrivateAddresses() throws {
        let address: JSONValue = "http://user:secret@host/feed?key=1"
        served.daemon.set(.queue, ["length": 1, "url": address])
        served.daemon.set(.player, ["state": "stopped"])
        let client = try connect()
        try client.send(Array("GET /events?parts=queue HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        let head = try client.text(upTo: "\r\n\r\n")
        expectContains(head, "text/event-stream")
        // nginx delays events otherwise.
        expectContains(head, "X-Accel-Buffering: no")
        let snapshot = try client.text(upTo: "event: snapshot\ndata: {") + client.text(upTo: "\n\n")
        served.publish(.queue, ["length": 2, "url": address])
        let change = try client.text(upTo: "event: change\ndata: {") + client.text(upTo: "\n\n")
        for (text, length) in [(snapshot, 1), (change, 2)] {
            #expect(text.contains("\"length\":\(length)") && text.contains("http://…@host/feed?…"), "\(text)")
            #expect(text.contains(/id: \d+\nevent:/) && !text.contains("player"), "\(text)")
        }
        served.stop()
        expectContains(try client.text(upTo: "event: lost"), "lost")
        let gone = try connect().ask("GET", "/api/v1/status")
        #expect(gone.status == 503 && gone.header("retry-after") != nil)
    }
}
