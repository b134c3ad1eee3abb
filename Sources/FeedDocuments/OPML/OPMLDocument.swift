public import PodcastModel

/// A list of subscriptions.
public struct OPMLDocument: Equatable, Sendable {
    public var title: String?
    public var subscriptions: [Subscription]
    /// The first repairs and omissions.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// True if the document was not well-formed or incomplete, and was read as far as possible.
    public internal(set) var isMalformed = false
    public internal(set) var isTruncated = false
    /// The types of the outlines with an address, if no outline is a feed.
    var otherTypes: [String] = []

    /// Why a list of outlines has no feeds; nil if it has some, and for an empty list.
    public var emptiness: String? {
        otherTypes.isEmpty ? nil : "no feeds: its outlines are of the type \(otherTypes.joinedText(", "))"
    }
}

extension OPMLDocument {
    public init(title: String?, subscriptions: [Subscription]) {
        self.title = title
        self.subscriptions = subscriptions
    }
}

/// A feed of a list.
public struct Subscription: Equatable, Sendable {
    public var url: String
    public var title: String?
    public var htmlURL: String?
    /// The surrounding groups, outermost first.
    public internal(set) var path: [String] = []
    /// Categories as written: levels separated by slashes.
    var categories: [String] = []
}

extension Subscription {
    public init(url: String, title: String?, htmlURL: String?) {
        self.url = url
        self.title = title
        self.htmlURL = htmlURL
    }

    /// The groups as one tag, and the categories as further tags. Levels of a tag are separated by slashes, so a slash
    /// in a group's name becomes a division slash (U+2215), which looks the same.
    public var tags: [String] {
        let group = path.map {
            $0.fields(separatedBy: "/").joined(separator: "\u{2215}")
        }
        var tags = group.isEmpty ? [] : [group.joinedText("/")]
        for category in categories where !tags.contains(category) { tags.append(category) }
        return tags
    }

    /// Makes the first tag the feed's groups; if there are more tags, all of them become categories.
    public mutating func setTags(_ tags: [String]) {
        path = tags.first?.split(separator: "/").map(String.init) ?? []
        categories = tags.count > 1 ? tags : []
    }
}
