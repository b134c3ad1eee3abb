import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PasswordHashing
import SystemCalls
import TestSupport
import Testing

@testable import WebGateway

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
        settings.givenLocal = .some(.read)
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

    @Test func eventsHidePrivateAddresses() throws {
        let row: JSONValue = ["url": "http://user:secret@host/feed?key=1"]
        served.daemon.set(.player, row)
        let client = try connect()
        try client.send(Array("GET /events?parts=player HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        _ = try client.text(upTo: "event: snapshot\n")
        let snapshot = try client.text(upTo: "\n\n")
        served.publish(.player, row)
        _ = try client.text(upTo: "event: change\n")
        for text in [snapshot, try client.text(upTo: "\n\n")] { expectContains(text, "http://…@host/feed?…") }
    }

    @Test func aStreamBeginsWithASnapshotAndHasEachChange() throws {
        served.daemon.set(.queue, ["length": 1])
        let client = try connect()
        try client.send(Array("GET /events?parts=queue HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        expectContains(try client.text(upTo: "\r\n\r\n"), "text/event-stream")
        expectContains(try client.text(upTo: "event: snapshot\ndata: {") + client.text(upTo: "\n\n"), #""length":1"#)
        served.publish(.queue, ["length": 2, "url": "http://user:secret@host/feed?key=1"])
        let change = try client.text(upTo: "event: change\ndata: {") + client.text(upTo: "\n\n")
        #expect(change.contains(#""length":2"#) && change.contains("@host/feed"))
        #expect(!change.contains("secret") && !change.contains("key=1"))
        served.stop()
        expectContains(try client.text(upTo: "event: lost"), "lost")
        let gone = try connect().ask("GET", "/api/v1/status")
        #expect(gone.status == 503 && gone.header("retry-after") != nil)
    }
}
