@testable import HTTP
import PodcastModel
import Synchronization
import Testing
import TestSupport

/// Strangers lead neither to this machine's addresses on the internet nor to its network.
struct OwnAddressTests {
    private final class Machine: Sendable {
        let addresses = Mutex<[[UInt8]]>([])
        let asked = Mutex(0)
        let time = Mutex(Instant(nanoseconds: 0))
        var own: OwnAddresses {
            OwnAddresses(
                read: { [self] in
                    asked.withLock { $0 += 1 }
                    return addresses.withLock { $0 }
                }, now: { [self] in time.withLock { $0 } })
        }
    }

    private func gate(
        own: [String], named: [String]? = nil, allowed: String = "", proxied: Bool = false
    ) throws -> AddressGate {
        let machine = Machine()
        let bytes = try own.map { try #require(InternetAddress($0)).bytes }
        machine.addresses.withLock { $0 = bytes }
        var request = HTTPRequest("https://feeds.example/a")
        request.namedHosts = named
        var settings = HTTPSettings(proxy: proxied ? "http://proxy.example" : "", privateHosts: PrivateHosts(allowed))
        settings.ownAddresses = machine.own
        return AddressGate(request: request, settings: settings)
    }

    private func refuses(_ gate: AddressGate, _ address: String, _ url: String) throws -> Bool {
        gate.refusal(of: try #require(InternetAddress(address)), for: url) != nil
    }

    @Test(arguments: [
        ("93.184.216.34", true), ("::ffff:93.184.216.34", true), ("2002:5db8:d822::1", true), ("93.184.216.35", false),
        ("2606:4700:1:2::77", true), ("2606:4700:1:2:ffff:ffff:ffff:ffff", true), ("2606:4700:1:3::77", false),
    ])
    func anAddressOfThisMachineIsRefusedLikeAPrivateOne(address: String, isRefused: Bool) throws {
        let gate = try gate(own: ["93.184.216.34", "2606:4700:1:2::1", "10.0.0.1", "fe80::1"])
        try expectEqual(refuses(gate, address, "http://elsewhere.example/"), isRefused)
    }

    @Test func aHostNamedByTheUserMayBeThisMachine() throws {
        let own = ["93.184.216.34"]
        #expect(try !refuses(gate(own: own), own[0], "https://feeds.example/b"))
        #expect(try !refuses(gate(own: own, named: ["my.example"]), own[0], "https://my.example/b"))
        #expect(try !refuses(gate(own: own, allowed: "*.example"), own[0], "https://other.example/"))
        #expect(try refuses(gate(own: own, named: []), own[0], "https://feeds.example/b"))
    }

    @Test func throughAProxyAnAddressOfThisMachineIsKnownByTheURL() throws {
        let gate = try gate(own: ["93.184.216.34"], proxied: true)
        #expect(try refuses(gate, "10.0.0.9", "http://93.184.216.34/"))
        #expect(try !refuses(gate, "10.0.0.9", "http://93.184.216.35/"))
        #expect(try !refuses(gate, "93.184.216.34", "http://elsewhere.example/"))
    }

    @Test func interfacesAreReadAtIntervals() throws {
        let machine = Machine()
        let own = machine.own
        let address = try #require(InternetAddress("93.184.216.34"))
        for _ in 0..<100 { #expect(!own.contains(address)) }
        expectEqual(machine.asked.withLock { $0 }, 1)
        machine.addresses.withLock { $0 = [address.bytes] }
        machine.time.withLock { $0 = $0 + OwnAddresses.lifetime }
        #expect(own.contains(address))
        expectEqual(machine.asked.withLock { $0 }, 2)
    }
}
