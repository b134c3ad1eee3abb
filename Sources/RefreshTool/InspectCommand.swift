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
        case .feed:
            let base = arguments.text(RefreshDeclaration.baseURL)
            let notes = arguments.text(RefreshDeclaration.notes).flatMap(InspectedNotes.init(rawValue:)) ?? .text
            var parser = FeedParser(baseURL: "")
            do throws(ToolFailure) {
                try read(word, file) { url, contentType in
                    parser = FeedParser(baseURL: base ?? url, contentType: contentType)
                    return { bytes in (try? parser.feed(bytes)) != nil }
                }
            } catch {
                if isJSON, let document = try? parser.finish(), !document.contents.items.isEmpty {
                    output.line(Inspection(document, notes).json.text)
                }
                throw error
            }
            return try print(word, kind, Inspection(parser.finish(), notes))
        case .opml:
            var parser = OPMLParser()
            try read(word, file) { _, contentType in
                parser = OPMLParser(contentType: contentType)
                return { bytes in (try? parser.feed(bytes)) != nil }
            }
            return try print(word, kind, Inspection(parser.finish()))
        case .chapters:
            let document = try readWhole(word, file, limit: ChapterDocument.documentBytes)
            return try print(word, kind, Inspection(document.chapters()))
        case .transcript:
            let document = try readWhole(word, file, limit: TranscriptDocument.documentBytes)
            return try print(word, kind, Inspection(document.transcript(name: word)))
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
        _ word: String, _ kind: DocumentKind, _ inspect: @autoclosure () throws(DocumentError) -> Inspection
    ) throws(ToolFailure) -> ExitStatus {
        let inspection: Inspection
        do throws(DocumentError) {
            inspection = try inspect()
        } catch {
            if !isJSON {
                tell("\(word): \(error)")
                return .badData
            }
            output.line(Inspection.json(error, kind).text)
            return .success
        }
        if isJSON { output.line(inspection.json.text) } else { try print(inspection.lines) }
        return .success
    }
}
