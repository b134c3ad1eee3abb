@testable import HTTP
import Testing
import TestSupport

struct InternetAddressTests {
    @Test(arguments: [
        "93.184.216.34", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.0", "192.167.1.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8", "64:ff9b::808:808",
        "2002:808:808::1", "2001:4860:4860::8888",
    ])
    func addressesOfTheInternetArePublic(text: String) throws {
        #expect(try #require(InternetAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "168.63.129.16", "::ffff:168.63.129.16", "100.64.0.1", "127.0.0.1", "127.255.1.1",
        "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.0.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1",
        "255.255.255.255", "::", "::1", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "2001:db8::1", "2001:0:1::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2002:a00:1::1",
        "::7f00:1", "[::1]", "3fff::1", "5f00::1",
    ])
    func addressesInsideAreNot(text: String) throws {
        #expect(try !#require(InternetAddress(text)).isPublic)
    }

    @Test func otherTextsAreNotAddresses() {
        for text in ["", "localhost", "1.2.3", "1.2.3.4.5", "[1.2.3.4", "fe80", "256.1.1.1"] {
            expectEqual(InternetAddress(text), nil)
        }
    }

    @Test func namesThatNoPublicServerResolvesArePrivate() {
        for name in [
            "nas", "nas.local", "LOCALHOST", "a.localhost", "box.home.arpa", "127.0.0.1", "[fd00::5]", "tv.lan.",
            "home.arpa", "fritz.box", "nas.fritz.box", "wiki.corp", "a.b.intranet", "host.localdomain",
        ] {
            #expect(PrivateHosts.isPrivateName(name), "\(name)")
        }
        for name in [
            "example.org", "local.example", "localhost.example.org", "a.box",
            "fritz.box.example", "notfritz.box", "8.8.8.8", "[2606:4700::1]", "",
        ] {
            #expect(!PrivateHosts.isPrivateName(name), "\(name)")
        }
    }

    @Test func hostsAreAllowedByNameByWildcardOrAll() {
        let hosts = PrivateHosts("nas.example.org, *.corp.example [fd00::1]  10.0.0.1")
        for name in ["nas.example.org", "a.corp.example", "fd00::1", "[fd00::1]", "10.0.0.1", "nas.example.org."] {
            #expect(hosts.contains(name), "\(name)")
        }
        for name in ["corp.example", "example.org", "10.0.0.2", "evilcorp.example"] { #expect(!hosts.contains(name)) }
        #expect(PrivateHosts.all.contains("anything"))
        #expect(!PrivateHosts("").contains("anything"))
    }
}
