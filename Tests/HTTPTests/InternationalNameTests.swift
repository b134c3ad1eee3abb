@testable import HTTP
import LoopbackServer
import Testing
import TestSupport

/// Names with letters beyond ASCII, in a process whose locale is C.
@Suite(.ownThread) struct InternationalNameTests {
    private let server: LoopbackServer
    private let endpoint: LoopbackServer.Endpoint
    private let settings: HTTPSettings

    init() throws {
        server = try LoopbackServer()
        endpoint = server.serve("/a", .status(200))
        var settings = HTTPSettings(proxy: "")
        settings.resolutions = ["xn--bcher-kva.example:\(server.port):127.0.0.1"]
        settings.privateHosts = PrivateHosts("BÜCHER.example")
        self.settings = settings
    }

    @Test(arguments: ["bücher.example", "BÜCHER.example", "xn--bcher-kva.example"])
    func aHostIsAskedByItsNameInASCII(host: String) throws {
        let got = try fetch(HTTPRequest("http://\(host):\(server.port)/a"), settings: settings)
        expectEqual(got.head?.status, 200, "\(got.error?.message ?? "")")
        expectEqual(endpoint.requests.first?["host"], "xn--bcher-kva.example:\(server.port)")
    }

    @Test func aRedirectMayLeadToAnInternationalName() throws {
        let away = server.serve("/away", .redirect(302, to: "http://bücher.example:\(server.port)/a"))
        let got = try fetch(HTTPRequest(away.url), settings: settings)
        expectEqual(got.head?.status, 200, "\(got.error?.message ?? "")")
        expectEqual(endpoint.requests.first?["host"], "xn--bcher-kva.example:\(server.port)")
    }

    @Test func hostsAreComparedInASCII() {
        expectEqual(HTTPURL.host(of: "https://Bücher.example/a"), "xn--bcher-kva.example")
        #expect(PrivateHosts("*.bücher.example").contains("a.xn--bcher-kva.example"))
        let ann = HTTPRequest.Credentials(username: "ann", password: "x")
        let login = HTTPLogin(ann, hosts: ["bücher.example"], needsTLS: true)
        expectEqual(login.credentials(for: "https://xn--bcher-kva.example/"), ann)
        expectEqual(login.credentials(for: "https://bucher.example/"), nil)
    }

    @Test func bothSpellingsOfANameHaveOneForm() {
        let form = HTTPURL.normalForm("https://xn--bcher-kva.example/a/ü")
        expectEqual(form, "xn--bcher-kva.example/a/%C3%BC")
        expectEqual(HTTPURL.normalForm("http://Bücher.example:80/a/%c3%bc/#top"), form)
        expectEqual(HTTPURL.normalForm("nothing"), "")
    }

    @Test func theRestOfTheURLIsPercentEncoded() throws {
        // Older versions of libcurl write digits of either case.
        let url = try HTTPURL.normalized("http://bücher.example/ü b").lowercased()
        expectEqual(url, "http://xn--bcher-kva.example/%c3%bc%20b")
    }

    @Test func anInvalidNameIsMalformed() throws {
        try expectEqual(
            fetch(HTTPRequest("http://a\u{2028}b.example/"), settings: settings).error?.kind, .invalidRequest)
    }
}
