internal import PodcastModel

/// Renders HTML as text, with empty lines between paragraphs, and records its marks.
final class TextRenderer: HTMLEventHandler {
    /// The gap before the next visible character; the larger one wins.
    private enum Gap: Comparable {
        case none, blank, line, paragraph
    }

    private(set) var text: [UInt8] = []
    /// The marks, ordered by their ends.
    private(set) var marks: [MarkedText.Mark] = []
    private var gap = Gap.none
    private let keepsLineBreaks: Bool
    private var preformattedDepth = 0
    private var listDepth = 0
    /// The start of each open element; nil for an element without a mark.
    private var open: [(kind: MarkedText.Mark.Kind, start: Int)?] = []

    private static let mostMarks = 4000

    init(keepsLineBreaks: Bool) { self.keepsLineBreaks = keepsLineBreaks }

    func startElement(_ element: HTMLElement, attributes: HTMLAttributes) {
        var kind = element.mark
        widen(to: gap(around: element))
        switch element.role {
        case .lineBreak: breakLine()
        case .unorderedList, .orderedList: listDepth += 1
        case .preformatted: preformattedDepth += 1
        case .link: kind = attributes.value(named: "href").flatMap(SafeLink.target).map { .link($0) }
        default: break
        }
        open.append(kind.map { ($0, text.count) })
    }

    func endElement(_ element: HTMLElement) {
        if let (kind, start) = open.popLast() ?? nil { mark(kind, from: start) }
        switch element.role {
        case .unorderedList, .orderedList: listDepth -= 1
        case .preformatted: preformattedDepth -= 1
        default: break
        }
        widen(to: gap(around: element))
    }

    private func gap(around element: HTMLElement) -> Gap {
        switch element.role {
        case .inline, .strong, .emphasis, .lineBreak, .link, .ignored: .none
        case .cell, .embedded: .blank
        case .line, .item: .line
        case .paragraph, .heading, .preformatted: .paragraph
        case .unorderedList, .orderedList: listDepth == 0 ? .paragraph : .line
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        VisibleText.scan(
            bytes,
            run: { run in
                writeGap()
                text.append(contentsOf: run)
            },
            gap: { isLineBreak in
                if isLineBreak, keepsLineBreaks || preformattedDepth > 0 { breakLine() } else { widen(to: .blank) }
            })
    }

    private func widen(to wanted: Gap) { gap = max(gap, wanted) }

    private func breakLine() { gap = gap >= .line ? .paragraph : .line }

    private func writeGap() {
        defer { gap = .none }
        if text.isEmpty { return }
        switch gap {
        case .none: break
        case .blank: text.append(0x20)
        case .line: text.append(0x0A)
        case .paragraph: text.append(contentsOf: [0x0A, 0x0A])
        }
    }

    /// Marks the text since `start`, without leading spaces.
    private func mark(_ kind: MarkedText.Mark.Kind, from start: Int) {
        var start = start
        while start < text.count, text[start] <= 0x20 { start += 1 }
        if start < text.count, marks.count < Self.mostMarks { marks.append(MarkedText.Mark(kind, start..<text.count)) }
    }
}
