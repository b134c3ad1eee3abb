internal import CSystemd
internal import Glibc
public import PodcastModel
public import SystemCalls

/// A method call of another program. Answer it once, now or later, on the connection's thread; without an answer the
/// caller waits until its own time limit.
public final class BusCall {
    public let interface: String
    public let member: String
    public let arguments: [BusValue]
    private let message: BusMessage

    fileprivate init(_ message: consuming BusMessage, _ arguments: [BusValue]) {
        interface = message.interface
        member = message.member
        self.arguments = arguments
        self.message = message
    }

    public func reply(_ values: [BusValue] = []) throws(SystemError) { try message.makeReply().send(values) }

    public func fail(_ fault: BusFault) throws(SystemError) { try message.fail(fault) }
}

/// A connection to the user's D-Bus that offers one object. Wait until `descriptor` is ready or `deadline` is reached,
/// then call `process`. One thread.
@safe public final class SessionBus {
    private let bus: OpaquePointer
    private let path: String
    private let handler: (BusCall) -> Void
    private var slot: OpaquePointer?

    /// Connects to the bus of `DBUS_SESSION_BUS_ADDRESS`, or else of `XDG_RUNTIME_DIR`.
    /// - Parameter handler: called by `process` for method calls of the object, except `org.freedesktop.DBus.Peer`.
    public init(object path: String, handler: @escaping (BusCall) -> Void) throws(SystemError) {
        try SystemdLibrary.load()
        var opened: OpaquePointer?
        unsafe try SystemError.check(systemd.sd_bus_open_user(&opened), "connect to the session bus")
        unsafe bus = opened!
        self.path = path
        self.handler = handler
        let result = unsafe systemd.sd_bus_add_object(
            bus, &slot, path,
            { message, context, _ in
                let bus = unsafe Unmanaged<SessionBus>.fromOpaque(context!).takeUnretainedValue()
                return unsafe bus.handle(BusMessage(retaining: message!))
            }, Unmanaged.passUnretained(self).toOpaque())
        try SystemError.check(result, "offer the object \(path)")
    }

    deinit {
        _ = unsafe systemd.sd_bus_slot_unref(slot)
        // Send queued messages before the connection closes.
        _ = unsafe systemd.sd_bus_flush_close_unref(bus)
    }

    /// Requests a name of the bus, which other programs call. Returns false if another program has it.
    public func take(name: String) throws(SystemError) -> Bool {
        let result = unsafe systemd.sd_bus_request_name(bus, name, 0)
        if result == -EEXIST { return false }
        try SystemError.check(result, "take the name \(name)")
        return true
    }

    public func emit(_ interface: String, _ member: String, _ values: [BusValue]) throws(SystemError) {
        var made: OpaquePointer?
        unsafe try SystemError.check(
            systemd.sd_bus_message_new_signal(bus, &made, path, interface, member), "make the signal \(member)")
        try unsafe BusMessage(owning: made!).send(values)
    }

    /// Readable, or writable if `wantsWriting`, when `process` has something to do.
    public var descriptor: Int32 { unsafe systemd.sd_bus_get_fd(bus) }
    public var wantsWriting: Bool { unsafe systemd.sd_bus_get_events(bus) & Int32(POLLOUT) != 0 }

    /// When `process` must be called in any case, on CLOCK_MONOTONIC; nil for never.
    public var deadline: Instant? {
        var microseconds: UInt64 = 0
        guard unsafe systemd.sd_bus_get_timeout(bus, &microseconds) > 0, microseconds != .max else { return nil }
        return Instant(nanoseconds: 0) + .microseconds(Int64(clamping: microseconds))
    }

    /// Receives, calls the handler and sends, as far as possible without waiting.
    /// - Throws: if the bus has ended the connection.
    public func process() throws(SystemError) {
        while try unsafe SystemError.check(systemd.sd_bus_process(bus, nil), "use the session bus") > 0 {}
    }

    private func handle(_ message: consuming BusMessage) -> Int32 {
        guard message.isMethodCall, message.path == path else { return 0 }
        do throws(BusFault) {
            let arguments = try message.arguments()
            handler(BusCall(message, arguments))
        } catch {
            // `process` reports the end of the connection.
            try? message.fail(error)
        }
        return 1
    }
}
