internal import Glibc
public import SystemCalls

/// Services of the local network, by Avahi's interface on the system bus (org.freedesktop.Avahi). One thread, which waits.
public final class Avahi {
    private static let service = "org.freedesktop.Avahi"
    /// Any interface, and any protocol.
    private static let any = BusValue.int32(-1)
    private static let ipv4 = BusValue.int32(0)
    private static let ipv6 = BusValue.int32(1)

    private let bus: SystemBus

    /// - Throws: `SystemError` if the machine has no system bus.
    public init() throws(SystemError) { bus = try SystemBus() }

    /// Announces a service until this object goes.
    ///
    /// - Parameter type: such as `_http._tcp`.
    public func announce(_ name: String, type: String, port: UInt16) throws(SystemError) {
        guard case .path(let group)? = try bus.call(Self.service, "/", "\(Self.service).Server", "EntryGroupNew").first
        else { throw Self.unreadable }
        let interface = "\(Self.service).EntryGroup"
        _ = try bus.call(
            Self.service, group, interface, "AddService",
            [
                Self.any, Self.any, .uint32(0), .string(name), .string(type), .string(""), .string(""), .uint16(port),
                .noTexts,
            ])
        _ = try bus.call(Self.service, group, interface, "Commit")
    }

    /// Looks for an IPv4 address, and then for an IPv6 address, for ten seconds each. Avahi waits for a service that is just being announced.
    /// - Returns: the numeric address of a service, with brackets for IPv6, and its port.
    /// - Throws: `SystemError` if the service is not found.
    public func find(_ name: String, type: String) throws(SystemError) -> (address: String, port: UInt16) {
        do throws(SystemError) { return try find(name, type: type, protocol: Self.ipv4) } catch {
            return try find(name, type: type, protocol: Self.ipv6)
        }
    }

    private func find(
        _ name: String, type: String, protocol kind: BusValue
    ) throws(SystemError) -> (address: String, port: UInt16) {
        let reply = try bus.call(
            Self.service, "/", "\(Self.service).Server", "ResolveService",
            [Self.any, Self.any, .string(name), .string(type), .string("local"), kind, .uint32(0)],
            limit: .seconds(10), atMost: 9)
        guard reply.count == 9, case .string(let address) = reply[7], case .uint16(let port) = reply[8] else {
            throw Self.unreadable
        }
        return (address.contains(":") ? "[\(address)]" : address, port)
    }

    private static var unreadable: SystemError { SystemError(code: EBADMSG, call: "read Avahi's reply") }
}
