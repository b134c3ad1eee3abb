internal import CJansson

/// Text that is not valid JSON, or exceeds a limit.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public var message: String
    /// In bytes, from 0.
    public var offset: Int
    public var description: String { "\(message) at byte \(offset)" }
}

extension JSONValue {
    /// Maximum nesting of arrays and objects. Jansson allows 2048; this limit makes recursion fit on a small stack.
    public static let maximumDepth = 64

    /// Parses one document, RFC 8259: json_loadb(3).
    ///
    /// Rejects objects with duplicate names and nesting beyond `maximumDepth`, so that malicious text is rejected
    /// instead of misunderstood.
    /// - Parameter bytes: UTF-8 text; not used after the call.
    /// - Throws: `JSONError` with the position.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONError) {
        if let offset = unsafe Self.offsetOfExcessiveDepth(bytes) {
            throw JSONError(message: "nested deeper than \(Self.maximumDepth)", offset: offset)
        }
        var failure = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL)
        let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let root = unsafe json_loadb(text, bytes.count, flags, &failure) else {
            let message = unsafe withUnsafeBytes(of: failure.text) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw JSONError(message: message, offset: Int(failure.position))
        }
        defer { unsafe json_decref(root) }
        self = unsafe JSONValue(reading: root)
    }

    public init(parsing text: String) throws(JSONError) {
        var text = text
        let result: Result<JSONValue, JSONError> = text.withUTF8 { bytes in
            Result { () throws(JSONError) in try unsafe JSONValue(parsing: UnsafeRawBufferPointer(bytes)) }
        }
        self = try result.get()
    }

    /// JSON text in one line, without spaces or line breaks: RFC 8259. Numbers keep 15 significant digits, so that
    /// milliseconds written as seconds are read back exactly.
    public var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text as UTF-8 bytes.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(text: "null")
        case .bool(let flag): bytes.append(text: flag ? "true" : "false")
        case .integer(let number):
            if number < 0 { bytes.append(UInt8(ascii: "-")) }
            Self.writeDigits(number.magnitude, to: &bytes)
        case .number(let number):
            if Self.writeThousandths(number, to: &bytes) { break }
            // Rounded to 15 digits, the largest numbers would overflow, and the text would not be valid JSON.
            unsafe Self.dump(json_real(number), digits: number.magnitude > 1.7976931348623e308 ? 17 : 15, to: &bytes)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Copies strings without escapes, which are the majority; the library writes the others.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            for index in utf8.indices {
                let byte = unsafe utf8[index]
                if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return false }
            }
            bytes.append(UInt8(ascii: "\""))
            unsafe bytes.append(contentsOf: utf8)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if isWritten { return }
        let value = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { unsafe json_stringn_nocheck($0.baseAddress, $0.count) }
        }
        unsafe dump(value, to: &bytes)
    }

    /// Writes a number that is a multiple of a thousandth, like all times, without the library's general conversion,
    /// which would cost more than everything else in a status. The text is the same.
    private static func writeThousandths(_ number: Double, to bytes: inout [UInt8]) -> Bool {
        let scaled = (number * 1000).rounded()
        // Below 10^15 thousandths, all digits are among the 15 that are kept. Negative zero is excluded, because an
        // integer cannot keep its sign.
        guard scaled.magnitude < 1e15, scaled / 1000 == number, scaled != 0 || number.sign == .plus else {
            return false
        }
        let thousandths = Int64(scaled)
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
        writeDigits(whole, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        let zero = UInt8(ascii: "0")
        bytes.append(zero + UInt8(fraction / 100))
        if fraction % 100 != 0 { bytes.append(zero + UInt8(fraction / 10 % 10)) }
        if fraction % 10 != 0 { bytes.append(zero + UInt8(fraction % 10)) }
        return true
    }

    private static func writeDigits(_ number: UInt64, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes a new scalar with json_dump_callback(3) and releases it. `JSON_REAL_PRECISION` is a macro of shifts.
    private static func dump(_ value: UnsafeMutablePointer<json_t>?, digits: Int = 15, to bytes: inout [UInt8]) {
        guard let value = unsafe value else { return bytes.append(text: "null") }
        defer { unsafe json_decref(value) }
        let precision = digits << 11
        _ = unsafe withUnsafeMutablePointer(to: &bytes) { output in
            unsafe json_dump_callback(
                value,
                { text, size, context in
                    let output = unsafe context!.assumingMemoryBound(to: [UInt8].self)
                    let piece = unsafe UnsafeRawBufferPointer(start: text, count: size)
                    unsafe output.pointee.append(contentsOf: piece)
                    return 0
                }, output, Int(JSON_ENCODE_ANY) | Int(JSON_COMPACT) | precision)
        }
    }

    private static func offsetOfExcessiveDepth(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for unsafe(offset, byte) in unsafe bytes.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumDepth { return offset }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return nil
    }

    private init(reading value: UnsafeMutablePointer<json_t>) {
        switch unsafe value.pointee.type {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = unsafe .integer(Int64(json_integer_value(value)))
        case JSON_REAL: self = unsafe .number(json_real_value(value))
        case JSON_STRING:
            let bytes = unsafe UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = unsafe .string(String(decoding: bytes, as: UTF8.self))
        case JSON_ARRAY:
            self = unsafe .array(
                (0..<json_array_size(value)).map { unsafe JSONValue(reading: json_array_get(value, $0)) })
        case JSON_OBJECT:
            var members: [Member] = []
            var iterator = unsafe json_object_iter(value)
            while let here = unsafe iterator {
                let name = unsafe String(cString: json_object_iter_key(here))
                members.append(unsafe Member(name, JSONValue(reading: json_object_iter_value(here))))
                unsafe iterator = unsafe json_object_iter_next(value, here)
            }
            self = .object(members)
        default: self = .null
        }
    }
}

extension [UInt8] {
    /// Appends the bytes of a text, in a quarter of the time that appending its UTF-8 view takes.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(contentsOf: $0) }
    }
}
