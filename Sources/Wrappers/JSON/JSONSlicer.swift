/// Splits a document that consists of one object into its members, and array members into their elements, so that a
/// document of any length can be read with memory for one element.
///
/// Examines only this outer structure; `JSONValue` parses each piece. No I/O. One thread.
public struct JSONSlicer {
    public enum Piece: Equatable, Sendable {
        /// A member whose value is not an array.
        case member(String, JSONValue)
        case element(of: String, JSONValue)
    }

    static let pieceBytes = 1 << 20

    private enum Place {
        case start
        case name(canEnd: Bool)
        case colon
        case value
        case element(canEnd: Bool)
        case afterElement
        case afterMember
        case end
    }

    /// What is open in the piece that is being collected.
    private struct Scan {
        var depth = 0
        var isInString = false
        var isEscaped = false
    }

    private var place = Place.start
    /// Nil between pieces.
    private var scan: Scan?
    private var piece: [UInt8] = []
    private var member = ""
    private var isElement = false
    private var offset = 0

    public init() {}

    /// Processes the next bytes and passes on completed pieces.
    /// - Throws: `JSONError` with the position in the document, or an error of `take`.
    public mutating func push(
        _ bytes: UnsafeRawBufferPointer, _ take: (Piece) throws(JSONError) -> Void
    ) throws(JSONError) {
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            if try gather(byte, take) {
                offset += 1
                continue
            }
            try step(byte, take)
            offset += 1
        }
    }

    /// - Throws: `JSONError` if the document is incomplete.
    public func finish() throws(JSONError) {
        guard case .end = place, scan == nil else { throw fault("the document ends too early") }
    }

    private func fault(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

    /// Processes a byte between pieces.
    private mutating func step(_ byte: UInt8, _ take: (Piece) throws(JSONError) -> Void) throws(JSONError) {
        if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
        switch (place, byte) {
        // Ignore a byte order mark, as RFC 8259, section 8.1 allows.
        case (.start, 0xEF), (.start, 0xBB), (.start, 0xBF): break
        case (.start, UInt8(ascii: "{")): place = .name(canEnd: true)
        case (.name, UInt8(ascii: "\"")): try begin(byte, take)
        case (.name(canEnd: true), UInt8(ascii: "}")): place = .end
        case (.colon, UInt8(ascii: ":")): place = .value
        case (.value, UInt8(ascii: "[")): place = .element(canEnd: true)
        case (.element(canEnd: true), UInt8(ascii: "]")): place = .afterMember
        case (.value, _): try begin(byte, take)
        case (.element, _):
            isElement = true
            try begin(byte, take)
        case (.afterElement, UInt8(ascii: ",")): place = .element(canEnd: false)
        case (.afterElement, UInt8(ascii: "]")): place = .afterMember
        case (.afterMember, UInt8(ascii: ",")): place = .name(canEnd: false)
        case (.afterMember, UInt8(ascii: "}")): place = .end
        default: throw fault("no JSON object as expected")
        }
    }

    private mutating func begin(
        _ byte: UInt8, _ take: (Piece) throws(JSONError) -> Void
    ) throws(JSONError) {
        if Self.endsPlain(byte) { throw fault("a value is missing") }
        piece.removeAll(keepingCapacity: true)
        scan = Scan()
        _ = try gather(byte, take)
    }

    /// Processes a byte of a piece. Returns true if the byte belonged to the piece.
    private mutating func gather(
        _ byte: UInt8, _ take: (Piece) throws(JSONError) -> Void
    ) throws(JSONError) -> Bool {
        guard var scan else { return false }
        if scan.depth == 0, !scan.isInString, Self.endsPlain(byte) {
            try finishPiece(take)
            return false
        }
        guard piece.count < Self.pieceBytes else { throw fault("a value is longer than \(Self.pieceBytes >> 20) MiB") }
        piece.append(byte)
        switch byte {
        case _ where scan.isEscaped: scan.isEscaped = false
        case UInt8(ascii: "\\"): scan.isEscaped = scan.isInString
        case UInt8(ascii: "\""): scan.isInString.toggle()
        case _ where scan.isInString: break
        case UInt8(ascii: "{"), UInt8(ascii: "["): scan.depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): scan.depth -= 1
        default: break
        }
        self.scan = scan
        let closes = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if closes, scan.depth == 0, !scan.isInString { try finishPiece(take) }
        return true
    }

    private static func endsPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"): true
        default: false
        }
    }

    private mutating func finishPiece(_ take: (Piece) throws(JSONError) -> Void) throws(JSONError) {
        scan = nil
        let parsed: Result<JSONValue, JSONError> = unsafe piece.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try unsafe JSONValue(parsing: bytes) }
        }
        let value: JSONValue
        switch parsed {
        case .success(let read): value = read
        case .failure(let error): throw fault(error.message)
        }
        if case .name = place {
            member = value.stringValue ?? ""
            place = .colon
        } else if isElement {
            isElement = false
            place = .afterElement
            try take(.element(of: member, value))
        } else {
            place = .afterMember
            try take(.member(member, value))
        }
    }
}
