internal import CSystemd
internal import Glibc
public import SystemCalls

/// A connection to the system's D-Bus, for calls of its services. One thread, which waits for the replies.
@safe public final class SystemBus {
    private let bus: OpaquePointer

    /// Connects to the bus of `DBUS_SYSTEM_BUS_ADDRESS`, or else the usual one.
    public init() throws(SystemError) {
        try SystemdLibrary.load()
        var opened: OpaquePointer?
        unsafe try SystemError.check(systemd.sd_bus_open_system(&opened), "connect to the system bus")
        unsafe bus = opened!
    }

    deinit { _ = unsafe systemd.sd_bus_flush_close_unref(bus) }

    /// - Parameter most: how many values of the reply are read; the rest may have any type.
    /// - Returns: the reply's values.
    func call(
        _ service: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue] = [],
        limit: Duration = .seconds(5), atMost most: Int = .max
    ) throws(SystemError) -> [BusValue] {
        var made: OpaquePointer?
        unsafe try SystemError.check(
            systemd.sd_bus_message_new_method_call(bus, &made, service, path, interface, member),
            "make the call \(member)")
        let reply = try unsafe BusMessage(owning: made!).call(on: bus, values, limit: limit)
        do throws(BusFault) { return try reply.arguments(atMost: most) } catch {
            throw SystemError(code: EBADMSG, call: "read the reply of \(member)")
        }
    }
}
