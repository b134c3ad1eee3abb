internal import PodcastModel

/// A part of a document that consists of one object.
public enum JSONPiece: Equatable, Sendable {
    /// A member whose value is not an array.
    case member(String, JSONValue)
    case element(of: String, JSONValue)
}

/// Cuts a document that consists of one object into pieces as its bytes arrive, so that no more than one piece is in memory. Ignores
/// a byte order mark, as RFC 8259, section 8.1 allows.
public struct JSONPieces {
    private static let maximumBytes = 1 << 20
    private static let blanks = [0x20, 0x0A, 0x0D, 0x09] as [UInt8]

    /// The part of a list or object that must follow.
    private enum Next {
        case firstOrEnd, piece, commaOrEnd
    }

    /// Bytes that were read.
    public private(set) var offset = 0
    private var isWhole = false
    private var piece: [UInt8] = []
    private var next = Next.firstOrEnd
    /// Open arrays and objects.
    private var depth = 0
    /// The array of the document whose elements are being read.
    private var list: String?
    private var isInText = false
    private var isEscaped = false

    public init() {}

    /// Reads the next bytes, of any number. The pieces before a fault are passed on.
    /// - Parameter take: receives a piece and the number of bytes up to its end; returns whether to continue.
    /// - Returns: false if no more pieces are wanted.
    public mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ take: (JSONPiece, Int) -> Bool
    ) throws(JSONError) -> Bool {
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            offset += 1
            if isInText {
                piece.append(byte)
                isInText = isEscaped || byte != .quote
                isEscaped = !isEscaped && byte == .backslash
            } else if try isPart(byte) {
                piece.append(byte)
            } else if let piece = try endPiece(at: byte), !take(piece, offset) {
                return false
            }
            if piece.count > Self.maximumBytes { throw fault("a value is longer than \(Self.maximumBytes >> 20) MiB") }
        }
        return true
    }

    /// Call this after the last byte.
    public func finish() throws(JSONError) { if !isWhole { throw fault("the document breaks off") } }

    private func fault(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

    private var outerDepth: Int { list == nil ? 1 : 2 }

    /// Whether a byte belongs to a piece instead of separating pieces.
    private mutating func isPart(_ byte: UInt8) throws(JSONError) -> Bool {
        switch byte {
        case _ where Self.blanks.contains(byte): return !piece.isEmpty
        case _ where depth == 0 && !isWhole && [0xEF, 0xBB, 0xBF].contains(byte): return false
        case .openingBrace where depth == 0 && !isWhole: return false
        case _ where depth == 0: throw fault(isWhole ? "text after the end of the document" : "an object is expected")
        case .openingBracket where depth == 1 && piece.last { !Self.blanks.contains($0) } == .colon: return false
        case .openingBrace, .openingBracket: depth += 1
        case .closingBrace, .closingBracket:
            if depth == outerDepth { return false }
            depth -= 1
        case .comma: return depth > outerDepth
        case .quote: isInText = true
        case _: break
        }
        return true
    }

    private mutating func endPiece(at byte: UInt8) throws(JSONError) -> JSONPiece? {
        switch byte {
        case .openingBrace:
            depth = 1
        case .openingBracket:
            list = try member(value: [UInt8(ascii: "0")]).name
            depth = 2
            next = .firstOrEnd
        case .comma:
            let ended = try parse()
            if ended == nil, next != .commaOrEnd { throw fault("a value is expected") }
            next = .piece
            return ended
        case .closingBrace, .closingBracket:
            guard (byte == .closingBrace) == (list == nil) else { throw fault("'}' or ']' is wrong") }
            let ended = try parse()
            if ended == nil, next == .piece { throw fault("a value is expected") }
            isWhole = list == nil
            list = nil
            depth -= 1
            next = .commaOrEnd
            return ended
        case _: break
        }
        return nil
    }

    private mutating func parse() throws(JSONError) -> JSONPiece? {
        if piece.isEmpty { return nil }
        if next == .commaOrEnd { throw fault("',' is expected") }
        guard let list else {
            let member = try member(value: [])
            return .member(member.name, member.value)
        }
        return .element(of: list, try value(exchange(&piece, with: [])))
    }

    /// The member that the piece is, or begins.
    private mutating func member(value: [UInt8]) throws(JSONError) -> JSONValue.Member {
        let text = [UInt8.openingBrace] + exchange(&piece, with: []) + value + [UInt8.closingBrace]
        guard case .object(let members) = try self.value(text), let member = members.first else {
            throw fault("a member is expected")
        }
        return member
    }

    private func value(_ text: [UInt8]) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError> = unsafe text.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try unsafe JSONValue(parsing: bytes) }
        }
        return try mapError(of: result.get()) { (error: JSONError) in fault(error.message) }
    }
}
