@testable import FeedDocuments
import PodcastModel
import XMLEvents

/// A well-formed feed gives the same model with and without the repair in front of the parser.
enum DifferentialFuzz {
    static func run(_ input: FuzzInput) {
        guard isComparable(input.rest), let plain = withoutRepair(input.rest) else { return }
        let parser = FeedParser(baseURL: base)
        do throws(DocumentError) {
            try parser.feed(input.rest)
            let repaired = try parser.finish()
            require(repaired.contents == plain, "with repair:\n\(repaired.contents)\nwithout:\n\(plain)")
            require(!repaired.isTruncated, "a whole document is called truncated")
        } catch {
            // Only the repair rejects documents whose root element is not a feed's.
            if case .notAFeed = error { return }
            // The repair must not reject what libxml2 accepts; the crash reports the finding to libFuzzer.
            fatalError("\(error)")
        }
    }

    private static let base = "https://example.org/feed/"

    /// Only the repair handles declared entities and other charsets; libxml2 never sees them.
    private static func isComparable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.count == bytes.count && !text.contains("<!DOCTYPE") && !text.contains("encoding")
            && !holdsControls(text)
    }

    /// Whether there is a character from U+0080 to U+009F, or a reference to one, which the repair replaces by the
    /// character that Windows-1252 has there; or U+007F, which the repair removes from attributes, because it has a
    /// special meaning there.
    private static func holdsControls(_ text: String) -> Bool {
        let controls = UInt32(0x7F)...0x9F
        return text.unicodeScalars.contains { controls.contains($0.value) }
            || text.split(separator: "&#", omittingEmptySubsequences: false).dropFirst().contains { rest in
                let digits = rest.prefix { $0 != ";" }
                let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                return value.map { controls.contains($0) } ?? false
            }
    }

    /// The model of a document without errors according to libxml2; nil for any other document.
    private static func withoutRepair(_ bytes: UnsafeRawBufferPointer) -> FeedContents? {
        let reader = FeedReader(baseURL: base, limits: FeedLimits())
        do throws(XMLError) {
            let parser = try XMLPushParser(handler: reader)
            try parser.parse(bytes)
            try parser.finish()
            guard parser.latestFault == nil else { return nil }
        } catch {
            return nil
        }
        reader.reading.pointee.breakOff()
        return reader.reading.pointee.draft.build()
    }
}
