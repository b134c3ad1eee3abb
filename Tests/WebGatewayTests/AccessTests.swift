import HTTPServing
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import WebGateway

@Suite struct AccessTests {
    private func status(_ body: () throws(WebProblem) -> Void) -> Int? {
        do throws(WebProblem) {
            try body()
            return nil
        } catch {
            return error.status
        }
    }

    private func guarded(
        _ requestGuard: RequestGuard, _ host: String?, _ headers: [HTTPField] = [], _ method: String = "GET"
    )
        -> Int?
    {
        let hosts = host.map { [HTTPField("Host", $0)] } ?? []
        return status { () throws(WebProblem) in
            try requestGuard.check(HTTPRequest(method, "/api/v1/status", headers: hosts + headers))
        }
    }

    @Test(
        arguments: [
            ("localhost:6681", nil), ("LOCALHOST", nil), ("127.0.0.1:80", nil), ("[::1]:6681", nil),
            ("192.168.1.4", nil),
            ("box.lan:6681", nil), ("BOX.lan", nil), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("box.lan.evil.example", 421), ("1.2.3", 421), ("1.2.3.999", 421), ("a:b:c", 400), ("[::1", 400), ("", 400),
            (":80", 400),
        ] as [(String, Int?)])
    func onlyNamesOfThisServerAreAnswered(_ host: String, _ expected: Int?) {
        expectEqual(guarded(RequestGuard(hosts: ["box.lan"]), host), expected)
    }

    @Test func aRequestNeedsOneHost() {
        expectEqual(guarded(RequestGuard(), nil), 400)
        expectEqual(guarded(RequestGuard(), "localhost", [HTTPField("host", "localhost")]), 400)
    }

    @Test(
        arguments: [
            ("http://localhost:6681", nil), ("https://localhost:6681", nil), ("http://localhost", 403),
            ("http://evil.example", 403), ("null", 403), ("", 403),
        ] as [(String, Int?)])
    func pagesOfOtherOriginsAreRefused(_ origin: String, _ expected: Int?) {
        expectEqual(guarded(RequestGuard(), "localhost:6681", [HTTPField("Origin", origin)], "POST"), expected)
    }

    @Test func aBrowserThatNamesAnotherSiteIsRefused() {
        for site in ["cross-site", "same-site", "nonsense"] {
            expectEqual(guarded(RequestGuard(), "localhost", [HTTPField("Sec-Fetch-Site", site)]), 403)
        }
        expectEqual(guarded(RequestGuard(), "localhost", [HTTPField("Sec-Fetch-Site", "same-origin")]), nil)
        let link = [
            HTTPField("Host", "localhost"), HTTPField("Sec-Fetch-Site", "cross-site"),
            HTTPField("Sec-Fetch-Mode", "navigate"),
        ]
        // A link may lead to the page, but no page may open the events of another one.
        for (path, expected) in [("/", nil), ("/events", 403)] {
            let request = HTTPRequest("GET", path, headers: link)
            expectEqual(
                status { () throws(WebProblem) in try RequestGuard().check(request) }, expected)
        }
    }

