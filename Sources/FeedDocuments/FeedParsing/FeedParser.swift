internal import JSON
public import PodcastModel
internal import XMLEvents
internal import XMLRepair

/// Parses one feed, in pieces.
///
/// Memory grows with the kept content, not with the length of the text. Does no I/O. Confined to one thread at a time.
public struct FeedParser: ~Copyable {
    private var filter: XMLRepairFilter
    private let parser: XMLPushParser?
    private let reader: FeedReader
    /// Reads the document instead, if it is JSON.
    private let json: JSONFeedReader
    /// Nil until the first letter was seen.
    private var isJSON: Bool?
    private let limits: FeedLimits
    private var head = DocumentHead()
    private var byteCount = 0
    /// The parser's failure; the content read before is kept.
    private var failure: XMLError?

    /// - Parameters:
    ///   - baseURL: the document's URL after redirects, for relative links.
    ///   - contentType: the response's Content-Type header, which is often wrong: only its charset is used.
    ///   - itemHandler: receives each item when it ends, in document order, during `feed` and `finish`; the document
    ///     then contains no items, and memory does not grow with their number. The channel is known only at the end.
    public init(
        baseURL: String, contentType: String? = nil, limits: FeedLimits = FeedLimits(),
        itemHandler: ((Item) -> Void)? = nil
    ) {
        var repairLimits = XMLRepairLimits()
        repairLimits.repairs = limits.diagnostics
        filter = XMLRepairFilter(
            httpCharset: TextDecoding.charset(ofContentType: contentType), roots: ["rss", "rdf", "feed", "channel"],
            limits: repairLimits)
        reader = FeedReader(baseURL: baseURL, limits: limits, itemHandler: itemHandler)
        json = JSONFeedReader(baseURL: baseURL, limits: limits, itemHandler: itemHandler)
        var xmlLimits = XMLLimits()
        // Repaired text is longer than its original, a bare ampersand five times as long.
        xmlLimits.documentBytes = limits.documentBytes * 5
        xmlLimits.textBytes = xmlLimits.documentBytes
        parser = try? XMLPushParser(handler: reader, limits: xmlLimits)
        self.limits = limits
    }

    /// Parses the next bytes; any number.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedParsingError) {
        byteCount += bytes.count
        guard byteCount <= limits.documentBytes else { throw .tooLarge(limit: limits.documentBytes) }
        guard let parser else { throw .unavailable(message: "not enough memory for the XML parser") }
        head.add(bytes)
        isJSON = isJSON ?? JSONFeedReader.isJSON(bytes)
        if isJSON == true { return json.feed(bytes) }
        if filter.isDone && !filter.hasRoot && head.isFull {
            throw .notAFeed(reason: head.description(foreignRoot: filter.foreignRoot))
        }
        guard failure == nil else { return }
        do throws(XMLError) {
            try filter.process(bytes) { [reader] piece throws(XMLError) in try reader.read(piece, with: parser) }
        } catch {
            failure = error
        }
    }

    public consuming func finish() throws(FeedParsingError) -> FeedDocument {
        guard let parser else { throw .unavailable(message: "not enough memory for the XML parser") }
        if isJSON == true {
            json.finish()
            guard json.isFeed else { throw .notAFeed(reason: head.description(foreignRoot: nil)) }
            return jsonDocument()
        }
        if failure == nil {
            do throws(XMLError) {
                try filter.finish { [reader] piece throws(XMLError) in try reader.read(piece, with: parser) }
                if filter.hasRoot { try parser.finish() }
            } catch {
                failure = error
            }
        }
        guard filter.hasRoot else { throw .notAFeed(reason: head.description(foreignRoot: filter.foreignRoot)) }
        return document()
    }

    private func jsonDocument() -> FeedDocument {
        let draft = json.draft
        var messages = json.failure.map { ["reading stopped: \($0.message)"] } ?? []
        if draft.droppedItems > 0 {
            messages.append("skipped \(draft.droppedItems) items after the first \(limits.items)")
        }
        return FeedDocument(
            contents: draft.build(), outcome: messages.isEmpty ? .feed : .malformedRecoverable,
            diagnostics: messages.map { Diagnostic(line: 1, column: 1, message: $0) },
            diagnosticCount: messages.count, isTruncated: json.failure != nil, format: draft.format,
            itemCount: draft.itemCount, isPodcast: draft.hasMedia)
    }

    private func document() -> FeedDocument {
        let isTruncated = filter.isTruncated || failure != nil
        reader.finish()
        let draft = reader.draft
        var diagnostics = filter.repairs.map { Diagnostic(line: $0.line, column: $0.column, message: $0.message) }
        var count = filter.repairCount
        func add(_ message: String) {
            count += 1
            let last = diagnostics.last
            if diagnostics.count < limits.diagnostics {
                diagnostics.append(Diagnostic(line: last?.line ?? 1, column: last?.column ?? 1, message: message))
            }
        }
        if let failure { add("reading stopped: \(failure.message)") }
        if reader.didDropItem { add("dropped the last item, because the document is incomplete") }
        if draft.droppedItems > 0 {
            add("skipped \(draft.droppedItems) items after the first \(limits.items)")
        }
        if reader.cutTexts > 0 { add("cut \(reader.cutTexts) texts longer than \(limits.textBytes) bytes") }
        return FeedDocument(
            contents: draft.build(), outcome: count == 0 ? .feed : .malformedRecoverable,
            diagnostics: diagnostics,
            diagnosticCount: count, isTruncated: isTruncated, format: draft.format,
            itemCount: draft.itemCount,
            isPodcast: draft.hasMedia)
    }
}
