internal import JSON
internal import PodcastModel
internal import XMLEvents
internal import XMLRepair

extension WrittenChapters {
    /// Podcasting 2.0's JSON: an object with `chapters`, or a bare array of chapters.
    init(json text: String) throws(ChapterError) {
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
                start: Self.time(member, "startTime", "start"), end: Self.time(member, "endTime", "end"),
                title: text("title"), link: text("url", "link", "href"), image: text("img", "image"),
                isListed: member["toc"] != .bool(false))
        }
    }

    /// Seconds as a number or text, or `H:MM:SS`.
    private static func time(_ member: JSONValue, _ names: String...) -> MediaTime? {
        guard let value = names.lazy.compactMap({ member[$0] }).first else { return nil }
        if let number = value.numberValue { return AnnouncedTime.start(seconds: number) }
        return value.stringValue.flatMap { AnnouncedTime.start($0) }
    }

    /// Lines in the form of mp4chaps(1), which people use in notes too: a time, spaces, a title.
    init(lines text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let clock = words.first, clock.contains(":"), let start = AnnouncedTime.start(clock) else { continue }
            add(start: start, title: words.count > 1 ? String(words[1]) : nil)
        }
    }

    /// Podlove simple chapters as a separate document.
    init(xml text: String) throws(ChapterError) {
        let reader = PodloveReader()
        var filter = XMLRepairFilter(roots: ["chapters"])
        do throws(XMLError) {
            let parser = try XMLPushParser(handler: reader)
            try Self.parse(text, &filter, parser)
        } catch {
            // Chapters before the error are kept.
        }
        guard filter.hasRoot else { throw .noChapters(reason: filter.foreignRoot.map { "<\($0)>" } ?? "not XML") }
        self = reader.written
    }

    private static func parse(
        _ text: String, _ filter: inout XMLRepairFilter, _ parser: XMLPushParser
    ) throws(XMLError) {
        func take(_ piece: XMLPiece) throws(XMLError) {
            switch piece {
            case .markup(let bytes), .missingEnd(let bytes): try parser.parse(bytes)
            case .characterData(let bytes): try parser.parse(characterData: bytes)
            }
        }
        var failure: XMLError?
        Array(text.utf8).withUnsafeBytes { bytes in
            do throws(XMLError) {
                try filter.process(bytes) { piece throws(XMLError) in try take(piece) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try filter.finish { piece throws(XMLError) in try take(piece) }
    }
}

/// Collects `chapter` elements with any prefix.
private final class PodloveReader: XMLEventHandler {
    var written = WrittenChapters()

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        guard name.localName.lowercased() == "chapter" else { return }
        let chapter = PodloveChapter(attributes)
        written.add(start: chapter?.start, title: chapter?.title, link: chapter?.link, image: chapter?.image)
    }

    func characters(_ text: UnsafeRawBufferPointer) {}
    func endElement(_ name: XMLElementName) {}
}
