@testable import HTTP
import LoopbackServer
import Testing
import TestSupport

/// Names that strangers chose do not lead to this machine or its network.
@Suite(.ownThread) struct PrivateAddressTests {
    private let server: LoopbackServer
    private let answering: LoopbackServer.Endpoint

    init() throws {
        server = try LoopbackServer()
        answering = server.serve("/a", .status(200, fields: [], body: Array("secret".utf8)))
    }

    private func fetch(
        _ request: HTTPRequest, _ settings: HTTPSettings = HTTPSettings(proxy: ""), on multi: HTTPMulti? = nil
    ) throws -> Collector {
        let multi = try multi ?? HTTPMulti(settings: settings)
        let collector = Collector()
        multi.add(request, delegate: collector)
        while multi.count > 0 { try multi.poll() }
        return collector
    }

    private func named(_ hosts: String..., url: String) -> HTTPRequest {
        var request = HTTPRequest(url)
        request.namedHosts = hosts
        return request
    }

    @Test func aPrivateHostNamedByTheUserIsUsed() throws {
        try expectEqual(fetch(HTTPRequest(answering.url)).head?.status, 200)
        try expectEqual(fetch(named("127.0.0.1", url: answering.url)).head?.status, 200)
    }

    @Test func aPrivateHostNamedByAFeedIsNotConnectedTo() throws {
        let collector = try fetch(named("show.example", url: answering.url))
        expectEqual(collector.error?.kind, .privateAddress)
        expectEqual(collector.error?.message.contains("network.private_hosts"), true)
        #expect(server.requests.isEmpty && server.acceptedConnections == 0)
    }

    @Test func aPublicNameMayNotResolveToAPrivateAddress() throws {
        // What a rebinding server does: a name that looks public and has this machine's address.
        let url = "http://rebound.example:\(server.port)/a"
        var settings = HTTPSettings(proxy: "")
        settings.resolutions = ["rebound.example:\(server.port):127.0.0.1"]
        try expectEqual(fetch(HTTPRequest(url), settings).error?.kind, .privateAddress)
        settings.privateHosts = PrivateHosts("rebound.example")
        try expectEqual(fetch(HTTPRequest(url), settings).head?.status, 200)
    }

    @Test func aRedirectIntoThePrivateNetworkIsNotFollowed() throws {
        let away = server.serve("/away", .redirect(302, to: "http://localhost:\(server.port)/a"))
        let collector = try fetch(HTTPRequest(away.url))
        expectEqual(collector.error?.kind, .privateAddress)
        expectEqual(collector.error?.hops.count, 1)
    }

    @Test func anOpenConnectionDoesNotBypassTheCheck() throws {
        let multi = try HTTPMulti(settings: HTTPSettings(proxy: ""))
        try expectEqual(fetch(HTTPRequest(answering.url), on: multi).head?.status, 200)
        try expectEqual(fetch(named("show.example", url: answering.url), on: multi).error?.kind, .privateAddress)
        expectEqual(server.requests.count, 1)
    }

    @Test func throughAProxyThePrivateNamesThemselvesAreRefused() throws {
        let settings = HTTPSettings(proxy: "http://127.0.0.1:\(server.port)")
        try expectEqual(fetch(named("show.example", url: "http://10.0.0.1/a"), settings).error?.kind, .privateAddress)
        try expectEqual(fetch(named("show.example", url: "http://show.example/a"), settings).error, nil)
    }

    @Test func credentialsAreSentToTheHostOnlyAndNotAfterARedirect() throws {
        let other = try LoopbackServer()
        let challenge = Answer.status(401, fields: [("WWW-Authenticate", "Basic realm=\"a\"")], body: [])
        let target = other.serve("/b", challenge)
        let away = server.serve("/away") { request in
            request["authorization"] == nil ? challenge : .redirect(302, to: target.url)
        }
        var request = HTTPRequest(away.url)
        request.namedHosts = ["127.0.0.1"]
        request.credentials = HTTPRequest.Credentials(username: "ann", password: "s3cret")
        try expectEqual(fetch(request).head?.status, 401)
        expectEqual(server.requests.map { $0["authorization"] }, [nil, "Basic YW5uOnMzY3JldA=="])
        #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0["authorization"] == nil })
    }

    @Test func aPasswordIsNotSentInClearIfTheServerOffersDigest() throws {
        let digest = "Digest realm=\"show\", nonce=\"abc\", algorithm=MD5"
        let both = server.serve("/feed.xml") { request in
            guard let answer = request["authorization"] else {
                let fields = [("WWW-Authenticate", "Basic realm=\"show\""), ("WWW-Authenticate", digest)]
                return .status(401, fields: fields, body: Array("no".utf8))
            }
            return .status(answer.contains("response=\"1337ca9ef0cb81a567f11e797fa0f932\"") ? 200 : 403)
        }
        var request = HTTPRequest(both.url)
        request.credentials = HTTPRequest.Credentials(username: "ann", password: "s3cret")
        let outcome = try fetch(request)
        #expect(outcome.head?.status == 200 && outcome.body.isEmpty)
        expectEqual(both.requests.count, 2)
    }

    @Test func aRefusedLoginIsDeliveredOnceWithItsBody() throws {
        let closed = server.serve(
            "/closed", .status(401, fields: [("WWW-Authenticate", "Basic realm=\"a\"")], body: Array("no".utf8)))
        var request = HTTPRequest(closed.url)
        request.credentials = HTTPRequest.Credentials(username: "ann", password: "wrong")
        let outcome = try fetch(request)
        #expect(outcome.head?.status == 401 && outcome.body == Array("no".utf8) && outcome.error == nil)
        expectEqual(closed.requests.count, 2)
    }

    @Test func aRetryAfterDateIsComparedWithTheServersDate() throws {
        let busy = server.serve(
            "/busy",
            .status(
                503,
                fields: [
                    ("Date", "Thu, 01 Jan 2004 00:00:00 GMT"), ("Retry-After", "Thu, 01 Jan 2004 01:00:00 GMT"),
                ], body: []))
        try expectEqual(fetch(HTTPRequest(busy.url)).head?.retryAfter, 3600)
    }
}
