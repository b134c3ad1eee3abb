import PodcastModel

@testable import FeedDocuments

/// What came out, and what was done.
struct Repaired: Equatable {
    var text: String
    var repairs: [Diagnostic]
    var count: Int
    var isTruncated: Bool
    var foreignRoot: String?

    /// Places and messages, one line each.
    var told: [String] { repairs.map { "\($0.line):\($0.column) \($0.message)" } }
}

/// Repairs bytes that arrive in pieces of these sizes; CDATA comes out as escaped text.
func repair(
    _ bytes: [UInt8], charset: String? = nil, roots: [String] = [], limits: XMLRepairLimits = XMLRepairLimits(),
    pieces: [Int] = []
) -> Repaired {
    var filter = XMLRepairFilter(httpCharset: charset, roots: roots, limits: limits)
    var output: [UInt8] = []
    func take(_ piece: XMLPiece) {
        switch piece {
        case .markup(let text): output += Array(text)
        case .characterData(let text):
            for byte in text {
                switch byte {
                case UInt8(ascii: "&"): output += Array("&amp;".utf8)
                case UInt8(ascii: "<"): output += Array("&lt;".utf8)
                case UInt8(ascii: ">"): output += Array("&gt;".utf8)
                default: output.append(byte)
                }
            }
        }
    }
    var rest = bytes[...]
    for size in pieces + [Int.max] {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(piece.count)
        piece.withUnsafeBytes { filter.process($0) { take($0) } }
    }
    filter.finish { take($0) }
    return Repaired(
        text: String(decoding: output, as: UTF8.self), repairs: filter.repairs, count: filter.repairCount,
        isTruncated: filter.isTruncated, foreignRoot: filter.foreignRoot)
}

func repair(_ text: String, charset: String? = nil, roots: [String] = []) -> Repaired {
    repair(Array(text.utf8), charset: charset, roots: roots)
}
