internal import PodcastModel
internal import XMLEvents

/// An HTML element's meaning for text, and whether cleaned HTML keeps the element.
struct NotesElement {
    /// The element's effect on the surrounding text.
    enum Role {
        case inline
        /// Surrounded by empty lines.
        case paragraph
        /// Begins and ends a line.
        case line
        /// Ends a line.
        case lineBreak
        case list(isOrdered: Bool)
        /// A line with a bullet.
        case item
        /// Separated by a space.
        case cell
        case link
        /// Line breaks are kept.
        case preformatted
        /// Text that is shown in a frame or instead of media, separated by a space.
        case embedded
    }

    let role: Role
    /// The element's name in cleaned HTML; nil if the tag is removed.
    let keptName: String?
    /// True for an element without end tag.
    let isVoid: Bool
    /// The mark of the element's words; nil for links, whose mark needs their URL.
    let mark: MarkedText.Mark.Kind?

    private init(_ role: Role, _ keptName: String? = nil, isVoid: Bool = false) {
        self.role = role
        self.keptName = keptName
        self.isVoid = isVoid
        mark =
            switch role {
            case .list(let isOrdered): .list(isOrdered: isOrdered)
            case .item: .item
            case .inline, .paragraph:
                switch keptName {
                case "b", "strong": .strong
                case "i", "em", "cite": .emphasis
                case "h1", "h2", "h3", "h4", "h5", "h6": .heading
                default: nil
                }
            case .line, .lineBreak, .cell, .link, .preformatted, .embedded: nil
            }
    }

    private static let other = NotesElement(.inline)

    init(_ name: HTMLElementName) { self = Self.known(name.packed) ?? .other }

    /// True for elements that occur in notes.
    static func isKnown(_ name: String) -> Bool { known(HTMLElementName.packed(name)) != nil }

    /// True for elements that always have an end tag, so that a title with only the start tag mentions the element.
    static func isEmbedded(_ name: String) -> Bool {
        if case .embedded = known(HTMLElementName.packed(name))?.role { return true }
        return false
    }

    /// True for an element that is separate from the text before it, so that line breaks in that text are spaces.
    static func isBlock(_ name: String) -> Bool {
        switch known(HTMLElementName.packed(name))?.role {
        case .paragraph, .line, .lineBreak, .list, .item, .cell, .preformatted: true
        case .inline, .link, .embedded, nil: false
        }
    }

    /// Looks up a packed name. Hashing would cost more than seven comparisons.
    private static func known(_ name: UInt64) -> NotesElement? {
        let (names, elements) = (Self.names, Self.elements)
        var (start, end) = (0, names.count)
        while start < end {
            let middle = (start + end) / 2
            if names[middle] < name { start = middle + 1 } else { end = middle }
        }
        return start < names.count && names[start] == name ? elements[start] : nil
    }

    private static let names = table.map(\.key)
    private static let elements = table.map(\.value)

    private static let table: [(key: UInt64, value: NotesElement)] = {
        var table: [UInt64: NotesElement] = [:]
        func add(_ names: String, _ make: (String) -> NotesElement) {
            for name in names.split(separator: " ") { table[HTMLElementName.packed(String(name))] = make(String(name)) }
        }
        add("p h1 h2 h3 h4 h5 h6 blockquote dl table figure") { NotesElement(.paragraph, $0) }
        add("hr") { NotesElement(.paragraph, $0, isVoid: true) }
        add("section article main aside header footer nav form fieldset center") { _ in NotesElement(.paragraph) }
        add("div dt dd tr figcaption") { NotesElement(.line, $0) }
        add("address caption details summary option") { _ in NotesElement(.line) }
        add("br") { NotesElement(.lineBreak, $0, isVoid: true) }
        add("ul menu dir") { _ in NotesElement(.list(isOrdered: false), "ul") }
        add("ol") { NotesElement(.list(isOrdered: true), $0) }
        add("li") { NotesElement(.item, $0) }
        add("td th") { NotesElement(.cell, $0) }
        add("a") { NotesElement(.link, $0) }
        add("pre") { NotesElement(.preformatted, $0) }
        add("b strong i em u s del ins sub sup code kbd q cite small thead tbody tfoot") { NotesElement(.inline, $0) }
        add("html body span font img abbr time mark tt big label wbr svg math") { _ in NotesElement(.inline) }
        add(
            "head script style template noscript iframe object embed applet audio video canvas map "
                + "select textarea button noframes frameset"
        ) { _ in NotesElement(.embedded) }
        return table.sorted { $0.key < $1.key }
    }()
}
