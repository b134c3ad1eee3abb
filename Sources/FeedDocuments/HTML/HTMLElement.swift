internal import PodcastModel

struct HTMLElement {
    enum Role {
        case inline, strong, emphasis, heading
        /// Surrounded by empty lines.
        case paragraph
        /// Begins and ends a line.
        case line
        /// Ends a line.
        case lineBreak
        case unorderedList, orderedList
        /// A line with a bullet.
        case item
        /// Separated by a space.
        case cell
        case link
        /// Line breaks are kept.
        case preformatted
        /// Text that is shown in a frame or instead of media, separated by a space.
        case embedded
        /// The tags have no effect.
        case ignored
    }

    let name: HTMLName
    let role: Role
    /// True for an element without end tag.
    let isVoid: Bool

    init(_ name: HTMLName, _ role: Role) {
        self.name = name
        self.role = role
        isVoid = Self.void.contains(name)
    }

    /// True for an element that is separate from the text before it, so that line breaks in that text are spaces.
    var isBlock: Bool {
        switch role {
        case .paragraph, .heading, .line, .lineBreak, .unorderedList, .orderedList, .item, .cell, .preformatted: true
        case .inline, .strong, .emphasis, .link, .embedded, .ignored: false
        }
    }

    /// The mark of the element's words; nil for links, whose mark needs their URL.
    var mark: MarkedText.Mark.Kind? {
        switch role {
        case .strong: .strong
        case .emphasis: .emphasis
        case .heading: .heading
        case .unorderedList: .list(isOrdered: false)
        case .orderedList: .list(isOrdered: true)
        case .item: .item
        case .inline, .paragraph, .line, .lineBreak, .cell, .link, .preformatted, .embedded, .ignored: nil
        }
    }

    // MARK: Nesting

    /// An end tag closes no open element of a higher rank.
    var rank: Int { Self.ranks.firstIndex { $0.contains(name) }.map { $0 + 1 } ?? 0 }

    private static let ranks = ["div", "td th", "tr", "thead tbody tfoot", "table"].map(HTMLName.list)

    /// The elements that the start tag ends, up to the innermost of `barriers`: a part of WHATWG HTML section 13.2.6.4.7.
    var endedElements: (ended: [HTMLName], barriers: [HTMLName])? {
        if let ended = Self.endedByName[name] { return ended }
        return isBlock && role != .lineBreak ? Self.endedByBlocks : nil
    }

    private static let endedByBlocks = (ended: [HTMLName("p".utf8)], barriers: HTMLName.list("table td th"))
    private static let endedByName: [HTMLName: (ended: [HTMLName], barriers: [HTMLName])] = {
        var table: [HTMLName: (ended: [HTMLName], barriers: [HTMLName])] = [:]
        for (names, ended, barriers) in [
            ("li", "li p", "ul ol menu dir table td th"), ("dt dd", "dt dd p", "dl table td th"),
            ("h1 h2 h3 h4 h5 h6", "h1 h2 h3 h4 h5 h6 p", "table td th"), ("a", "a", "table td th"),
            ("td th", "td th", "tr table"), ("tr", "tr td th caption", "table"),
            ("thead tbody tfoot", "thead tbody tfoot tr caption", "table"),
            ("option", "option", "select"), ("optgroup", "option optgroup", "select"),
        ] {
            for name in HTMLName.list(names) { table[name] = (HTMLName.list(ended), HTMLName.list(barriers)) }
        }
        return table
    }()

    // MARK: The elements

    /// Finds an element that occurs in notes. Hashing would cost more than seven comparisons.
    static func known(_ name: HTMLName) -> HTMLElement? {
        let elements = Self.elements
        var start = 0
        var end = elements.count
        while start < end {
            let middle = (start + end) / 2
            if elements[middle].name.packed < name.packed { start = middle + 1 } else { end = middle }
        }
        return start < elements.count && elements[start].name == name ? elements[start] : nil
    }

    /// Ordered by `packed`.
    private static let elements: [HTMLElement] = {
        let rows: [(Role, String)] = [
            (.paragraph, "p blockquote dl table figure hr section article main aside header footer nav form fieldset"),
            (.paragraph, "center"), (.heading, "h1 h2 h3 h4 h5 h6"),
            (.line, "div dt dd tr figcaption address caption details summary option"), (.lineBreak, "br"),
            (.unorderedList, "ul menu dir"), (.orderedList, "ol"), (.item, "li"), (.cell, "td th"), (.link, "a"),
            (.preformatted, "pre"), (.strong, "b strong"), (.emphasis, "i em cite"),
            (.inline, "u s del ins sub sup code kbd q small thead tbody tfoot span font img abbr time mark tt big"),
            (.inline, "label wbr svg math"), (.ignored, "html head body"),
            (.embedded, "script style template noscript iframe object embed applet audio video canvas map"),
            (.embedded, "select textarea button noframes frameset"),
        ]
        return rows.flatMap { role, names in HTMLName.list(names).map { HTMLElement($0, role) } }
            .sorted { $0.name.packed < $1.name.packed }
    }()

    private static let void = Set(
        HTMLName.list("area base basefont br col embed frame hr img input isindex link meta param source track wbr"))
}
