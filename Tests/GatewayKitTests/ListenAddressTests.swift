import GatewayKit
import Testing
import TestSupport

@Suite struct ListenAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:80", .internet(host: "127.0.0.1", port: 80)), ("[::1]:80", .internet(host: "::1", port: 80)),
            ("localhost:0", .internet(host: "localhost", port: 0)), ("/run/x", .local(path: "/run/x")), (":80", nil),
            ("localhost", nil), ("localhost:99999", nil), ("example.org:80", nil),
        ] as [(String, ListenAddress?)])
    func addressesToListenOn(_ text: String, _ expected: ListenAddress?) {
        expectEqual(ListenAddress(parsing: text), expected)
    }
}
