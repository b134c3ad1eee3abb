internal import XMLEvents

/// Attributes of an Atom link except its URL: RFC 4287 section 4.2.7.
struct LinkDraft {
    /// Type of the link's target, in lower case.
    private(set) var relation = "alternate"
    /// True if the relation is written in lower case, as in IANA's registry.
    private var isExact = true
    private(set) var type: String?
    /// In bytes.
    private(set) var length: Int64?

    init(_ attributes: XMLAttributes) {
        type = attributes.text("type")?.string
        length = attributes.text("length").flatMap(RSSNamespace.announcedLength)
        guard let written = attributes.text("rel"), let word = written.word else {
            return
        }
        // A registered relation may be written as the URI of its entry in IANA's registry.
        relation = word.split(separator: "/").last.map(String.init) ?? word
        isExact = written.bytes.elementsEqual(word.utf8)
    }

    /// Among several alternate links, a link with the type of a web page is preferred.
    var rank: UInt8 { isPage && isExact ? Rank.primary : Rank.secondary }

    private var isPage: Bool {
        guard let type = type?.lowercased() else { return true }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
}
