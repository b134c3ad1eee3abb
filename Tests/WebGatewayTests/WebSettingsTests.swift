@testable import WebGateway
import Configuration
import ControlLanguage
import GatewayKit
import HTTPServing
import PodcastModel
import Secrets
import SystemCalls
import TestSupport
import Testing

@Suite struct WebSettingsTests {
    @Test func theFileIsRead() throws {
        let hash = try #require(PasswordHash.make(from: "secret"))
        let settings = WebSettings.file.read(
            """
            [server]
            listen = localhost:8080 /run/web
            hosts = box.lan radio
            local = none
            [users]
            anna = admin \(hash.text)
            [tokens]
            kitchen = control 2027-01-31 \(hash.text)
            hall = read never \(hash.text)
            """
        ).settings
        expectEqual(settings.listen, [.internet(host: "localhost", port: 8080), .local(path: "/run/web")])
        expectEqual(settings.hosts, ["box.lan", "radio"])
        expectEqual(settings.local, nil)
        expectEqual(settings.users.map(\.permission), [.admin])
        expectEqual(settings.tokens.map(\.expiry), [Timestamp(parsing: "2027-01-31T00:00:00Z"), nil])
        for other in [
            "", "[server]\nhosts = radio.lan\n", "[users]\nanna = read \(hash.text)\n",
            "[tokens]\nkitchen = read never \(hash.text)\n",
        ] {
            expectEqual(WebSettings.file.read(other).settings.local, nil)
            expectEqual(WebSettings.file.read(other + "[server]\nlocal = read\n").settings.local, .read)
        }
    }

    @Test(arguments: [
        ("[server]\nlisten = example.org:80", 2), ("[server]\nlocal = all", 2), ("[users]\nanna = admin", 2),
        ("[users]\nanna = admin plain", 2), ("[tokens]\n\nt = read soon $y$x", 3), ("[web]\nx = y", 2), ("nonsense", 1),
    ])
    func aMistakeIsReportedWithItsLine(_ text: String, _ line: Int) {
        expectEqual(WebSettings.file.read(text).problems.map(\.line), [line])
    }
}

@Suite(.ownThread) struct AuthenticatorTests {
    private let settings: WebSettings
    private let start = Instant(nanoseconds: 1)
    private let isChecked = Semaphore()

    init() throws {
        let hash = try #require(PasswordHash.make(from: "secret"))
        settings =
            WebSettings.file.read(
                """
                [users]
                anna = control \(hash.text)
                [tokens]
                old = admin 2020-01-01 \(hash.text)
                hall = read never \(hash.text)
                """
            ).settings
    }

    private func ask(_ authenticator: Authenticator, _ header: String?, at now: Instant) -> (WebCaller?, Int?) {
        let headers = header.map { [HTTPField("Authorization", $0)] } ?? []
        var result: Result<WebCaller, WebProblem>?
        authenticator.identify(
            HTTPRequest("GET", "/", headers: headers, address: "10.0.0.1", isLocal: false), at: now,
            wallTime: Timestamp(parsing: "2026-11-23T00:00:00Z")!
        ) { result = $0 }
        while result == nil {
            isChecked.wait()
            authenticator.process()
        }
        switch result! {
        case .success(let caller): return (caller, nil)
        case .failure(let problem): return (nil, problem.status)
        }
    }

    private func basic(_ name: String, _ password: String) -> String {
        "Basic " + Base64.text(of: Array("\(name):\(password)".utf8))
    }

    @Test func passwordsAndTokensGiveTheirPermission() {
        let authenticator = Authenticator(settings) { [isChecked] in isChecked.post() }
        expectEqual(ask(authenticator, nil, at: start).0, .anonymous)
        expectEqual(ask(authenticator, basic("anna", "secret"), at: start).0, .known(name: "anna", .control))
        expectEqual(ask(authenticator, "Bearer hall.secret", at: start).0, .known(name: "hall", .read))
        expectEqual(ask(authenticator, "Bearer old.secret", at: start).1, 401)
        expectEqual(ask(authenticator, basic("hall", "secret"), at: start).1, 401, "a token is not a user")
        expectEqual(ask(authenticator, "Basic nonsense!", at: start).1, 401)
    }

    @Test func wrongPasswordsMakeAClientWait() {
        let authenticator = Authenticator(settings) { [isChecked] in isChecked.post() }
        let right = basic("anna", "secret")
        for _ in 0..<5 { expectEqual(ask(authenticator, basic("anna", "wrong"), at: start).1, 401) }
        expectEqual(ask(authenticator, right, at: start).1, 429)
        expectEqual(ask(authenticator, nil, at: start).0, .anonymous)
        expectEqual(ask(authenticator, right, at: start + .seconds(61)).0, .known(name: "anna", .control))
    }

    @Test func aLoginThatWasRightIsRememberedEvenWhileOthersGuess() {
        let authenticator = Authenticator(settings) { [isChecked] in isChecked.post() }
        let right = basic("anna", "secret")
        _ = ask(authenticator, right, at: start)
        for _ in 0..<6 { _ = ask(authenticator, basic("anna", "wrong"), at: start) }
        expectEqual(ask(authenticator, right, at: start).0, .known(name: "anna", .control))
        expectEqual(ask(authenticator, right, at: start + .seconds(601)).0, .known(name: "anna", .control))
    }
}
