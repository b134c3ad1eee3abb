import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Clients of podcast-web with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct WebStoryTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed
    private let json = "Content-Type: application/json"

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio)])
        daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
    }

    private func gateway(_ settings: String = "") throws -> RunningGateway {
        try RunningGateway(daemon: daemon.socketPath, in: daemon.scratch, settings: settings)
    }

    private func basic(_ login: String) -> String { "Authorization: Basic " + Data(login.utf8).base64EncodedString() }

    private func value(_ answer: HTTPConversation.Answer) throws -> JSONValue { try JSONValue(parsing: answer.text) }

    @Test func passwordsAndTokensGiveTheirPermission() throws {
        let token = try Programs.run("podcast-web", ["--new-token", "kitchen"])
        let lines = token.output.split(separator: "\n").map(String.init)
        let secret = try #require(lines.first?.split(separator: " ").last)
        let line = try #require(lines.last)
        let hash = try passwordHash("open sesame", in: daemon.scratch)
        let gateway = try gateway(
            """
            [users]
            anna = control \(hash)
            [tokens]
            \(line)
            """)
        let client = try gateway.connect()
        let right = basic("anna:open sesame")
        let added = try client.ask("POST", "/api/v1/queue", [json, right], body: #"{"what":["Beta talk"]}"#)
        expectEqual(added.status, 200, "\(added.text)")
        try expectEqual(value(added)["length"], 1)
        try expectEqual(client.ask("DELETE", "/api/v1/feeds/1", [right]).status, 403)
        try expectEqual(
            client.ask("GET", "/api/v1/queue", ["Authorization: Bearer \(secret)", "Forwarded: for=1.2.3.4"]).status,
            200)
        try expectEqual(client.ask("DELETE", "/api/v1/queue", ["Authorization: Bearer \(secret)"]).status, 403)
        for _ in 0..<5 { try expectEqual(client.ask("GET", "/api/v1/queue", [basic("anna:wrong")]).status, 401) }
        let later = try client.ask("GET", "/api/v1/queue", [basic("anna:wrong")])
        #expect(later.status == 429 && later.header("retry-after") != nil)
        try expectEqual(client.ask("DELETE", "/api/v1/queue/1", [right]).status, 200)
        expectEqual(gateway.stop(), .exited(0))
    }

    @Test func whatOneClientSendsDoesNotDisturbTheOthers() throws {
        let gateway = try gateway("[server]\nlocal = admin\n")
        let events = try gateway.connect()
        try events.send(Array("GET /events?parts=queue HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        _ = try events.text(upTo: "event: snapshot\n")
        let client = try gateway.connect()
        let largest = "1.797693134862315708e308"
        try expectEqual(client.ask("GET", "/api/v1/feeds/list?limit=\(largest)").status, 400)
        for body in [
            #"{"time":\#(largest)}"#, String(repeating: #"{"a":"#, count: 63) + "1" + String(repeating: "}", count: 63),
            #"{"time":"\u0000\n\u007f"}"#, "{\"time\":\"\(String(repeating: "\\u001b", count: 160_000))\"}",
        ] {
            let answer = try client.ask("POST", "/api/v1/playback/seek", [json], body: body)
            expectContains([400, 422], answer.status, "\(answer.text.prefix(300))")
        }
        try expectEqual(client.ask("POST", "/api/v1/queue", [json], body: #"{"what":["Alpha talk"]}"#).status, 200)
        #expect(!(try events.text(upTo: "event: change\n")).contains("event: lost"))
    }

    @Test func thePageAndTheDescriptionAreServed() throws {
        let client = try gateway().connect()
        let page = try client.ask("GET", "/")
        #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
        expectEqual(page.header("content-security-policy")?.contains("default-src 'none'"), true)
        try expectEqual(client.ask("GET", "/app.js").header("content-type"), "text/javascript; charset=utf-8")
        try expectEqual(client.ask("GET", "/%2e%2e/web.conf").status, 404)
        try expectEqual(client.ask("GET", "/..%2fweb.conf").status, 404)
        try expectEqual(value(client.ask("GET", "/api/v1/openapi.json"))["openapi"], "3.1.0")
    }

    @Test func thePageIsSmallAndContactsNoOtherServer() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
            .standardizedFileURL
        let client = try gateway().connect()
        var bytes = 0
        var lines = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let data = try Data(contentsOf: folder.appending(path: name))
            let answer = try client.ask("GET", "/" + name, ["Accept-Encoding: gzip, deflate, br"])
            expectEqual(answer.header("content-encoding"), "gzip", "\(name)")
            bytes += answer.body.count
            lines += data.count { $0 == UInt8(ascii: "\n") }
            let text = String(decoding: data, as: UTF8.self).replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains(/(src|href|url|fetch|import)[=("' ]+(https?:)?\/\//), "\(name)")
        }
        #expect(bytes < 100_000)
        #expect(lines <= 5_000)
    }

    @Test func filesAreCompressedForClientsThatTakeThemSo() throws {
        let client = try gateway().connect()
        let plain = try client.ask("GET", "/app.js")
        let compressed = try client.ask("GET", "/app.js", ["Accept-Encoding: br, gzip;q=0.5"])
        expectEqual(plain.header("content-encoding"), nil)
        expectEqual(compressed.header("content-encoding"), "gzip")
        expectEqual([plain, compressed].map { $0.header("vary") }, ["Accept-Encoding", "Accept-Encoding"])
        let file = URL(filePath: daemon.scratch.path + "/app.js.gz")
        try Data(compressed.body).write(to: file)
        let read = try Programs.run(
            Launch("/bin/sh", ["-c", "exec gzip -dc \"$0\"", file.path], environment: ["PATH=/usr/bin:/bin"]))
        expectEqual(read.output, plain.text)
        for coding in ["gzip;q=0", "gzip; q=0.0", "identity", "xgzip"] {
            try expectEqual(
                client.ask("GET", "/app.js", ["Accept-Encoding: \(coding)"]).header("content-encoding"), nil,
                "\(coding)")
        }
        let tag = try #require(compressed.header("etag"))
        #expect(tag != plain.header("etag"))
        let known = ["Accept-Encoding: gzip", "If-None-Match: \(tag)"]
        try expectEqual(client.ask("GET", "/app.js", known).status, 304)
    }

    @Test(arguments: [true, false])
    func behindNginxNobodyIsLocal(_ asInTheDocument: Bool) throws {
        let settings =
            asInTheDocument
            ? "[server]\nhosts = radio.lan\n[users]\nanna = control \(try passwordHash("a", in: daemon.scratch))\n" : ""
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: settings, hasPort: true)
        let address = gateway.url.dropLast().replacingOccurrences(of: "localhost", with: "127.0.0.1")
        let lines =
            asInTheDocument
            ? try #require(DocumentBlocks.all(of: "nginx", in: "WEB.md").first)
            : "location / { proxy_pass http://127.0.0.1:6681; }"
        let folder = daemon.scratch.path
        let config = try daemon.scratch.file(
            "nginx.conf",
            """
            daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log stderr;
            events {}
            http {
                access_log off; client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2;
                fastcgi_temp_path \(folder)/t3; uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
                server {
                    listen unix:\(folder)/nginx;
                    \(lines.replacingOccurrences(of: "http://127.0.0.1:6681", with: address))
                }
            }
            """)
        let nginx = try ChildProcess(
            Launch(RequiredTool.nginx.path(), ["-c", config, "-e", "stderr"], environment: ["PATH=/usr/bin:/bin"]))
        defer { _ = nginx.terminate(grace: .seconds(5)) }
        var client: HTTPConversation?
        let end = Instant.now + .seconds(60)
        while client == nil, Instant.now < end { client = try? HTTPConversation(path: folder + "/nginx") }
        let stranger = try #require(client, "nginx does not listen")
        try stranger.send(Array("GET /api/v1/feeds HTTP/1.1\r\nHost: radio.lan\r\n\r\n".utf8))
        try expectEqual(stranger.answer().status, 401)
        if asInTheDocument {
            try stranger.send(
                Array("GET /api/v1/feeds HTTP/1.1\r\nHost: radio.lan\r\n\(basic("anna:a"))\r\n\r\n".utf8))
            try expectEqual(stranger.answer().status, 200)
        }
    }

    /// Default request headers of proxies and of a client on this machine.
    @Test(arguments: [
        "GET /api/v1/feeds HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close",
        "GET /api/v1/feeds HTTP/1.1\r\nHost: 127.0.0.1:6681\r\nConnection: keep-alive",
        "GET /api/v1/feeds HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Host: localhost\r\n"
            + "X-Forwarded-Proto: https\r\nVia: 1.1 Caddy",
        "GET /api/v1/feeds HTTP/1.1\r\nHost: 127.0.0.1:6681\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Host: radio.lan\r\n"
            + "X-Forwarded-Server: radio.lan\r\nConnection: Keep-Alive",
        "GET /api/v1/feeds HTTP/1.1\r\nhost: localhost", "GET /events HTTP/1.1\r\nHost: localhost",
        "GET /stream.mp3 HTTP/1.1\r\nHost: localhost",
    ])
    func nobodyReadsWithoutALoginUnlessTheSettingsSaySo(_ request: String) throws {
        let client = try gateway().connect()
        try client.send(Array((request + "\r\n\r\n").utf8))
        try expectEqual(client.answer().status, 401)
    }

    @Test func aStateDocumentOfADeviceIsRefusedAndChangesNothing() throws {
        let gateway = try gateway("[users]\nanna = admin \(try passwordHash("a", in: daemon.scratch))\n")
        let client = try gateway.connect()
        let device = try client.ask("POST", "/api/v1/devices", [json, basic("anna:a")], body: #"{"caption":"phone"}"#)
        let password = try #require(value(device)["password"]?.stringValue)
        let before = try daemon.ctl("export", "--state").output
        let state = """
            {"format":"podcastd-state","version":1,"settings":{"playback.speed":"3","daemon.log_level":"error"},
            "outputs":[{"name":"evil","specification":"null","enabled":true}],"rules":[{"rule":"is:new then download"}],
            "retention":[{"keep":"newest:1"}],"feeds":[{"url":"https://evil.example/feed"}]}
            """
        for path in ["phone.opml", "phone.txt", "phone.json"] {
            let answer = try client.ask(
                "PUT", "/subscriptions/anna/\(path)", [basic("anna:\(password)")], body: state)
            if path != "phone.txt" { #expect(answer.status >= 400, "\(path): \(answer.status)") }
        }
        let answer = try client.ask(
            "POST", "/api/2/subscriptions/anna/phone.json", [json, basic("anna:\(password)")], body: state)
        expectEqual(answer.status, 200)
        try expectEqual(daemon.ctl("export", "--state").output, before)
    }

    @Test func aGatewaySignsToItsWatchdog() throws {
        for program in ["podcast-web", "podcast-mpd"] {
            let gateway = try RunningGateway(
                program, daemon: daemon.socketPath, in: daemon.scratch, watchdog: .milliseconds(200))
            #expect(gateway.waits(for: "WATCHDOG=1"), "\(program)")
        }
    }

    @Test func wrongLoginsDelayNobody() throws {
        let gateway = try gateway(
            "[server]\nlocal = read\n[users]\nanna = control \(try passwordHash("a", in: daemon.scratch))\n")
        let honest = try gateway.connect()
        let guessers = try (0..<8).map { _ in try gateway.connect() }
        for (number, guesser) in guessers.enumerated() {
            try guesser.send(
                Array("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\(basic("anna:\(number)"))\r\n\r\n".utf8))
        }
        try expectEqual(honest.ask("GET", "/api/v1/status").status, 200)
        let statuses = try guessers.map { try $0.answer().status }
        expectEqual(statuses.filter { $0 == 401 }.count, 5)
        expectEqual(statuses.filter { $0 == 429 }.count, 3)
    }

    @Test func aBodyIsReceivedOnlyFromWhoMayDoWhatItSays() throws {
        let client = try gateway().connect()
        try client.send(
            Array(
                "POST /api/v1/playback/toggle HTTP/1.1\r\nHost: localhost\r\n\(json)\r\nContent-Length: 1000000\r\n\r\n"
                    .utf8))
        try expectEqual(client.answer().status, 401)
    }
}
