public import PodcastModel
internal import XMLEvents
internal import XMLRepair

/// Reads one feed, in pushes.
///
/// Memory grows with what is kept of the feed and not with its text. Pure: nothing is opened, fetched or logged.
/// Confined to one thread at a time.
public struct FeedParser: ~Copyable {
    private var filter: XMLRepairFilter
    private let parser: XMLPushParser?
    private let reader: FeedReader
    private let limits: FeedLimits
    private var head = DocumentHead()
    private var byteCount = 0
    /// The parser gave up; what it had read counts.
    private var failure: XMLError?

    /// A parser for one document.
    ///
    /// - Parameters:
    ///   - baseURL: where the document came from, after redirects; relative links are resolved against it.
    ///   - contentType: the response's Content-Type header, which may lie: only its charset is looked at.
    ///   - limits: how much of it is taken.
    ///   - itemHandler: is given each item as soon as it has ended, in document order, from within `feed` and `finish`;
    ///     the document then holds none, and memory does not grow with their number. The channel is known at the end
    ///     only. Without a handler the items are in the document.
    public init(
        baseURL: String, contentType: String? = nil, limits: FeedLimits = FeedLimits(),
        itemHandler: ((Item) -> Void)? = nil
    ) {
        var repairLimits = XMLRepairLimits()
        repairLimits.repairs = limits.diagnostics
        filter = XMLRepairFilter(
            httpCharset: TextDecoding.charset(ofContentType: contentType), roots: ["rss", "rdf", "feed", "channel"],
            limits: repairLimits, ampersands: .marked)
        reader = FeedReader(baseURL: baseURL, limits: limits, itemHandler: itemHandler)
        var xmlLimits = XMLLimits()
        // Repaired text is longer than its original, a bare ampersand five times as long.
        xmlLimits.documentBytes = limits.documentBytes * 5
        xmlLimits.textBytes = xmlLimits.documentBytes
        parser = try? XMLPushParser(handler: reader, limits: xmlLimits, ampersandMark: AmpersandForm.mark)
        self.limits = limits
    }

    /// Takes the next bytes, of any number.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedParsingError) {
        byteCount += bytes.count
        guard byteCount <= limits.documentBytes else { throw .tooLarge(limit: limits.documentBytes) }
        guard let parser else { throw .unavailable(message: "no memory for the XML parser") }
        head.add(bytes)
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

    /// Tells that no byte follows, and gives what was read.
    public consuming func finish() throws(FeedParsingError) -> FeedDocument {
        guard let parser else { throw .unavailable(message: "no memory for the XML parser") }
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
        if reader.didDropItem { add("dropped an item that the document breaks off in") }
        if draft.droppedItems > 0 {
            add("passed over \(draft.droppedItems) items beyond \(limits.items)")
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
