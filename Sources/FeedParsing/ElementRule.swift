internal import PodcastModel
internal import XMLEvents

/// Where in a document an element stands, by what surrounds it.
enum Scope: UInt8 {
    /// Around the root.
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
    /// In an alternate enclosure.
    case alternate
    /// In something whose children say nothing: unknown elements, text inputs, an entry's source.
    case ignored
}

/// What a handler wants done with an element.
struct ElementRule {
    typealias Begin = (inout FeedDraft, XMLAttributes) -> Void
    typealias End = (inout FeedDraft, ElementText) -> Void

    enum Use {
        /// Its attributes were all.
        case nothing
        /// Its children are looked at in that scope.
        case enter(Scope)
        /// Its text, without tags, goes to `end`.
        case text
        /// As before, but the attributes may say that the text is coded.
        case label
        /// Its text with the tags in it, as HTML, goes to `end`.
        case markup
    }

    let use: Use
    var begin: Begin?
    var end: End?

    /// An element that says everything in its attributes.
    static func attributes(_ begin: @escaping Begin) -> ElementRule { ElementRule(use: .nothing, begin: begin) }
    /// An element of plain text.
    static func text(_ end: @escaping End) -> ElementRule { ElementRule(use: .text, end: end) }
    /// An element of plain text, perhaps coded: Atom's titles.
    static func label(_ end: @escaping End) -> ElementRule { ElementRule(use: .label, end: end) }
    /// An element of plain text that also has attributes.
    static func text(_ begin: @escaping Begin, _ end: @escaping End) -> ElementRule {
        ElementRule(use: .text, begin: begin, end: end)
    }
    /// An element of text that may hold HTML, escaped or not.
    static func markup(_ end: @escaping End) -> ElementRule { ElementRule(use: .markup, end: end) }
    /// An element of text that may hold HTML and also has attributes.
    static func markup(_ begin: @escaping Begin, _ end: @escaping End) -> ElementRule {
        ElementRule(use: .markup, begin: begin, end: end)
    }
    /// An element whose children are looked at.
    static func enter(_ scope: Scope, _ begin: Begin? = nil, end: End? = nil) -> ElementRule {
        ElementRule(use: .enter(scope), begin: begin, end: end)
    }
}

/// The handler of one XML namespace: says what its elements mean.
protocol FeedNamespace: SendableMetatype {
    /// Its names, as `NamespaceTable.canonical` writes them.
    static var names: [String] { get }
    /// The prefix by which it is known where nobody declared it; nil when only the name counts.
    static var prefix: String? { get }
    /// What an element means, by its local name in lower case; nil when it means nothing.
    static func rule(for element: String, in scope: Scope) -> ElementRule?
}
