internal import CSystemd
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// A message being read or written. Owns one reference.
@safe struct BusMessage: ~Copyable {
    /// Texts that are longer are refused.
    static let maximumText = 64 << 10

    private let message: OpaquePointer

    /// Consumes the caller's reference.
    init(owning message: OpaquePointer) { unsafe self.message = unsafe message }

    init(retaining message: OpaquePointer) { unsafe self.message = systemd.sd_bus_message_ref(message)! }

    deinit { _ = unsafe systemd.sd_bus_message_unref(message) }

    var interface: String { unsafe Self.text(systemd.sd_bus_message_get_interface(message)) }
    var member: String { unsafe Self.text(systemd.sd_bus_message_get_member(message)) }
    var path: String { unsafe Self.text(systemd.sd_bus_message_get_path(message)) }
    var isMethodCall: Bool { unsafe systemd.sd_bus_message_is_method_call(message, nil, nil) > 0 }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    func makeReply() throws(SystemError) -> BusMessage {
        var reply: OpaquePointer?
        unsafe try SystemError.check(systemd.sd_bus_message_new_method_return(message, &reply), "make an answer")
        return unsafe BusMessage(owning: reply!)
    }

    /// Sends the message with these values. sd-bus keeps the message until the socket has room.
    func send(_ values: [BusValue]) throws(SystemError) {
        for value in values { try append(value) }
        unsafe try SystemError.check(systemd.sd_bus_send(nil, message, nil), "send a message")
    }

    /// Answers this call with an error.
    func fail(_ fault: BusFault) throws(SystemError) {
        var error = unsafe sd_bus_error()
        defer { unsafe systemd.sd_bus_error_free(&error) }
        _ = unsafe systemd.sd_bus_error_set(&error, fault.texts.name, fault.texts.message)
        unsafe try SystemError.check(systemd.sd_bus_reply_method_error(message, &error), "send an error")
    }

    /// Sends this call and waits for its reply.
    func call(on bus: OpaquePointer, _ values: [BusValue], limit: Duration) throws(SystemError) -> BusMessage {
        for value in values { try append(value) }
        var error = unsafe sd_bus_error()
        defer { unsafe systemd.sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        let microseconds = UInt64(max(1, limit.nanoseconds / 1_000))
        let result = unsafe systemd.sd_bus_call(bus, message, microseconds, &error, &reply)
        let reason = unsafe Self.text(error.message)
        try SystemError.check(result, reason.isEmpty ? "call \(member)" : "call \(member): \(reason)")
        return unsafe BusMessage(owning: reply!)
    }

    // MARK: writing

    private func append(_ value: BusValue) throws(SystemError) {
        switch value {
        case .bool(let value): try append("b", value ? 1 : 0 as Int32)
        case .uint16(let value): try append("q", value)
        case .int32(let value): try append("i", value)
        case .uint32(let value): try append("u", value)
        case .int64(let value): try append("x", value)
        case .double(let value): try append("d", value)
        case .string(let text): try append("s", text)
        case .path(let text): try append("o", text)
        case .strings(let texts):
            try inside("a", "s") { message throws(SystemError) in for text in texts { try message.append("s", text) } }
        case .noTexts: try inside("a", "ay") { _ throws(SystemError) in }
        case .dictionary(let members):
            try inside("a", "{sv}") { message throws(SystemError) in
                for member in members {
                    try message.inside("e", "sv") { message throws(SystemError) in
                        try message.append("s", member.name)
                        try message.append(.variant(member.value))
                    }
                }
            }
        case .variant(let value):
            try inside("v", value.signature) { message throws(SystemError) in try message.append(value) }
        }
    }

    private func inside(
        _ kind: Unicode.Scalar, _ contents: String, _ body: (borrowing BusMessage) throws(SystemError) -> Void
    ) throws(SystemError) {
        unsafe try SystemError.check(
            systemd.sd_bus_message_open_container(message, Self.code(kind), contents), "write a message")
        try body(self)
        unsafe try SystemError.check(systemd.sd_bus_message_close_container(message), "write a message")
    }

    private func append<Value: BitwiseCopyable>(_ kind: Unicode.Scalar, _ value: Value) throws(SystemError) {
        let result = unsafe withUnsafePointer(to: value) {
            unsafe systemd.sd_bus_message_append_basic(message, Self.code(kind), $0)
        }
        try SystemError.check(result, "write a message")
    }

    private func append(_ kind: Unicode.Scalar, _ text: String) throws(SystemError) {
        let result = unsafe text.withCString {
            unsafe systemd.sd_bus_message_append_basic(message, Self.code(kind), $0)
        }
        try SystemError.check(result, "write a message")
    }

    private static func code(_ kind: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: kind.value) }

    // MARK: reading

    /// The arguments, of `BusValue`'s types. Throws `BusFault` for other types, or if they are too long.
    /// - Parameter most: how many are read.
    func arguments(atMost most: Int = .max) throws(BusFault) -> [BusValue] {
        var values: [BusValue] = []
        while true {
            guard values.count < most, let (kind, contents) = try nextType() else { return values }
            values.append(try value(kind, contents))
        }
    }

    private func nextType() throws(BusFault) -> (Unicode.Scalar, String)? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = unsafe systemd.sd_bus_message_peek_type(message, &kind, &contents)
        if result < 0 { throw Self.unreadable }
        return unsafe result == 0 ? nil : (Unicode.Scalar(UInt8(bitPattern: kind)), Self.text(contents))
    }

    private func value(_ kind: Unicode.Scalar, _ contents: String) throws(BusFault) -> BusValue {
        switch kind {
        case "b": return .bool(try read("b", 0 as Int32) != 0)
        case "q": return .uint16(try read("q", 0))
        case "i": return .int32(try read("i", 0))
        case "u": return .uint32(try read("u", 0))
        case "x": return .int64(try read("x", 0))
        case "d": return .double(try read("d", 0))
        case "s": return .string(try text("s"))
        case "o": return .path(try text("o"))
        case "v":
            if unsafe systemd.sd_bus_message_enter_container(message, Self.code("v"), contents) <= 0 {
                throw Self.unreadable
            }
            guard let (kind, inner) = try nextType(), kind != "v" else { throw Self.unreadable }
            let value = try value(kind, inner)
            if unsafe systemd.sd_bus_message_exit_container(message) < 0 { throw Self.unreadable }
            return .variant(value)
        default: throw .invalidArguments("an argument has the unexpected type \(kind)\(contents)")
        }
    }

    private func read<Value: BitwiseCopyable>(_ kind: Unicode.Scalar, _ start: Value) throws(BusFault) -> Value {
        var value = start
        if unsafe systemd.sd_bus_message_read_basic(message, Self.code(kind), &value) <= 0 { throw Self.unreadable }
        return value
    }

    private func text(_ kind: Unicode.Scalar) throws(BusFault) -> String {
        var pointer: UnsafePointer<CChar>?
        guard unsafe systemd.sd_bus_message_read_basic(message, Self.code(kind), &pointer) > 0,
            let pointer = unsafe pointer
        else { throw Self.unreadable }
        if unsafe strlen(pointer) > Self.maximumText {
            throw .invalidArguments("a text is longer than \(Self.maximumText) bytes")
        }
        return unsafe String(cString: pointer)
    }

    private static var unreadable: BusFault { .invalidArguments("the arguments cannot be read") }
}
