@testable import FeedParsing
import PodcastModel
import XMLEvents

/// A well-formed feed gives the same model with and without the repair before the parser.
enum DifferentialFuzz {
    static func run(_ input: FuzzInput) {
        guard isComparable(input.rest), let plain = withoutRepair(input.rest) else { return }
        var parser = FeedParser(baseURL: base)
        do throws(FeedParsingError) {
            try parser.feed(input.rest)
            let repaired = try parser.finish()
            require(repaired.contents == plain, "with repair:\n\(repaired.contents)\nwithout:\n\(plain)")
            require(!repaired.isTruncated, "a whole document is called truncated")
        } catch {
            // A root that is no feed's is refused by the repair only.
            if case .notAFeed = error { return }
            // What libxml2 takes the repair may not refuse: a finding, which libFuzzer knows by the crash.
            fatalError("\(error)")
        }
    }

    private static let base = "https://example.org/feed/"

    /// Declared entities and other charsets are the repair's own: libxml2 is told of neither.
    private static func isComparable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.count == bytes.count && !text.contains("<!DOCTYPE") && !text.contains("encoding")
            && !holdsControls(text)
    }

    /// Whether there is a character from U+0080 to U+009F, or a reference to one: the repair puts the one in its place that
    /// Windows-1252 has there. Or U+007F, which it leaves in no attribute, where it stands for something else.
    private static func holdsControls(_ text: String) -> Bool {
        let controls = UInt32(0x7F)...0x9F
        return text.unicodeScalars.contains { controls.contains($0.value) }
            || text.split(separator: "&#", omittingEmptySubsequences: false).dropFirst().contains { rest in
                let digits = rest.prefix { $0 != ";" }
                let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                return value.map { controls.contains($0) } ?? false
            }
    }

    /// The model of a document in which libxml2 finds no fault; nil for any other.
    private static func withoutRepair(_ bytes: UnsafeRawBufferPointer) -> FeedContents? {
        let reader = FeedReader(baseURL: base, limits: FeedLimits(), itemHandler: nil)
        do throws(XMLError) {
            let parser = try XMLPushParser(handler: reader)
            try parser.parse(bytes)
            try parser.finish()
            guard parser.recoveredFaults == 0 else { return nil }
        } catch {
            return nil
        }
        reader.finish()
        return reader.draft.build()
    }
}
