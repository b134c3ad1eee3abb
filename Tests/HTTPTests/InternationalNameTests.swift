@testable import HTTP
import LoopbackServer
import Testing

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
        #expect(got.head?.status == 200, "\(got.error?.message ?? "")")
        #expect(endpoint.requests.first?["host"] == "xn--bcher-kva.example:\(server.port)")
    }

    @Test func aRedirectMayLeadToAnInternationalName() throws {
        let away = server.serve("/away", .redirect(302, to: "http://bücher.example:\(server.port)/a"))
        let got = try fetch(HTTPRequest(away.url), settings: settings)
        #expect(got.head?.status == 200, "\(got.error?.message ?? "")")
        #expect(endpoint.requests.first?["host"] == "xn--bcher-kva.example:\(server.port)")
    }

    @Test func hostsAreComparedInASCII() {
        #expect(HTTPURL.host(of: "https://Bücher.example/a") == "xn--bcher-kva.example")
        #expect(PrivateHosts("*.bücher.example").contains("a.xn--bcher-kva.example"))
        let ann = HTTPRequest.Credentials(username: "ann", password: "x")
        let login = HTTPLogin(ann, hosts: ["bücher.example"], needsTLS: true)
        #expect(login.credentials(for: "https://xn--bcher-kva.example/") == ann)
        #expect(login.credentials(for: "https://bucher.example/") == nil)
    }

    @Test func theRestOfTheURLIsPercentEncoded() throws {
        #expect(try HTTPURL.normalized("http://bücher.example/ü b") == "http://xn--bcher-kva.example/%c3%bc%20b")
    }

    @Test func anInvalidNameIsMalformed() throws {
        #expect(try fetch(HTTPRequest("http://a\u{2028}b.example/"), settings: settings).error?.kind == .invalidRequest)
    }
}
