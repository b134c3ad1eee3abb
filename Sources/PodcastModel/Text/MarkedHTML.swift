extension MarkedText {
    /// The text as a well-formed HTML fragment with paragraphs, lists, headings, links and emphasis only.
    public var html: String {
        var writer = MarkedHTMLWriter(self)
        writer.writeBlocks(0..<words.utf8.count, wrapsParagraphs: true)
        return String(utf8: writer.html)
    }
}

private struct MarkedHTMLWriter {
    let bytes: [UInt8]
    let blocks: [MarkedText.Mark]
    let spans: [MarkedText.Mark]
    private(set) var html: [UInt8] = []
    var nextBlock = 0
    /// Spans before this index end before the remaining text.
    var firstSpan = 0

    init(_ text: MarkedText) {
        bytes = Array(text.words.utf8)
        blocks = text.marks.filter(\.kind.isBlock)
        spans = text.marks.filter { !$0.kind.isBlock }
    }

    mutating func writeBlocks(_ range: Range<Int>, wrapsParagraphs: Bool) {
        var place = range.lowerBound
        while nextBlock < blocks.count, blocks[nextBlock].range.upperBound <= range.upperBound {
            let block = blocks[nextBlock]
            nextBlock += 1
            writeParagraphs(place..<max(place, block.range.lowerBound), wrapsParagraphs)
            writeBlock(block)
            place = max(place, block.range.upperBound)
        }
        writeParagraphs(place..<range.upperBound, wrapsParagraphs)
    }

    mutating func writeBlock(_ block: MarkedText.Mark) {
        write("<\(block.kind.element)>")
        writeBlocks(block.range, wrapsParagraphs: false)
        write("</\(block.kind.element)>")
    }

    /// Writes text between blocks without the surrounding line breaks, which belong to the blocks.
    mutating func writeParagraphs(_ range: Range<Int>, _ wraps: Bool) {
        var start = range.lowerBound
        while start < range.upperBound {
            if bytes[start] == 0x0A {
                start += 1
                continue
            }
            var end = start
            while end < range.upperBound, !isParagraphEnd(end, range.upperBound) { end += 1 }
            if wraps { write("<p>") }
            writeSpans(start..<end)
            if wraps {
                write("</p>")
            } else if bytes[end..<range.upperBound].contains(where: { $0 != 0x0A }) {
                write("<br>")
            }
            start = end
        }
    }

    func isParagraphEnd(_ place: Int, _ end: Int) -> Bool {
        bytes[place] == 0x0A && (place + 1 >= end || bytes[place + 1] == 0x0A)
    }

    /// Writes text with links and emphasis. Spans that continue after a paragraph are closed and reopened.
    mutating func writeSpans(_ range: Range<Int>) {
        while firstSpan < spans.count, spans[firstSpan].range.upperBound <= range.lowerBound { firstSpan += 1 }
        var open: [(end: Int, tag: String)] = []
        var place = range.lowerBound
        func close(until limit: Int, _ writer: inout MarkedHTMLWriter) {
            while let last = open.last, last.end <= limit {
                writer.escape(place..<last.end)
                writer.write("</\(last.tag)>")
                place = last.end
                open.removeLast()
            }
        }
        for span in spans[firstSpan...] {
            if span.range.lowerBound >= range.upperBound { break }
            let clipped = span.range.clamped(to: range)
            if clipped.isEmpty { continue }
            close(until: clipped.lowerBound, &self)
            escape(place..<clipped.lowerBound)
            place = clipped.lowerBound
            open.append((clipped.upperBound, begin(span.kind)))
        }
        close(until: range.upperBound, &self)
        escape(place..<range.upperBound)
    }

    /// Writes the start tag of a span; returns the name of its element.
    mutating func begin(_ kind: MarkedText.Mark.Kind) -> String {
        if case .link(let url) = kind {
            write("<a href=\"")
            escape(Array(url.utf8)[...])
            write("\">")
        } else {
            write("<\(kind.element)>")
        }
        return kind.element
    }

    mutating func write(_ text: String) { html.append(contentsOf: text.utf8) }

    mutating func escape(_ range: Range<Int>) { escape(bytes[range]) }

    mutating func escape(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if byte == .newline {
                write("<br>")
            } else if let reference = byte.markupReference {
                write(reference.description)
            } else {
                html.append(byte)
            }
        }
    }
}

extension MarkedText.Mark.Kind {
    fileprivate var element: String {
        switch self {
        case .list(let isOrdered): isOrdered ? "ol" : "ul"
        case .item: "li"
        case .heading: "h3"
        case .link: "a"
        case .strong: "strong"
        case .emphasis: "em"
        }
    }
}
