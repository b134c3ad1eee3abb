internal import JSON
public import PodcastModel

/// The chapters of an episode from a separate document. Any thread.
public struct ChapterDocument: Equatable, Sendable {
    public static let documentBytes = 4 << 20
    static let mostChapters = 10_000

    /// Sorted by start, without duplicates; includes hidden chapters (`toc: false`).
    public var chapters: [Chapter]
    public var diagnostics: [Diagnostic]

    /// Podcasting 2.0 JSON (`chapters/jsonChapters.md`).
    /// - Parameter contentType: the response's Content-Type header, often wrong: only its charset is used.
    public init(_ bytes: [UInt8], contentType: String? = nil) throws(DocumentError) {
        let text = try TextDecoding.text(of: bytes, contentType: contentType, limit: Self.documentBytes)
        if text.utf8.allSatisfy({ $0 <= 0x20 }) { throw .noChapters(reason: "the document is empty") }
        let root: JSONValue
        do throws(JSONError) { root = try JSONValue(parsing: text) } catch {
            throw .noChapters(reason: "invalid JSON: \(error)")
        }
        // An object with `chapters`, or a bare array of chapters.
        guard let members = root["chapters"]?.arrayValue ?? root.arrayValue else {
            throw .noChapters(reason: "JSON without chapters")
        }
        let found = members.compactMap(Chapter.init)
        guard !found.isEmpty else { throw .noChapters(reason: "the document has no chapters") }
        chapters = Self.ordered(Array(found.prefix(Self.mostChapters)))
        diagnostics = Diagnostic.ofDocument([
            skipped(members.count - found.count, "chapters without a time"),
            skipped(found.count - Self.mostChapters, "chapters after the first \(Self.mostChapters)"),
        ])
    }

    /// Removes duplicates and invalid ends.
    private static func ordered(_ written: [Chapter]) -> [Chapter] {
        // Swift's sort is stable, so chapters with the same time keep their order.
        let sorted = written.sorted { $0.start < $1.start }
        var result: [Chapter] = []
        for var chapter in sorted {
            if let end = chapter.end, end <= chapter.start { chapter.end = nil }
            if !result.suffix(8).contains(chapter) { result.append(chapter) }
        }
        return result
    }
}

extension Chapter {
    /// A member of a document; nil without a time.
    fileprivate init?(_ member: JSONValue) {
        guard let start = member.time("startTime", "start") else { return nil }
        func text(_ names: String...) -> String? { names.lazy.compactMap { member[$0]?.stringValue }.first }
        self.init(
            start: start, end: member.time("endTime", "end"), title: text("title").flatMap(LineText.line),
            link: text("url", "link", "href").flatMap(SafeLink.url), image: text("img", "image").flatMap(SafeLink.url),
            isListed: member["toc"] != .bool(false))
    }
}

extension JSONValue {
    /// The time in the first of these members that exists: seconds as a number or text, or `H:MM:SS`.
    func time(_ names: String...) -> MediaTime? {
        guard let value = names.lazy.compactMap({ self[$0] }).first else { return nil }
        if let number = value.numberValue { return AnnouncedTime.start(seconds: number) }
        return value.stringValue.flatMap { AnnouncedTime.start($0) }
    }
}
