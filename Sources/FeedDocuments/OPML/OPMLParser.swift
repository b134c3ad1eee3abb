internal import PodcastModel
internal import XMLEvents
internal import XMLRepair

/// Parses one list, in pieces: OPML 1.0 and 2.0 (opml.org/spec2.opml), well-formed or nearly so.
///
/// Does no I/O; confined to one thread at a time.
public struct OPMLParser: ~Copyable {
    private var filter: XMLRepairFilter
    private let reader: OutlineReader
    private let parser: XMLPushParser?
    private var byteCount = 0
    private var failure: XMLError?
    /// The first bytes, to name the type of a document that is not a list.
    private var head = DocumentHead()

    public static let documentBytes = 32 << 20
    /// Maximum number of feeds read.
    static let subscriptions = 100_000

    /// `contentType` is the Content-Type header, if there was one.
    public init(contentType: String? = nil) {
        filter = XMLRepairFilter(httpCharset: TextDecoding.charset(ofContentType: contentType), roots: ["opml"])
        reader = OutlineReader(limit: Self.subscriptions)
        var limits = XMLLimits()
        limits.documentBytes = Self.documentBytes * 5
        parser = try? XMLPushParser(handler: reader, limits: limits)
    }

    /// Parses the next bytes; any number.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(OPMLError) {
        byteCount += bytes.count
        guard byteCount <= Self.documentBytes else { throw .tooLarge(limit: Self.documentBytes) }
        guard let parser else { throw .unavailable(message: "not enough memory for the XML parser") }
        head.add(bytes)
        if filter.isDone && !filter.hasRoot && head.isFull { throw .notOPML(reason: reason) }
        guard failure == nil else { return }
        do throws(XMLError) {
            try filter.process(bytes) { piece throws(XMLError) in try parser.parse(piece) }
        } catch {
            failure = error
        }
    }

    public consuming func finish() throws(OPMLError) -> OPMLDocument {
        guard let parser else { throw .unavailable(message: "not enough memory for the XML parser") }
        if failure == nil {
            do throws(XMLError) {
                try filter.finish { piece throws(XMLError) in try parser.parse(piece) }
                if filter.hasRoot { try parser.finish() }
            } catch {
                failure = error
            }
        }
        guard filter.hasRoot else { throw .notOPML(reason: reason) }
        var diagnostics = filter.repairs.map { Diagnostic(line: $0.line, column: $0.column, message: $0.message) }
        if let failure {
            diagnostics.append(Diagnostic(line: 1, column: 1, message: "reading stopped: \(failure.message)"))
        }
        if reader.dropped > 0 {
            diagnostics.append(
                Diagnostic(
                    line: 1, column: 1, message: "skipped \(reader.dropped) feeds after the first \(Self.subscriptions)"
                ))
        }
        return OPMLDocument(
            title: reader.title, subscriptions: reader.subscriptions, diagnostics: diagnostics,
            isMalformed: filter.repairCount > 0 || failure != nil)
    }

    private var reason: String { head.description(foreignRoot: filter.foreignRoot) }
}

extension XMLPushParser {
    fileprivate func parse(_ piece: XMLPiece) throws(XMLError) {
        switch piece {
        case .markup(let bytes), .missingEnd(let bytes): try parse(bytes)
        case .characterData(let bytes): try parse(characterData: bytes)
        }
    }
}
