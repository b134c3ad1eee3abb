internal import PodcastModel

/// Parses one list, in pieces: OPML 1.0 and 2.0 (opml.org/spec2.opml), well-formed or nearly so.
///
/// Does no I/O; confined to one thread at a time.
public final class OPMLParser {
    public static let documentBytes = 32 << 20
    /// Maximum number of feeds read.
    private static let subscriptions = 100_000

    private let document: RepairedDocument
    private let reader = OutlineReader(limit: OPMLParser.subscriptions)

    public init(contentType: String? = nil) {
        document = RepairedDocument(
            roots: ["opml"], contentType: contentType, documentBytes: Self.documentBytes, handler: reader,
            mismatch: DocumentError.notOPML)
    }

    /// Parses the next bytes; any number.
    public func feed(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) { try document.feed(bytes) }

    /// - Throws: also the error that `feed` threw before.
    public func finish() throws(DocumentError) -> OPMLDocument {
        try document.finish()
        var list = OPMLDocument(title: reader.title, subscriptions: reader.subscriptions)
        list.otherTypes = reader.otherTypes
        let messages = [
            document.stop, skipped(reader.dropped, "feeds after the first \(Self.subscriptions)"), list.emptiness,
        ]
        list.diagnostics = document.filter.repairs + Diagnostic.ofDocument(messages)
        list.isMalformed = document.filter.repairCount > 0 || document.stop != nil
        list.isTruncated = document.isTruncated
        return list
    }
}
