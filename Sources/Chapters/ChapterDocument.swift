public import PodcastModel
internal import ShowNotes
internal import XMLRepair

/// The chapters of an episode, from a document of their own. Pure; any thread.
public struct ChapterDocument: Equatable, Sendable {
    /// The most bytes that a document may have.
    public static let documentBytes = 4 << 20
    /// The most chapters that are read.
    public static let mostChapters = 10_000

    /// In order of their beginnings, each once; those that are not listed (`toc: false`) are among them.
    public var chapters: [Chapter]
    /// What was passed over.
    public var diagnostics: [Diagnostic]

    /// Reads a document: Podcasting 2.0 JSON (podcast-namespace, `chapters/jsonChapters.md`), Podlove simple chapters, or
    /// lines of a time and a title.
    ///
    /// - Parameters:
    ///   - bytes: the whole document.
    ///   - contentType: the response's Content-Type header, which may lie: only its charset is looked at.
    public init(_ bytes: UnsafeRawBufferPointer, contentType: String? = nil) throws(ChapterError) {
        guard bytes.count <= Self.documentBytes else { throw .tooLarge(limit: Self.documentBytes) }
        let text = TextDecoding.text(of: bytes, charset: TextDecoding.charset(ofContentType: contentType))
        let written: WrittenChapters
        switch text.utf8.first(where: { $0 > 0x20 }) {
        case nil: throw .noChapters(reason: "an empty document")
        case UInt8(ascii: "{"), UInt8(ascii: "["): written = try WrittenChapters(json: text)
        case UInt8(ascii: "<"): written = try WrittenChapters(xml: text)
        default: written = WrittenChapters(lines: text)
        }
        guard !written.chapters.isEmpty else { throw .noChapters(reason: "a document without a chapter in it") }
        chapters = Self.ordered(written.chapters)
        diagnostics = written.diagnostics
    }

    /// Sorted, without what was written twice, without ends that are none.
    private static func ordered(_ written: [Chapter]) -> [Chapter] {
        // Swift's sort is stable, so that chapters of the same time stay as they were written.
        let sorted = written.sorted { $0.start < $1.start }
        var result: [Chapter] = []
        for var chapter in sorted {
            if let end = chapter.end, end <= chapter.start { chapter.end = nil }
            if !result.suffix(8).contains(chapter) { result.append(chapter) }
        }
        return result
    }
}

/// Why a document gave no chapters.
public enum ChapterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It has none; the reason completes "this is …".
    case noChapters(reason: String)
    /// It has more bytes than may be.
    case tooLarge(limit: Int)

    /// One clear line.
    public var description: String {
        switch self {
        case .noChapters(let reason): "no chapters: this is \(reason)"
        case .tooLarge(let limit): "the chapters are larger than \(limit >> 20) MiB"
        }
    }
}

/// Chapters in the order in which they were written, and what could not be read.
struct WrittenChapters {
    var chapters: [Chapter] = []
    private var withoutTime = 0
    private var tooMany = 0

    /// Takes one; without a time it is none.
    mutating func add(
        start: MediaTime?, end: MediaTime? = nil, title: String?, link: String? = nil, image: String? = nil,
        isListed: Bool = true
    ) {
        guard let start else {
            withoutTime += 1
            return
        }
        guard chapters.count < ChapterDocument.mostChapters else {
            tooMany += 1
            return
        }
        chapters.append(
            Chapter(
                start: start, end: end, title: title.flatMap(LineText.line), link: link.flatMap(SafeLink.url),
                image: image.flatMap(SafeLink.url), isListed: isListed))
    }

    var diagnostics: [Diagnostic] {
        var messages: [String] = []
        if withoutTime > 0 { messages.append("passed over \(withoutTime) chapters without a time") }
        if tooMany > 0 { messages.append("passed over \(tooMany) chapters beyond \(ChapterDocument.mostChapters)") }
        return messages.map { Diagnostic(line: 1, column: 1, message: $0) }
    }
}