    @Test(
        arguments: [
            ([("Content-Length", "5")], nil), ([("Transfer-Encoding", "chunked")], nil),
            ([("Content-Length", "5"), ("Content-Length", "6")], 400),
            ([("Content-Length", "5"), ("content-length", "5")], 400),
            ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], 400), ([("Content-Length", "+5")], 400),
            ([("Transfer-Encoding ", "chunked")], 400), ([("Transfer-Encoding", "xchunked")], 400),
            ([("Transfer-Encoding", "gzip, chunked")], 400),
        ] as [([(String, String)], Int?)])
    func aBodyWhoseEndIsNotClearIsRefused(_ headers: [(String, String)], _ expected: Int?) {
        expectEqual(guarded(RequestGuard(), "localhost", headers.map { HTTPField($0.0, $0.1) }, "POST"), expected)
    }

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "X-Real-IP", "Via", "X-Forwarded-Host", "X-Forwarded-Proto",
    ])
    func whatAProxyPassesOnIsKnown(_ header: String) {
        #expect(HTTPRequest("GET", "/", headers: [HTTPField(header, "x")]).isForwarded)
        #expect(!HTTPRequest("GET", "/", headers: [HTTPField("Host", "x")]).isForwarded)
    }

    @Test func credentialsAreRead() {
        expectEqual(Credentials(nil), .missing)
        expectEqual(Credentials("Basic QWxhZGRpbjpvcGVuOnNlc2FtZQ=="), .login(name: "Aladdin", password: "open:sesame"))
        expectEqual(Credentials("bearer kitchen.s3cr.et"), .token(name: "kitchen", secret: "s3cr.et"))
        for text in [
            "Basic", "Basic !!!", "Basic QQ==", "Bearer x", "Bearer .x", "Digest a=b", "Basic YQA6Yg==",
        ] {
            expectEqual(Credentials(text), .unreadable, "\(text)")
        }
        expectEqual(Credentials("Bearer a." + String(repeating: "x", count: 3000)), .unreadable)
    }

    @Test func withTheSettingReadingIsOpenOnThisMachineAndEverythingElseNeedsALogin() {
        let policy = AccessPolicy(local: .read)
        func needs(_ level: CommandDeclaration.Permission, _ caller: WebCaller, _ isLocal: Bool) -> Int? {
            status { () throws(WebProblem) in try policy.require(level, of: caller, isLocal: isLocal) }
        }
        expectEqual(needs(.read, .anonymous, true), nil)
        expectEqual(needs(.read, .anonymous, false), 401)
        expectEqual(needs(.control, .anonymous, true), 401)
        expectEqual(needs(.control, .known(name: "anna", .control), false), nil)
        expectEqual(needs(.admin, .known(name: "anna", .control), true), 403)
        expectEqual(AccessPolicy().permission(of: .anonymous, isLocal: true), nil)
    }

    @Test func errorsOfTheDaemonAreProblems() {
        let error = ControlError(.notFound, "no episode matches 'x'", hint: "search")
        let response = WebProblem(error).response
        expectEqual(response.status, 404)
        expectContains(response.headers, HTTPField("Content-Type", "application/problem+json"))
        let body = try? JSONValue(parsing: String(decoding: response.body, as: UTF8.self))
        #expect(body?["detail"] == "no episode matches 'x'" && body?["hint"] == "search" && body?["code"] == 1)
        #expect(body?["status"] == 404 && body?["title"] == "Not found")
        expectEqual(WebProblem(ControlError(.conflict, "x")).status, 409)
        expectEqual(WebProblem(ControlError(.invalidParameters, "x")).status, 400)
        expectContains(WebProblem(ControlError(.unavailable, "x")).response.headers, HTTPField("Retry-After", "5"))
    }

    @Test func aKnownDocumentIsNotSentAgain() throws {
        let document = HTTPResponse(json: ["a": 1])
        let tag = try #require(document.headers.first { $0.name == "ETag" }?.value)
        func status(_ known: String?, _ method: String = "GET") -> Int {
            let headers = known.map { [HTTPField("If-None-Match", $0)] } ?? []
            return document.finished(for: HTTPRequest(method, "/", headers: headers)).status
        }
        expectEqual(status(nil), 200)
        #expect(status(tag) == 304 && status("W/\(tag)") == 304 && status("\"x\", \(tag)") == 304 && status("*") == 304)
        expectEqual(status("\"x\""), 200)
        expectEqual(status(tag, "POST"), 200)
        #expect(HTTPResponse(json: ["a": 2]).headers != document.headers)
    }

    @Test func everyAnswerProtectsTheBrowser() {
        let answer = WebProblem(404, "Not found", "x").response.finished(for: HTTPRequest("GET", "/"))
        let policy = answer.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
        expectContains(answer.headers, HTTPField("X-Content-Type-Options", "nosniff"))
    }

    @Test func aScriptIsNotInterruptedByTheBrowsersOwnLogin() {
        let problem = WebProblem.unauthorized("x")
        func schemes(_ headers: [HTTPField]) -> [String] {
            problem.response(to: HTTPRequest("GET", "/", headers: headers)).headers
                .filter { $0.name == "WWW-Authenticate" }.map { String($0.value.prefix { $0 != " " }) }
        }
        expectEqual(schemes([]), ["Basic", "Bearer"])
        expectEqual(schemes([HTTPField("Sec-Fetch-Dest", "empty")]), ["Bearer"])
    }

    /// A page that is opened during playback cannot know when the daemon reported the position.
    @Test func theFirstPositionIsThatOfTheMoment() throws {
        var events = EventStreams()
        var player = PlayerReply()
        (player.state, player.position, player.pace) = (.playing, MediaTime(seconds: 10), 1.5)
        (player.duration, player.instant) = (MediaTime(seconds: 600), Instant(nanoseconds: 5_000_000_000))
        player.sleep = SleepTimerReply { $0.remaining = MediaTime(seconds: 100) }
        var parts = SnapshotReply.Parts()
        parts[.player] = player.json
        events.receive(SnapshotReply(sequence: 1, parts: parts))
        let text = String(
            decoding: events.snapshot(of: [.player], at: Instant(nanoseconds: 45_000_000_000), to: .read), as: UTF8.self
        )
        expectContains(text, "\"position\":70")
        expectContains(text, "\"remaining\":60")
    }
}
