internal import PodcastModel

/// Text that is not valid JSON, or exceeds a limit.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    public var message: String
    /// Position in the text, in bytes from 0.
    var offset: Int
    /// Message and position in one line.
    public var description: String { "\(message) at byte \(offset)" }
}

extension JSONValue {
    /// Maximum nesting of arrays and objects, so that recursion fits on a small stack.
    public static let maximumDepth = 64

    /// Parses one document, RFC 8259.
    ///
    /// Rejects objects with duplicate names, text that is not UTF-8, numbers that do not fit their type, and nesting beyond
    /// `maximumDepth`, so that malicious text is rejected instead of misunderstood.
    /// - Parameter bytes: UTF-8 text; not used after the call.
    /// - Throws: `JSONError` with the position.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var parser = unsafe JSONParser(bytes)
        self = try parser.document()
    }

    public init(parsing text: String) throws(JSONError) {
        var text = text
        let result: Result<JSONValue, JSONError> = text.withUTF8 { bytes in
            Result { () throws(JSONError) in try unsafe JSONValue(parsing: UnsafeRawBufferPointer(bytes)) }
        }
        self = try result.get()
    }
}

/// Reads values by recursive descent. `offset` is the position of the next byte, and never exceeds the length.
@safe private struct JSONParser {
    /// Members up to which names are compared one by one.
    static let fewMembers = 16
    static let powersOfTen = [1.0, 10, 100, 1000]

