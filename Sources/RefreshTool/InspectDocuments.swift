internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import PodcastModel
internal import PublisherDetails

/// Keeps a document whole, for readers that need all of it.
final class WholeDocument: DocumentReader {
    /// The Content-Type that came with it.
    let contentType: String?
    private let limit: Int
    private(set) var bytes: [UInt8] = []

    /// Keeps at most one byte more than the limit, so that the reader can tell that it was passed.
    init(contentType: String?, limit: Int) {
        self.contentType = contentType
        self.limit = limit
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        bytes.append(contentsOf: piece.prefix(limit + 1 - bytes.count))
        return bytes.count <= limit
    }

    func chapters() throws(ChapterError) -> ChapterDocument {
        let result: Result<ChapterDocument, ChapterError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(ChapterError) in try ChapterDocument(bytes, contentType: contentType) }
        }
        return try result.get()
    }

    /// The transcript that it is; `announced` is its type where the feed knows better than its server.
    func transcript(name: String, announced: String? = nil) throws(TranscriptError) -> TranscriptDocument {
        let type = announced ?? contentType
        let result: Result<TranscriptDocument, TranscriptError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(TranscriptError) in try TranscriptDocument(bytes, contentType: type, name: name) }
        }
        return try result.get()
    }
}

extension InspectionJSON {
    static func value(of document: ChapterDocument) -> JSONValue {
        object([
            ("outcome", "chapters"), ("diagnostics", .array(document.diagnostics.map(diagnostic))),
            ("chapters", .array(document.chapters.map(\.json))),
        ])
    }

    /// The value of a document without chapters.
    static func value(of error: ChapterError) -> JSONValue {
        ["outcome": "not-chapters", "reason": .string(error.description)]
    }

    static func value(of document: TranscriptDocument) -> JSONValue {
        object([
            ("outcome", "transcript"), ("form", .string(document.form.rawValue)),
            ("diagnostics", .array(document.diagnostics.map(diagnostic))),
            ("cues", .array(document.cues.map(cue))),
        ])
    }

    /// The value of a document that is not a transcript.
    static func value(of error: TranscriptError) -> JSONValue {
        ["outcome": "not-a-transcript", "reason": .string(error.description)]
    }

    private static func cue(_ cue: Cue) -> JSONValue {
        object([
            ("start", JSONValue(cue.start?.seconds)), ("end", JSONValue(cue.end?.seconds)),
            ("speaker", JSONValue(cue.speaker)), ("text", .string(cue.text)),
        ])
    }
}

extension InspectionText {
    static func lines(of document: ChapterDocument) -> [String] {
        let chapters = document.chapters.map { chapter in
            let hidden = chapter.isListed ? "" : "  (not listed)"
            return "  \(chapter.start)  \(chapter.title ?? "(no title)")\(hidden)"
        }
        return ["\(counted(chapters.count, "chapter"))"] + chapters
            + lines(of: document.diagnostics, count: document.diagnostics.count)
    }

    static func lines(of document: TranscriptDocument) -> [String] {
        let cues = document.cues.map { cue in
            "  \(cue.start.map { "\($0)  " } ?? "")\(cue.speaker.map { "\($0): " } ?? "")\(cue.text)"
        }
        return ["\(document.form.rawValue), \(counted(cues.count, "cue"))"] + cues
            + lines(of: document.diagnostics, count: document.diagnostics.count)
    }
}
