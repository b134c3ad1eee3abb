import FeedDocuments
import PodcastModel

/// Parses bytes that arrive in pieces of `pieces` bytes.
func parse(
    _ bytes: [UInt8], base: String = "https://example.com/show/feed.xml", contentType: String? = nil,
    limits: FeedLimits = FeedLimits(), pieces: Int = .max
) throws(DocumentError) -> FeedDocument {
    let parser = FeedParser(baseURL: base, contentType: contentType, limits: limits)
    try feed(bytes, pieces: pieces, to: parser.feed)
    return try parser.finish()
}

/// Passes bytes on in pieces.
func feed(
    _ bytes: [UInt8], pieces: Int, to take: (UnsafeRawBufferPointer) throws(DocumentError) -> Void
) throws(DocumentError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = Array(rest.prefix(pieces))
        rest = rest.dropFirst(piece.count)
        let result: Result<Void, DocumentError> = piece.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try take(bytes) }
        }
        try result.get()
    }
}

func parse(_ text: String, base: String = "https://example.com/show/feed.xml") throws(DocumentError) -> FeedDocument {
    try parse(Array(text.utf8), base: base)
}

/// An RSS document with one item of these elements, and the namespaces of podcasts.
func rss(item: String = "", channel: String = "") -> String {
    """
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:podcast="https://podcastindex.org/namespace/1.0" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:psc="http://podlove.org/simple-chapters" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel><title>Show</title>\(channel)<item>\(item)</item></channel></rss>
    """
}

/// The item of such a document.
func item(_ elements: String, base: String = "https://example.com/show/feed.xml") throws -> Item {
    try parse(rss(item: elements), base: base).contents.items[0]
}

/// The channel of such a document.
func channel(_ elements: String) throws -> Channel { try parse(rss(channel: elements)).contents.channel }
