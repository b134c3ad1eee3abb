internal import XMLEvents

/// Writes HTML as text: paragraphs apart, list items and links marked.
final class TextRenderer: HTMLEventHandler {
    /// What stands before the next visible character; the larger one wins.
    private enum Gap: Int {
        case none, blank, line, paragraph
    }

    private struct OpenLink {
        var url: String?
        var start: Int
    }

    /// The words alone.
    private(set) var text: [UInt8] = []
    private(set) var marks: [NotesText.Mark] = []
    private(set) var links: [String] = []
    private var gap = Gap.none
    /// Line breaks in the text are meant as such.
    private let keepsLineBreaks: Bool
    private var hiddenDepth = 0
    private var preformattedDepth = 0
    /// For each open list the number of its latest item; nil where items have none.
    private var lists: [Int?] = []
    private var pendingItem: String?
    private var openLinks: [OpenLink] = []

    private static let mostLinks = 1000

    init(keepsLineBreaks: Bool) { self.keepsLineBreaks = keepsLineBreaks }

    func startElement(_ name: HTMLElementName, attributes: HTMLAttributes) {
        let element = NotesElement(name)
        if case .hidden = element.role { hiddenDepth += 1 } else if hiddenDepth > 0 { hiddenDepth += 1 }
        guard hiddenDepth == 0 else { return }
        switch element.role {
        case .inline, .hidden: break
        case .paragraph: widen(to: .paragraph)
        case .line: widen(to: .line)
        case .lineBreak: breakLine()
        case .list(let isOrdered):
            widen(to: lists.isEmpty ? .paragraph : .line)
            lists.append(isOrdered ? 0 : nil)
        case .item: beginItem()
        case .cell: widen(to: .blank)
        case .link:
            openLinks.append(OpenLink(url: attributes.value(named: "href").flatMap(SafeLink.url), start: text.count))
        case .preformatted:
            widen(to: .paragraph)
            preformattedDepth += 1
        }
    }

    func endElement(_ name: HTMLElementName) {
        guard hiddenDepth == 0 else {
            hiddenDepth -= 1
            return
        }
        switch NotesElement(name).role {
        case .inline, .hidden, .lineBreak: break
        case .paragraph: widen(to: .paragraph)
        case .line: widen(to: .line)
        case .list:
            _ = lists.popLast()
            widen(to: lists.isEmpty ? .paragraph : .line)
        case .item:
            pendingItem = nil
            widen(to: .line)
        case .cell: widen(to: .blank)
        case .link: endLink()
        case .preformatted:
            preformattedDepth -= 1
            widen(to: .paragraph)
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        guard hiddenDepth == 0 else { return }
        VisibleText.scan(
            bytes,
            run: { run in
                writeGap()
                text.append(contentsOf: run)
            },
            gap: { gap in
                switch gap {
                case .lineBreak where keepsLineBreaks || preformattedDepth > 0: breakLine()
                case .blank, .lineBreak: widen(to: .blank)
                }
            })
    }

    private func widen(to wanted: Gap) {
        if wanted.rawValue > gap.rawValue { gap = wanted }
    }

    private func breakLine() { gap = gap.rawValue >= Gap.line.rawValue ? .paragraph : .line }

    private func beginItem() {
        widen(to: .line)
        let indent = String(repeating: "  ", count: max(0, min(lists.count, 8) - 1))
        guard let number = lists.last ?? nil else {
            pendingItem = indent + "• "
            return
        }
        lists[lists.count - 1] = number + 1
        pendingItem = indent + "\(number + 1). "
    }

    private func writeGap() {
        if gap != .none, !text.isEmpty {
            switch gap {
            case .none: break
            case .blank: text.append(0x20)
            case .line: text.append(0x0A)
            case .paragraph: text.append(contentsOf: [0x0A, 0x0A])
            }
        }
        gap = .none
        if let item = pendingItem {
            marks.append(NotesText.Mark(offset: text.count, text: item))
            pendingItem = nil
        }
    }

    /// A link whose text is its address needs no footnote, and one without text has no place for a mark.
    private func endLink() {
        guard let link = openLinks.popLast(), let url = link.url, link.start < text.count else { return }
        let label = text[link.start...].drop { $0 <= 0x20 }
        if SafeLink.isSpoken(label, url) { return }
        let number: Int
        if let known = links.firstIndex(of: url) {
            number = known + 1
        } else {
            guard links.count < Self.mostLinks else { return }
            links.append(url)
            number = links.count
        }
        marks.append(NotesText.Mark(offset: text.count, text: " [\(number)]"))
    }
}
