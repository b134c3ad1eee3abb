@testable import HTTP
import LoopbackServer
import Testing
import TestSupport

@Suite(.ownThread) struct RedirectTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func redirectsAreFollowedAndRecorded() throws {
        let last = server.serve("/c", .resource(Resource(pattern(10))))
        let second = server.serve("/dir/b", .redirect(302, to: "../c"))
        let first = server.serve("/a", .redirect(301, to: "/dir/b?token=1"))
        let got = try fetch(first.url)
        expectEqual(got.body, pattern(10))
        let hops = [
            HTTPHop(status: 301, from: first.url, to: second.url + "?token=1"),
            HTTPHop(status: 302, from: second.url + "?token=1", to: last.url),
        ]
        expectEqual(got.head?.hops, hops)
        expectEqual(got.head?.effectiveURL, last.url)
        expectEqual(hops.map(\.isPermanent), [true, false])
        #expect(throws: Never.self) { try got.result?.get() }
    }

    @Test func twentyRedirectsAreFollowed() throws {
        let last = server.serve("/hop0", .resource(Resource(pattern(10))))
        let hops = (1...20).map { server.serve("/hop\($0)", .redirect(302, to: "/hop\($0 - 1)")) }
        try expectEqual(fetch(hops[19].url).body, pattern(10))
        expectEqual(last.requests.count, 1)
    }

    @Test func aCookieLivesFromOneRedirectToTheNext() throws {
        let first = server.serve(
            "/door", .status(302, fields: [("Location", "/room"), ("Set-Cookie", "key=1; Path=/")], body: []))
        let room = server.serve("/room", .resource(Resource(pattern(10))))
        for _ in 1...2 { try expectEqual(fetch(first.url).body, pattern(10)) }
        expectEqual(first.requests.map { $0["cookie"] }, [nil, nil])
        expectEqual(room.requests.map { $0["cookie"] }, ["key=1", "key=1"])
    }

    @Test func aRedirectLoopEndsAtTheLimit() throws {
        let endpoint = server.serve("/loop", .redirect(302, to: "/loop"))
        var request = HTTPRequest(endpoint.url)
        request.maximumRedirects = 5
        let error = try #require(try fetch(request).error)
        expectEqual(error.kind, .redirectLimit)
        expectEqual(endpoint.requests.count, 6)
        expectEqual(error.hops.count, 6)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "dict://127.0.0.1/d"])
    func aRedirectToAnotherSchemeIsRefused(place: String) throws {
        let endpoint = server.serve("/", .redirect(302, to: place))
        let error = try #require(try fetch(endpoint.url).error)
        expectEqual(error.kind, .redirectRefused)
        expectEqual(error.hops.first?.to, place)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "127.0.0.1", "", "http", "javascript:alert(1)"])
    func anotherSchemeIsRefused(url: String) throws {
        try expectEqual(fetch(url).error?.kind, .invalidRequest)
    }

    @Test func withoutRedirectsTheAnswerItselfArrives() throws {
        let endpoint = server.serve("/", .redirect(308, to: "/elsewhere"))
        var request = HTTPRequest(endpoint.url)
        request.maximumRedirects = 0
        let got = try fetch(request)
        expectEqual(got.head?.status, 308)
        expectEqual(got.head?.headers["location"], "/elsewhere")
    }

    @Test func credentialsStayWithTheirHost() throws {
        let other = try LoopbackServer()
        let elsewhere = other.serve("/", .resource(Resource(pattern(10))))
        let endpoint = server.serve("/", .redirect(302, to: elsewhere.url))
        var request = HTTPRequest(endpoint.url.replacingPrefix("http://", with: "http://user:secret@"))
        request.headers = [("Authorization", "Bearer token"), ("Cookie", "a=b")]
        let got = try fetch(request)
        expectEqual(got.head?.status, 200)
        #expect(endpoint.requests.first?["authorization"] != nil)
        expectEqual(elsewhere.requests.count, 1)
        expectEqual(elsewhere.requests.first?["authorization"], nil)
        expectEqual(elsewhere.requests.first?["cookie"], nil)
    }

    @Test func theRangeSurvivesARedirect() throws {
        let last = server.serve("/b", .resource(Resource(pattern(100))))
        let first = server.serve("/a", .redirect(307, to: last.url))
        var request = HTTPRequest(first.url)
        request.rangeStart = 40
        try expectEqual(fetch(request).body, Array(pattern(100)[40...]))
    }
}

extension String {
    func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
