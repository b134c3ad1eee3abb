internal import HTTP
internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import PodcastModel

/// Format of a document that `inspect` reads.
enum DocumentKind: String, CaseIterable {
    case feed, opml, chapters, transcript

    /// The kind by an extension that only one kind has.
    init?(name: String) {
        switch name.prefix(while: { $0 != "?" && $0 != "#" }).split(separator: ".").last?.lowercased() {
        case "opml": self = .opml
        case "srt", "vtt": self = .transcript
        default: return nil
        }
    }

    /// The kind by the first bytes; a feed if they are in no known format.
    init(start: ArraySlice<UInt8>) {
        var text: String { String(utf8: start) }
        switch start.first {
        case .less: self = Self.rootElement(of: start) == "opml" ? .opml : .feed
        case .openingBrace:
            self = text.contains("\"segments\"") ? .transcript : text.contains("\"chapters\"") ? .chapters : .feed
        default: self = text.hasPrefix("WEBVTT") || text.prefix(300).contains("-->") ? .transcript : .feed
        }
    }

    /// The name of the first element; empty if there is none. Reads no more bytes than needed: most documents are feeds.
    private static func rootElement(of start: ArraySlice<UInt8>) -> String {
        var rest = start
        while let less = rest.firstIndex(of: .less) {
            rest = rest[(less + 1)...]
            if rest.first == .questionMark || rest.first == .exclamationMark { continue }
            let name = rest.prefix { $0 > 0x20 && $0 != .greater && $0 != .slash }
            return String(utf8: name)
        }
        return ""
    }
}

/// How `inspect` shows titles and notes.
enum InspectedNotes: String, CaseIterable {
    case text
    /// HTML that is safe to show; titles are plain text.
    case html
    /// As the feed has them.
    case raw

    func title(_ written: String?) -> String? { self == .raw ? written : written.flatMap(LineText.line) }

    func notes(of item: Item) -> (summary: String?, content: String?) {
        if self == .raw { return (item.summary, item.content) }
        let content = notes(item.content)
        return (item.hasOneText ? content : notes(item.summary), content)
    }

    func notes(_ written: String?) -> String? {
        switch self {
        case .text: written.map { MarkedText(notes: $0).words }
        case .html: written.map { MarkedText(notes: $0).html }
        case .raw: written
        }
    }
}

extension CommandRun {
    /// `podcast-refresh inspect FILE|URL|-`. Opens no library.
    func inspect() throws(ToolFailure) -> ExitStatus {
        var worst = ExitStatus.success
        for word in arguments.texts(RefreshDeclaration.document) {
            let status = try inspect(word)
            if status != .success { worst = status }
        }
        return worst
    }

    private func inspect(_ word: String) throws(ToolFailure) -> ExitStatus {
        let file = WebAddress.isWeb(word) ? nil : try InputFile(word)
        let kind =
            arguments.text(RefreshDeclaration.kind).flatMap(DocumentKind.init(rawValue:)) ?? DocumentKind(name: word)
            ?? file.map { DocumentKind(start: $0.start) } ?? .feed
        switch kind {
        case .feed: return try inspectFeed(word, file)
        case .opml:
            var parser = OPMLParser()
            try read(word, file) { _, contentType in
                parser = OPMLParser(contentType: contentType)
                return { bytes in (try? parser.feed(bytes)) != nil }
            }
            return try print(word, kind, Result { () throws(DocumentError) in Inspection(try parser.finish()) })
        case .chapters:
            let document = try readWhole(word, file, limit: ChapterDocument.documentBytes)
            return try print(word, kind, Result { () throws(DocumentError) in Inspection(try document.chapters()) })
        case .transcript:
            let document = try readWhole(word, file, limit: TranscriptDocument.documentBytes)
            return try print(
                word, kind, Result { () throws(DocumentError) in Inspection(try document.transcript(name: word)) })
        }
    }

