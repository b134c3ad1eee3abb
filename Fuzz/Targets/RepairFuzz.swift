import XMLEvents
import XMLRepair

/// The repair of XML: what comes out is well-formed, and the same however the bytes arrived.
enum RepairFuzz {
    private static let charsets = [nil, "utf-8", "iso-8859-1", "utf-16", "shift_jis", "windows-1251", "none"]

    static func run(_ input: FuzzInput) {
        var input = input
        let choice = input.number(UInt8.self)
        let setup = Setup(
            charset: charsets[Int(choice % 16) % charsets.count], roots: choice & 16 == 0 ? [] : ["rss", "feed"],
            isSmall: choice & 32 != 0)
        let seed = input.number(UInt8.self)
        let whole = Outcome(input.pieces(8), setup)
        requireWellFormed(whole)
        let pieces = Outcome(input.pieces(seed), setup)
        require(
            pieces.text == whole.text && pieces.isTruncated == whole.isTruncated,
            "in pieces of seed \(seed):\n\(pieces)\nat once:\n\(whole)")
    }

    private struct Setup {
        var charset: String?
        var roots: [String]
        var isSmall: Bool

        var limits: XMLRepairLimits {
            var limits = XMLRepairLimits()
            if isSmall {
                // Those of tags and leading junk bound memory, block by block: what is just beyond them depends on the blocks.
                (limits.depth, limits.attributes, limits.nameBytes) = (5, 3, 16)
            }
            return limits
        }
    }

    private struct Outcome: CustomStringConvertible {
        private(set) var text: [UInt8] = []
        private let repairs: [Repair]
        private let count: Int
        let isTruncated: Bool

        init(_ pieces: [UnsafeRawBufferPointer], _ setup: Setup) {
            var filter = XMLRepairFilter(httpCharset: setup.charset, roots: setup.roots, limits: setup.limits)
            var text: [UInt8] = []
            func add(_ piece: XMLPiece) {
                switch piece {
                case .markup(let bytes), .missingEnd(let bytes): text += bytes
                case .characterData(let bytes): text += bytes.flatMap(escaped)
                }
            }
            for piece in pieces { filter.process(piece) { add($0) } }
            filter.finish { add($0) }
            self.text = text
            repairs = filter.repairs
            count = filter.repairCount
            isTruncated = filter.isTruncated
        }

        var description: String {
            "\(String(decoding: text, as: UTF8.self).debugDescription) \(repairs) \(count) \(isTruncated)"
        }
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "&"): Array("&amp;".utf8)
        case UInt8(ascii: "<"): Array("&lt;".utf8)
        case UInt8(ascii: ">"): Array("&gt;".utf8)
        default: [byte]
        }
    }

    private final class Deaf: XMLEventHandler {
        func startElement(_ name: XMLElementName, attributes: XMLAttributes) {}
        func characters(_ text: UnsafeRawBufferPointer) {}
        func endElement(_ name: XMLElementName) {}
    }

    /// What is left to the parser. Prefixes that nobody declared are told only: xmlerror.h numbers such faults from 200 to 299, and
    /// names that are no URI 99 and 100. Of an attribute that comes twice libxml2 keeps the first: 42.
    private static func isLeftToTheParser(_ fault: XMLError) -> Bool {
        guard case .syntax(let code) = fault.kind else { return false }
        return (200..<300).contains(code) || [42, 99, 100].contains(code)
    }

    /// Names with two colons are well-formed; libxml2 stops at some, and the reading with it.
    private static func hasNameOfThreeParts(_ text: [UInt8]) -> Bool {
        text.split { $0 < 0x80 && !isNameByte($0) }.contains { $0.count { $0 == UInt8(ascii: ":") } > 1 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func requireWellFormed(_ outcome: Outcome) {
        guard !outcome.text.isEmpty, !hasNameOfThreeParts(outcome.text) else { return }
        do throws(XMLError) {
            let parser = try XMLPushParser(handler: Deaf())
            try outcome.text.withUnsafeBytes { bytes in
                Result { () throws(XMLError) in try parser.parse(bytes) }
            }.get()
            try parser.finish()
            if let fault = parser.latestFault {
                require(isLeftToTheParser(fault), "\(fault) in \(outcome)")
            }
        } catch {
            // Repaired text that libxml2 refuses is a finding, which libFuzzer knows by the crash.
            fatalError("\(error) in \(outcome)")
        }
    }
}
