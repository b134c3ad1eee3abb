internal import XMLEvents

enum Scope: UInt8 {
    case document
    /// In `<rss>` or `<rdf:RDF>`.
    case root
    case channel, item
    /// In the channel's `<image>`, which has its own title and link.
    case image
    case author, owner, chapters, mediaGroup
    /// In an element whose children are ignored: unknown elements, text inputs, an entry's source.
    case ignored
}

struct ElementRule {
    typealias Begin = (inout FeedDraft, XMLAttributes) -> Void
    typealias End = (inout FeedDraft, ElementText) -> Void

    enum Use: Equatable {
        /// Only the element's attributes are used.
        case nothing
        /// The element's children are read in this scope.
        case enter(Scope)
        /// The text, without tags, is passed to `end`.
        case text
        /// The text, decoded as its attributes declare, is passed to `end`: Atom's titles.
        case label
        /// The text with its tags, as HTML, is passed to `end`.
        case markup
    }

    let use: Use
    var begin: Begin?
    var end: End?

    static func attributes(_ begin: @escaping Begin) -> ElementRule { ElementRule(use: .nothing, begin: begin) }
    static func text(_ end: @escaping End) -> ElementRule { ElementRule(use: .text, end: end) }
    static func text(_ begin: @escaping Begin, _ end: @escaping End) -> ElementRule {
        ElementRule(use: .text, begin: begin, end: end)
    }
    /// An element whose text is passed to the result of `begin`; nil ignores the text.
    static func attributesAndText(_ begin: @escaping (inout FeedDraft, XMLAttributes) -> End?) -> ElementRule {
        .text { draft, attributes in
            draft.whenTextEnds = begin(&draft, attributes)
        } _: { draft, text in
            draft.whenTextEnds.take()?(&draft, text)
        }
    }
    /// An element that sets a text of the channel.
    static func channel(_ text: DraftText, _ rank: Rank, _ use: Use = .text) -> ElementRule {
        ElementRule(use: use, end: { $0.channel[text].offer(rank, text.isURL ? $0.base.resolve($1) : $1.string) })
    }

    /// An element that sets a text of the item.
    static func item(_ text: DraftText, _ rank: Rank, _ use: Use = .text) -> ElementRule {
        ElementRule(use: use, end: { $0.item[text].offer(rank, text.isURL ? $0.base.resolve($1) : $1.string) })
    }

    /// An element that begins an item; a new item ends an open one.
    static var item: ElementRule {
        .enter(.item) { draft, _ in
            draft.beginItem()
        } end: { draft, _ in
            draft.endItem()
        }
    }
    static func enter(_ scope: Scope, _ begin: Begin? = nil, end: End? = nil) -> ElementRule {
        ElementRule(use: .enter(scope), begin: begin, end: end)
    }
}

/// One XML namespace, and the meaning of its elements.
final class FeedNamespace: Sendable {
    /// The usual prefix, which is recognized without a declaration.
    let prefix: String
    /// In the form of `NamespaceTable.canonical`.
    let names: [String]
    /// The rule for an element, by its local name in lower case; nil for an ignored element.
    let rule: @Sendable (Scope, _ element: String) -> ElementRule?

    init(_ prefix: String, _ names: [String], _ rule: @escaping @Sendable (Scope, String) -> ElementRule?) {
        self.prefix = prefix
        self.names = names
        self.rule = rule
    }
}
