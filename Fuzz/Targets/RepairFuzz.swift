import PodcastModel
import XMLEvents
@testable import FeedDocuments

/// The repair of XML: the output is well-formed, and does not depend on how the bytes are split.
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
            pieces == whole,
            "in pieces of seed \(seed):\n\(pieces)\nat once:\n\(whole)")
    }

    private struct Setup {
        var charset: String?
        var roots: [String]
        var isSmall: Bool

        var limits: XMLRepairLimits {
            var limits = XMLRepairLimits()
            if isSmall {
                // The limits of tags and leading junk bound memory by blocks, so results just above them depend on the
                // blocks.
                (limits.depth, limits.attributes, limits.nameBytes, limits.namespaces) = (5, 3, 16, 2)
            }
            return limits
        }
    }

    private struct Outcome: Equatable, CustomStringConvertible {
        private(set) var text: [UInt8] = []
        private let repairs: [Diagnostic]
        private let count: Int
        let isTruncated: Bool

        init(_ pieces: [UnsafeRawBufferPointer], _ setup: Setup) {
            var filter = XMLRepairFilter(
                httpCharset: setup.charset, roots: setup.roots, limits: setup.limits)
            var text: [UInt8] = []
            func add(_ piece: XMLPiece) {
                switch piece {
                case .markup(let bytes): text += bytes
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

    /// The errors that are left to the parser, by their numbers in xmlerror.h; `README.md` gives the reason. libxml2
    /// continues after each of them.
    private static func isLeftToTheParser(_ fault: XMLError) -> Bool {
        [
            repeatedAttribute, sectionEnd, reservedPrefix, undeclaredPrefix, sameNameByTwoPrefixes, emptyNamespace,
            noURI, relativeURI, misplacedColon,
        ]
        .contains(fault.code)
    }

    private static let (repeatedAttribute, sectionEnd, noURI, relativeURI) = (42, 62, 99, 100)
    private static let (reservedPrefix, undeclaredPrefix, misplacedColon) = (200, 201, 202)
    private static let (sameNameByTwoPrefixes, emptyNamespace) = (203, 204)

    private static func requireWellFormed(_ outcome: Outcome) {
        guard !outcome.text.isEmpty else { return }
        do throws(XMLError) {
            let parser = try XMLPushParser(handler: Deaf())
            try outcome.text.withUnsafeBytes { bytes in
                Result { () throws(XMLError) in try parser.parse(bytes) }
            }.get()
            if !outcome.isTruncated { try parser.finish() }
            if let fault = parser.latestFault {
                require(isLeftToTheParser(fault), "\(fault) in \(outcome)")
            }
        } catch {
            // libxml2 must accept repaired text; the crash reports the finding to libFuzzer.
            fatalError("\(error) in \(outcome)")
        }
    }
}