    let bytes: UnsafeRawBufferPointer
    var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        if next() != nil { throw fault("text after the end of the document") }
        return value
    }

    func fault(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

    /// Nil at the end of the text.
    var byte: UInt8? { unsafe offset < bytes.count ? bytes[offset] : nil }

    /// Skips spaces.
    /// - Returns: the byte at `offset`.
    mutating func next() -> UInt8? {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
        return byte
    }

    mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        offset += 1
        return true
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch next() {
        case .quote: .string(try string())
        case .openingBrace: .object(try members(depth: depth + 1))
        case .openingBracket: .array(try elements(depth: depth + 1))
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        case _: try number()
        }
    }

    mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount where unsafe !skip(word.utf8Start[index]) {
            throw fault("'\(word)' is expected")
        }
        return value
    }

    /// Skips the opening bracket of an array or object.
    /// - Returns: whether it is empty; its end is skipped then.
    mutating func open(_ depth: Int, until end: UInt8) throws(JSONError) -> Bool {
        if depth > JSONValue.maximumDepth { throw fault("nested deeper than \(JSONValue.maximumDepth)") }
        offset += 1
        guard next() == end else { return false }
        offset += 1
        return true
    }

    /// Skips what follows an element or member.
    /// - Returns: whether that was the end.
    mutating func ends(_ end: UInt8) throws(JSONError) -> Bool {
        _ = next()
        if skip(.comma) { return false }
        guard skip(end) else { throw fault("',' or '\(Character(Unicode.Scalar(end)))' is expected") }
        return true
    }

    mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if try open(depth, until: .closingBracket) { return elements }
        repeat { elements.append(try value(depth: depth)) } while try !ends(.closingBracket)
        return elements
    }

    mutating func members(depth: Int) throws(JSONError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if try open(depth, until: .closingBrace) { return members }
        repeat {
            let name = try name()
            members.append(JSONValue.Member(name, try value(depth: depth)))
        } while try !ends(.closingBrace)
        guard Self.areDistinct(members) else { throw fault("a name occurs twice in an object") }
        return members
    }

    /// Reads a member's name and the colon after it.
    mutating func name() throws(JSONError) -> String {
        guard next() == .quote else { throw fault("a name in quotation marks is expected") }
        let name = try string()
        guard next() == .colon else { throw fault("':' is expected") }
        offset += 1
        return name
    }

    static func areDistinct(_ members: [JSONValue.Member]) -> Bool {
        if members.count > fewMembers { return Set(members.map(\.name)).count == members.count }
        return members.indices.allSatisfy { index in !members[..<index].contains { $0.name == members[index].name } }
    }

    // MARK: strings

    mutating func string() throws(JSONError) -> String {
        offset += 1
        var unescaped: [UInt8] = []
        while true {
            let start = offset
            while let byte, byte >= 0x20, byte != .quote, byte != .backslash { offset += 1 }
            let plain = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
            if skip(.quote) {
                if unescaped.isEmpty { return try unsafe text(plain) }
                unsafe unescaped.append(contentsOf: plain)
                return try unsafe unescaped.withUnsafeBytes { bytes in
                    Result { () throws(JSONError) in try unsafe text(bytes) }
                }.get()
            }
            guard skip(.backslash) else {
                throw fault(byte == nil ? "a string does not end" : "a string contains a control character")
            }
            unsafe unescaped.append(contentsOf: plain)
            try append(escapeTo: &unescaped)
        }
    }

    func text(_ utf8: UnsafeRawBufferPointer) throws(JSONError) -> String {
        // Most text is ASCII, whose check takes a fraction of the time.
        if unsafe utf8.allSatisfy({ $0 < 0x80 }) { return unsafe String(utf8: utf8) }
        guard let text = unsafe String(validating: utf8, as: UTF8.self) else { throw fault("text is not UTF-8") }
        return text
    }

    mutating func append(escapeTo copy: inout [UInt8]) throws(JSONError) {
        let letter = byte
        offset += letter == nil ? 0 : 1
        switch letter {
        case .quote, .backslash, .slash: copy.append(letter ?? 0)
        case UInt8(ascii: "b"): copy.append(0x08)
        case UInt8(ascii: "f"): copy.append(0x0C)
        case UInt8(ascii: "n"): copy.append(0x0A)
        case UInt8(ascii: "r"): copy.append(0x0D)
        case UInt8(ascii: "t"): copy.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            // Two escapes are one character beyond 16 bits.
            if (0xD800..<0xDC00).contains(code), skip(.backslash), skip(UInt8(ascii: "u")) {
                let low = try hexadecimal()
                code = (0xDC00..<0xE000).contains(low) ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault("an escape is half of a character") }
            copy += UTF8.encode(scalar).map(Array.init) ?? []
        case _: throw fault("unknown escape")
        }
    }

    mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw fault("four hexadecimal digits are expected")
            }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }

    // MARK: numbers

    mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        let isNegative = skip(.dash)
        let first = byte
        var digits: Int64 = 0
        let whole = skipDigits(&digits)
        if whole == 0 || first == UInt8(ascii: "0") && whole > 1 { throw fault("a value is expected") }
        var isExact = whole <= 18
        var fraction = 0
        var isWhole = true
        if skip(.point) {
            isWhole = false
            fraction = skipDigits(&digits)
            if fraction == 0 { throw fault("a digit is expected") }
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isWhole = false
            isExact = false
            offset += 1
            if !skip(.plus) { _ = skip(.dash) }
            var exponent: Int64 = 0
            if skipDigits(&exponent) == 0 { throw fault("a digit is expected") }
        }
        if isWhole, isExact { return .integer(isNegative ? -digits : digits) }
        // Both numbers are exact, so that their quotient is rounded as the text.
        if isExact, whole + fraction <= 15, fraction < Self.powersOfTen.count {
            let number = Double(digits) / Self.powersOfTen[fraction]
            return .number(isNegative ? -number : number)
        }
        let text = unsafe String(utf8: bytes[start..<offset])
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard !isWhole, let number = Double(text), number.isFinite else { throw fault("the number is too large") }
        return .number(number)
    }

    /// - Parameter value: receives the digits as those of a number; wraps around beyond 18 of them.
    /// - Returns: how many there are.
    mutating func skipDigits(_ value: inout Int64) -> Int {
        let start = offset
        while let byte, byte.isDigit {
            value = value &* 10 &+ Int64(byte.digitValue)
            offset += 1
        }
        return offset - start
    }
}
