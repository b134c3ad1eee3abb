import FeedDocuments
import PodcastModel

/// Notes, titles and addresses: the output is safe to show, whatever the input.
enum NotesFuzz {
    static func run(_ input: FuzzInput) {
        let text = input.text
        checkText(of: text)
        checkHTML(of: text)
        if let line = LineText.line(text) { Shown.requireLine(line) }
        if let line = LineText.plain(text) { Shown.requireLine(line) }
        if let url = SafeLink.url(text) { Shown.requireLink(url) }
    }

    private static func checkText(of notes: String) {
        let text = MarkedText(notes: notes)
        Shown.requireText(text.words)
        Shown.requireText(text.formatted)
        require(text.words.first != "\n" && text.words.last != "\n", "a line break at an end of \(text.words)")
        for mark in text.marks { if case .link(let url) = mark.kind { Shown.requireLink(url) } }
    }

    /// A fragment contains only known tags, all closed, and only links have an attribute.
    private static func checkHTML(of notes: String) {
        let html = MarkedText(notes: notes).html
        Shown.requireText(html)
        var open: [Substring] = []
        // Compares bytes, because a combining mark next to a sign belongs to the same character but not to a tag.
        for part in html.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
            // The crash reports the finding to libFuzzer.
            guard let end = part.firstIndex(of: UInt8(ascii: ">")) else { fatalError("a tag has no end in \(html)") }
            let tag = String(decoding: part[..<end], as: UTF8.self)[...]
            if tag.first == "/" {
                require(open.popLast() == tag.dropFirst(), "<\(tag)> closes nothing in \(html)")
            } else if tag.utf8.starts(with: link) {
                let url = tag.utf8.dropFirst(link.count)
                require(url.firstIndex(of: quote) == url.indices.last, "<\(tag)> in \(html)")
                open.append("a")
            } else {
                require(kept.contains(tag), "<\(tag)> in \(html)")
                if tag != "br" { open.append(tag) }
            }
        }
        require(open.isEmpty, "\(open) are left open in \(html)")
    }

    private static let quote = UInt8(ascii: "\"")
    private static let link = "a href=\"".utf8

    private static let kept = Set(
        "p h3 br ul ol li a strong em".split(separator: " "))
}

/// Text that may be printed on a terminal.
enum Shown {
    /// Text with several lines.
    static func requireText(_ text: String) {
        let hasControl = text.unicodeScalars.contains { isControl($0) && $0 != "\n" }
        require(!hasControl, "a control character in \(text.debugDescription)")
    }

    static func requireLine(_ line: String) {
        require(!line.isEmpty && !line.unicodeScalars.contains(where: isControl), "\(line.debugDescription) is no line")
    }

    static func requireLink(_ url: String) {
        requireLine(url)
        let scheme = url.prefix { $0 != ":" }.lowercased()
        require(scheme == "http" || scheme == "https", "\(url.debugDescription) is no link")
        let holdsOther = url.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") }
        require(!holdsOther, "\(url.debugDescription) is more than one word")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{2028}" || scalar == "\u{2029}"
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
