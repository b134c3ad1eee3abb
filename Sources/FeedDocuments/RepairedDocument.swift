internal import PodcastModel
internal import XMLEvents

/// Why a document could not be read.
public enum DocumentError: Error, Equatable, CustomStringConvertible {
    case notAFeed(DocumentType)
    case notOPML(DocumentType)
    /// `reason` says what the document is instead.
    case noChapters(reason: String)
    /// `reason` says what the document is instead.
    case noTranscript(reason: String)
    /// The limit in bytes.
    case tooLarge(limit: Int)
    case outOfMemory

    public var description: String {
        switch self {
        case .notAFeed(let type): "not a feed: the document is \(type)"
        case .notOPML(let type): "not an OPML file: the document is \(type)"
        case .noChapters(let reason): "no chapters: \(reason)"
        case .noTranscript(let reason): "no transcript: \(reason)"
        case .tooLarge(let limit): "the document is larger than \(limit >> 20) MiB"
        case .outOfMemory: "cannot start the XML parser: not enough memory, or libxml2 is not installed"
        }
    }
}

/// An XML document that is repaired and parsed as its bytes arrive. What was read before a fault is kept. Confined to one
/// thread at a time.
final class RepairedDocument {
    private(set) var filter: XMLRepairFilter
    private let parser: XMLPushParser?
    private let documentBytes: Int
    private let mismatch: (DocumentType) -> DocumentError
    private var byteCount = 0
    private var head = DocumentHead()
    /// The error of `add` or `parse`, which `finish` throws again.
    private var rejection: DocumentError?
    private var failure: XMLError?

    /// - Parameters:
    ///   - roots: local names of root elements, in lower case.
    ///   - contentType: the Content-Type header, which is often wrong: only its charset is used.
    ///   - mismatch: the error for a document with another root.
    init(
        roots: [String], contentType: String?, documentBytes: Int, repairs: Int = 100, handler: any XMLEventHandler,
        mismatch: @escaping (DocumentType) -> DocumentError
    ) {
        filter = XMLRepairFilter(
            httpCharset: TextDecoding.charset(ofContentType: contentType), roots: roots,
            limits: XMLRepairLimits(repairs: repairs))
        parser = try? XMLPushParser(handler: handler)
        self.documentBytes = documentBytes
        self.mismatch = mismatch
    }

    /// Parses the next bytes; any number.
    func feed(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        try add(bytes)
        try parse(bytes)
    }

    /// Counts the next bytes, which another parser may read.
    func add(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        byteCount += bytes.count
        if byteCount > documentBytes { try reject(.tooLarge(limit: documentBytes)) }
        if parser == nil { try reject(.outOfMemory) }
        head.add(bytes)
    }

    func parse(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        if filter.isDone && !filter.hasRoot && head.isFull { try reject(mismatchError) }
        guard failure == nil else { return }
        do throws(XMLError) {
            try filter.process(bytes) { piece throws(XMLError) in try parse(piece) }
        } catch {
            failure = error
        }
    }

    /// - Throws: also the error that `feed` threw before.
    func finish() throws(DocumentError) {
        if let rejection { throw rejection }
        if failure == nil {
            do throws(XMLError) {
                try filter.finish { piece throws(XMLError) in try parse(piece) }
                if filter.hasRoot { try parser?.finish() }
            } catch {
                failure = error
            }
        }
        if !filter.hasRoot { throw mismatchError }
    }

    private func parse(_ piece: XMLPiece) throws(XMLError) {
        switch piece {
        case .markup(let bytes): try parser?.parse(bytes)
        case .characterData(let bytes): try parser?.parse(characterData: bytes)
        }
    }

    var mismatchError: DocumentError { mismatch(head.type(foreignRoot: filter.foreignRoot)) }

    private func reject(_ error: DocumentError) throws(DocumentError) {
        rejection = error
        throw error
    }

    var isTruncated: Bool { filter.isTruncated || failure != nil }
    /// A message about the first prefix that is not declared; nil if all are.
    var undeclaredPrefix: String? { parser?.undeclaredPrefix }
    /// Why the parser stopped before the end; nil if it did not.
    var stop: String? { failure.map { "reading stopped: \($0.message)" } }
}

extension Diagnostic {
    static func ofDocument(_ messages: [String?]) -> [Diagnostic] {
        messages.compactMap { message in message.map { Diagnostic(line: 1, column: 1, message: $0) } }
    }
}

/// A message about omitted things; nil if there are none.
func skipped(_ count: Int, _ things: String) -> String? { count > 0 ? "skipped \(count) \(things)" : nil }
