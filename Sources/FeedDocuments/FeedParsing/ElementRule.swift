internal import PodcastModel
internal import XMLEvents

/// Context of an element in a document.
enum Scope: UInt8 {
    case document
    /// In `<rss>` or `<rdf:RDF>`.
    case root
    case channel
    case item
    /// In the channel's `<image>`, whose title and link are its own.
    case image
    case channelAuthor, itemAuthor, owner
    case chapters
    case mediaGroup
    /// In an element whose children are ignored: unknown elements, text inputs, an entry's source.
    case ignored
}

/// How an element is read.
struct ElementRule {
    typealias Begin = (inout FeedDraft, XMLAttributes) -> Void
    typealias End = (inout FeedDraft, ElementText) -> Void

    enum Use {
        /// Only its attributes are used.
        case nothing
        /// Its children are read in this scope.
        case enter(Scope)
        /// Its text, without tags, goes to `end`.
        case text
        /// As before, but attributes may declare an encoding of the text.
        case label
        /// Its text with the tags in it, as HTML, goes to `end`.
        case markup
    }

    let use: Use
    var begin: Begin?
    var end: End?

    /// Whether nothing inside the element is read.
    var hasOnlyAttributes: Bool { if case .nothing = use { true } else { false } }

    /// An element of which only the attributes are used.
    static func attributes(_ begin: @escaping Begin) -> ElementRule { ElementRule(use: .nothing, begin: begin) }
    /// An element of plain text.
    static func text(_ end: @escaping End) -> ElementRule { ElementRule(use: .text, end: end) }
    /// An element of plain text, possibly encoded: Atom's titles.
    static func label(_ end: @escaping End) -> ElementRule { ElementRule(use: .label, end: end) }
    /// An element of plain text that also has attributes.
    static func text(_ begin: @escaping Begin, _ end: @escaping End) -> ElementRule {
        ElementRule(use: .text, begin: begin, end: end)
    }
    /// An element of text that may contain HTML, escaped or not.
    static func markup(_ end: @escaping End) -> ElementRule { ElementRule(use: .markup, end: end) }
    /// An element of text that may contain HTML and also has attributes.
    static func markup(_ begin: @escaping Begin, _ end: @escaping End) -> ElementRule {
        ElementRule(use: .markup, begin: begin, end: end)
    }
    /// An element whose children are read.
    static func enter(_ scope: Scope, _ begin: Begin? = nil, end: End? = nil) -> ElementRule {
        ElementRule(use: .enter(scope), begin: begin, end: end)
    }
}

/// Handler of one XML namespace: the meaning of its elements.
protocol FeedNamespace: SendableMetatype {
    /// Its names, as `NamespaceTable.canonical` writes them.
    static var names: [String] { get }
    /// The usual prefix, which is recognized without a declaration; nil if only the name identifies it.
    static var prefix: String? { get }
    /// The rule for an element, by its local name in lower case; nil if it is ignored.
    static func rule(for element: String, in scope: Scope) -> ElementRule?
}
