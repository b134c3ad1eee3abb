import FeedDocuments
import PodcastModel

/// The feed parser: the result does not depend on how the bytes are split.
enum FeedFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let seed = input.number(UInt8.self)
        let whole = parse(input.pieces(8))
        let pieces = parse(input.pieces(seed))
        require(pieces == whole, "in pieces of seed \(seed):\n\(pieces)\nat once:\n\(whole)")
    }

    private static func parse(_ pieces: [UnsafeRawBufferPointer]) -> Result<FeedDocument, DocumentError> {
        Result { () throws(DocumentError) in
            var limits = FeedLimits()
            // Small, so that inputs of a few hundred bytes reach them.
            (limits.textBytes, limits.listMembers, limits.items, limits.diagnostics) = (200, 4, 6, 8)
            let parser = FeedParser(baseURL: "https://example.org/feed/", limits: limits)
            for piece in pieces { try parser.feed(piece) }
            return try parser.finish()
        }
    }
}

/// Subscription lists: a written list reads back unchanged.
enum OPMLFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let seed = input.number(UInt8.self)
        let whole = parse(input.pieces(8))
        let pieces = parse(input.pieces(seed))
        require(pieces == whole, "in pieces of seed \(seed):\n\(pieces)\nat once:\n\(whole)")
        guard case .success(let list) = whole else { return }
        let text = OPMLWriter.text(of: list)
        let again = Array(text.utf8).withUnsafeBytes { parse([$0]) }
        // The crash reports the finding to libFuzzer.
        guard case .success(let copy) = again else { fatalError("\(text.debugDescription) is no list") }
        require(!copy.isMalformed, "malformed: \(copy.diagnostics) in \(text.debugDescription)")
        // Reading keeps the order, but writing puts the feeds of a group next to each other. After that nothing may
        // change.
        require(OPMLWriter.text(of: copy) == text, "\(text.debugDescription) became \(copy)")
    }

    private static func parse(_ pieces: [UnsafeRawBufferPointer]) -> Result<OPMLDocument, DocumentError> {
        Result { () throws(DocumentError) in
            let parser = OPMLParser()
            for piece in pieces { try parser.feed(piece) }
            return try parser.finish()
        }
    }
}
