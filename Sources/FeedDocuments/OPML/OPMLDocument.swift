public import PodcastModel

/// A list of subscriptions.
public struct OPMLDocument: Equatable, Sendable {
    /// The list's own title.
    public var title: String?
    /// The feeds in document order.
    public var subscriptions: [Subscription]
    /// What was repaired or skipped; the first messages.
    public var diagnostics: [Diagnostic]
    /// It was not well-formed or incomplete, and was read as far as possible.
    public var isMalformed: Bool

    /// A list of feeds.
    public init(
        title: String? = nil, subscriptions: [Subscription] = [], diagnostics: [Diagnostic] = [],
        isMalformed: Bool = false
    ) {
        self.title = title
        self.subscriptions = subscriptions
        self.diagnostics = diagnostics
        self.isMalformed = isMalformed
    }
}

/// One feed of a list.
public struct Subscription: Equatable, Sendable {
    /// Where the feed is.
    public var url: String
    /// Its title in the list.
    public var title: String?
    public var htmlURL: String?
    /// The groups around it, outermost first.
    public var path: [String]
    /// Its categories as written: levels separated by slashes.
    public var categories: [String]

    /// A feed within groups.
    public init(
        url: String, title: String? = nil, htmlURL: String? = nil, path: [String] = [], categories: [String] = []
    ) {
        self.url = url
        self.title = title
        self.htmlURL = htmlURL
        self.path = path
        self.categories = categories
    }
}

extension Subscription {
    /// The groups around the feed as one tag, and its categories as further tags. Levels of a tag are separated by slashes,
    /// so a slash in a group's name becomes a division slash (U+2215), which looks the same.
    public var tags: [String] {
        let group = path.map {
            $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\u{2215}")
        }
        var tags = group.isEmpty ? [] : [group.joined(separator: "/")]
        for category in categories where !tags.contains(category) { tags.append(category) }
        return tags
    }

    /// Puts the feed into the groups of its first tag; if there are more tags, all of them become categories.
    public mutating func setTags(_ tags: [String]) {
        path = tags.first?.split(separator: "/").map(String.init) ?? []
        categories = tags.count > 1 ? tags : []
    }
}

/// Why a document could not be read as a list.
public enum OPMLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is something else; `reason` follows "the document is".
    case notOPML(reason: String)
    /// It is too long.
    case tooLarge(limit: Int)
    /// The parser could not start, because memory is exhausted.
    case unavailable(message: String)

    public var description: String {
        switch self {
        case .notOPML(let reason): "not an OPML file: the document is \(reason)"
        case .tooLarge(let limit): "the list is larger than \(limit >> 20) MiB"
        case .unavailable(let message): message
        }
    }
}
