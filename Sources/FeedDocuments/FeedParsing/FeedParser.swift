internal import PodcastModel

/// Parses one feed, in pieces.
///
/// Memory grows with the kept content, not with the length of the text. Does no I/O. Confined to one thread at a time.
public final class FeedParser {
    private let document: RepairedDocument
    private let reader: FeedReader
    /// Reads the document instead, if it is JSON.
    private let json: JSONFeedReader
    /// Nil until the first letter was seen.
    private var isJSON: Bool?
    private let limits: FeedLimits

    /// - Parameters:
    ///   - baseURL: the document's URL after redirects, for relative links.
    ///   - contentType: the response's Content-Type header, which is often wrong: only its charset is used.
    public init(baseURL: String, contentType: String? = nil, limits: FeedLimits = FeedLimits()) {
        self.limits = limits
        reader = FeedReader(baseURL: baseURL, limits: limits)
        json = JSONFeedReader(baseURL: baseURL, limits: limits)
        document = RepairedDocument(
            roots: ["rss", "rdf", "feed", "channel"], contentType: contentType, documentBytes: limits.documentBytes,
            repairs: limits.diagnostics, handler: reader, mismatch: DocumentError.notAFeed)
    }

    /// Parses the next bytes; any number.
    public func feed(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        try document.add(bytes)
        isJSON = isJSON ?? JSONFeedReader.isJSON(bytes)
        if isJSON == true { json.feed(bytes) } else { try document.parse(bytes) }
    }

    /// - Throws: also the error that `feed` threw before.
    public func finish() throws(DocumentError) -> FeedDocument {
        if isJSON == true {
            json.finish()
            guard json.isFeed else { throw document.mismatchError }
            let messages = [json.failure.map { "reading stopped: \($0)" }, skippedItems(json.draft)]
            let diagnostics = Diagnostic.ofDocument(messages)
            return FeedDocument(
                contents: json.draft.build(), diagnostics: diagnostics, diagnosticCount: diagnostics.count,
                isTruncated: json.failure != nil, format: json.draft.format)
        }
        try document.finish()
        let reading = reader.reading
        reading.pointee.breakOff()
        let draft = reading.pointee.draft
        let cutTexts = reading.pointee.cutTexts
        var diagnostics = document.filter.repairs
        let last = diagnostics.last
        let messages = [
            document.undeclaredPrefix, document.stop,
            reading.pointee.didDropItem ? "dropped the last item, because the document is incomplete" : nil,
            skippedItems(draft), cutTexts > 0 ? "cut \(cutTexts) texts longer than \(limits.textBytes) bytes" : nil,
        ].compactMap(\.self)
        for message in messages.prefix(max(0, limits.diagnostics - diagnostics.count)) {
            diagnostics.append(Diagnostic(line: last?.line ?? 1, column: last?.column ?? 1, message: message))
        }
        return FeedDocument(
            contents: draft.build(), diagnostics: diagnostics,
            diagnosticCount: document.filter.repairCount + messages.count, isTruncated: document.isTruncated,
            format: draft.format)
    }

    private func skippedItems(_ draft: FeedDraft) -> String? {
        skipped(draft.droppedItems, "items after the first \(limits.items)")
    }
}