    /// Reads a feed, whose items are handled as they come, so that memory does not grow with their number.
    private func inspectFeed(_ word: String, _ file: InputFile?) throws(ToolFailure) -> ExitStatus {
        let base = arguments.text(RefreshDeclaration.baseURL)
        let notes = arguments.text(RefreshDeclaration.notes).flatMap(InspectedNotes.init(rawValue:)) ?? .text
        let writer = FeedJSONWriter(output, notes)
        let summary = FeedSummary(notes)
        let handleItem: (Item) -> Void = isJSON ? writer.write : summary.add
        var parser = FeedParser(baseURL: "")
        do throws(ToolFailure) {
            try read(word, file) { url, contentType in
                parser = FeedParser(baseURL: base ?? url, contentType: contentType, itemHandler: handleItem)
                return { bytes in (try? parser.feed(bytes)) != nil && writer.failure == nil }
            }
        } catch {
            if isJSON { try writer.breakOff() }
            throw error
        }
        switch Result(catching: { () throws(DocumentError) in try parser.finish() }) {
        case .success(let document):
            if isJSON { try writer.finish(document) } else { try print(summary.lines(of: document)) }
            return .success
        case .failure(let error) where isJSON:
            try writer.finish(error)
            return .success
        case .failure(let error):
            tell("\(word): \(error)")
            return .badData
        }
    }

    private func readWhole(_ word: String, _ file: InputFile?, limit: Int) throws(ToolFailure) -> WholeDocument {
        var document = WholeDocument()
        try read(word, file) { _, contentType in
            document.contentType = contentType
            return { document.append($0, limit: limit) }
        }
        return document
    }

    /// Reads a file or URL.
    /// - Parameter begin: called with the document's URL, empty for a file, and its Content-Type.
    private func read(
        _ word: String, _ file: InputFile?, _ begin: @escaping (_ url: String, _ contentType: String?) -> ByteReceiver
    ) throws(ToolFailure) {
        let contentType = arguments.text(RefreshDeclaration.contentType)
        if let file {
            let receive = begin("", contentType)
            return try file.read { bytes throws(ToolFailure) in receive(bytes) }
        }
        _ = try download(word, over: try makeTransport()) { answer in
            begin(answer.effectiveURL, contentType ?? answer.headers["content-type"])
        }
    }

    private func print(
        _ word: String, _ kind: DocumentKind, _ result: Result<Inspection, DocumentError>
    ) throws(ToolFailure) -> ExitStatus {
        switch result {
        case .success(let inspection):
            if isJSON { try output.line(inspection.json.text) } else { try print(inspection.lines) }
            return .success
        case .failure(let error) where isJSON:
            try output.line(JSONValue.object(Inspection.members(of: error, kind)).text)
            return .success
        case .failure(let error):
            tell("\(word): \(error)")
            return .badData
        }
    }
}

/// Writes a feed as one line of JSON while it is read.
///
/// The items come first in the text: the other members are known when the last item has been read.
private final class FeedJSONWriter {
    private let output: ToolOutput
    private let notes: InspectedNotes
    private var bytes: [UInt8] = []
    private var count = 0
    /// Why an item could not be written.
    private(set) var failure: ToolFailure?

    init(_ output: ToolOutput, _ notes: InspectedNotes) {
        self.output = output
        self.notes = notes
    }

    func write(_ item: Item) {
        if failure != nil { return }
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: (count == 0 ? "{\"items\":[" : ",").utf8)
        Inspection.item(item, notes).write(to: &bytes)
        count += 1
        do throws(ToolFailure) { try output.write(contentsOf: bytes) } catch { failure = error }
    }

    func finish(_ document: FeedDocument) throws(ToolFailure) {
        if count == 0 { try output.write("{\"items\":[") }
        try end(Inspection.members(of: document, notes))
    }

    func finish(_ error: DocumentError) throws(ToolFailure) {
        let members = Inspection.members(of: error, .feed)
        if count == 0 { try output.line(JSONValue.object(members).text) } else { try end(members) }
    }

    /// Ends a document whose source failed, so that the output is JSON nevertheless.
    func breakOff() throws(ToolFailure) {
        if count > 0 { try end([.init("outcome", "malformed-recoverable"), .init("truncated", true)]) }
    }

    private func end(_ members: [JSONValue.Member]) throws(ToolFailure) {
        if let failure { throw failure }
        try output.line("]," + JSONValue.object(members).text.dropFirst())
    }
}
