internal import JSON

/// Cuts a long list out of a JSON object that comes in pieces, so that no more than one of its rows is in memory.
final class ActionList {
    /// Bytes of a row, or of another member.
    private static let longest = 64 << 10

    private let key: [UInt8]
    /// The members that are not lists of this name.
    private(set) var members: [String: JSONValue] = [:]
    /// Whether the object has ended.
    private(set) var isWhole = false
    private var piece: [UInt8] = []
    private var depth = 0
    private var isInList = false
    private var isInText = false
    private var isEscaped = false

    /// - Parameter name: the member that is the list.
    init(name: String) { key = Array("\"\(name)\":".utf8) }

    /// - Parameter failure: thrown if it is not such a document.
    /// - Returns: the rows that end in these bytes.
    func take(_ bytes: [UInt8], else failure: SyncFailure) throws(SyncFailure) -> [JSONValue] {
        var rows: [JSONValue] = []
        func end() throws(SyncFailure) {
            if piece.isEmpty { return }
            let text = isInList ? piece : [UInt8(ascii: "{")] + piece + [UInt8(ascii: "}")]
            guard let json = text.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { throw failure }
            piece = []
            if isInList {
                rows.append(json)
            } else if case .object(let read) = json {
                for member in read { members[member.name] = member.value }
            }
        }
        for byte in bytes {
            if isInText {
                piece.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else {
                switch byte {
                case 0x20, 0x0A, 0x0D, 0x09: break
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    if depth == 1 {
                        guard byte == UInt8(ascii: "{"), !isWhole else { throw failure }
                    } else if depth == 2, byte == UInt8(ascii: "["), piece == key {
                        isInList = true
                        piece = []
                    } else {
                        piece.append(byte)
                    }
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { throw failure }
                    depth -= 1
                    if depth == 0 || isInList && depth == 1 {
                        try end()
                        isInList = false
                        isWhole = depth == 0
                    } else {
                        piece.append(byte)
                    }
                case UInt8(ascii: ",") where depth == (isInList ? 2 : 1): try end()
                default:
                    if depth == 0 { throw failure }
                    if byte == UInt8(ascii: "\"") { isInText = true }
                    piece.append(byte)
                }
            }
            if piece.count > Self.longest { throw failure }
        }
        return rows
    }
}
