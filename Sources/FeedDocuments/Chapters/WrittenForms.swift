internal import JSON
internal import PodcastModel
internal import XMLEvents

extension WrittenChapters {
    /// Podcasting 2.0's JSON: an object with `chapters`, or a bare array of chapters.
    init(json text: String) throws(DocumentError) {
        let root: JSONValue
        do throws(JSONError) { root = try JSONValue(parsing: text) } catch {
            throw .noChapters(reason: "invalid JSON: \(error)")
        }
        guard let members = root["chapters"]?.arrayValue ?? root.arrayValue else {
            throw .noChapters(reason: "JSON without chapters")
        }
        for member in members {
            func text(_ names: String...) -> String? { names.lazy.compactMap { member[$0]?.stringValue }.first }
            add(
                start: member.time("startTime", "start"), end: member.time("endTime", "end"),
                title: text("title"), link: text("url", "link", "href"), image: text("img", "image"),
                isListed: member["toc"] != .bool(false))
        }
    }

    /// Lines in the form of mp4chaps(1), which people use in notes too: a time, spaces, a title.
    init(lines text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let clock = words.first, clock.contains(":"), let start = AnnouncedTime.start(clock) else { continue }
            add(start: start, title: words.count > 1 ? String(words[1]) : nil)
        }
    }

    /// Podlove simple chapters as a separate document. Chapters before a fault are kept.
    init(xml text: String) throws(DocumentError) {
        let reader = PodloveReader()
        let document = RepairedDocument(
            roots: ["chapters"], contentType: nil, documentBytes: ChapterDocument.documentBytes * 2, handler: reader,
            mismatch: DocumentError.noChapters)
        Array(text.utf8).withUnsafeBytes { try? document.feed($0) }
        try document.finish()
        self = reader.written
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

/// Collects `chapter` elements with any prefix.
private final class PodloveReader: XMLEventHandler {
    var written = WrittenChapters()

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        guard name.localName.lowercased() == "chapter" else { return }
        func text(_ name: StaticString) -> String? { attributes.text(name)?.string }
        written.add(
            start: text("start").flatMap { AnnouncedTime.start($0) }, title: text("title"), link: text("href"),
            image: text("image"))
    }

    func characters(_ text: UnsafeRawBufferPointer) {}
    func endElement(_ name: XMLElementName) {}
}
