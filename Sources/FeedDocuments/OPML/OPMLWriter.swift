internal import PodcastModel

/// Writes lists for other players: OPML 2.0, feeds as `type="rss"` in nested groups.
public enum OPMLWriter {
    /// UTF-8 text with a line for each feed and group.
    ///
    /// Feeds are grouped; groups are ordered by their first feed. Characters that XML cannot contain are dropped.
    public static func text(of document: OPMLDocument) -> String {
        var output = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n"
        if let title = document.title { output += "    <title>\(escaped(title))</title>\n" }
        output += "  </head>\n  <body>\n"
        let root = Group(name: "")
        for subscription in document.subscriptions { root.add(subscription, below: subscription.path[...]) }
        root.writeMembers(to: &output, indent: "    ")
        return output + "  </body>\n</opml>\n"
    }

    /// A group of the tree under construction.
    private final class Group {
        enum Member {
            case group(Group)
            case feed(Subscription)
        }

        let name: String
        var members: [Member] = []
        var groups: [String: Group] = [:]

        init(name: String) { self.name = name }

        func add(_ subscription: Subscription, below path: ArraySlice<String>) {
            guard let first = path.first else { return members.append(.feed(subscription)) }
            let group = groups[first] ?? Group(name: first)
            if groups.updateValue(group, forKey: first) == nil { members.append(.group(group)) }
            group.add(subscription, below: path.dropFirst())
        }

        func writeMembers(to output: inout String, indent: String) {
            for member in members {
                switch member {
                case .group(let group):
                    output += "\(indent)<outline text=\"\(escaped(group.name))\">\n"
                    group.writeMembers(to: &output, indent: indent + "  ")
                    output += "\(indent)</outline>\n"
                case .feed(let feed):
                    let title = feed.title ?? feed.url
                    output += "\(indent)<outline type=\"rss\" text=\"\(escaped(title))\" title=\"\(escaped(title))\""
                    output += " xmlUrl=\"\(escaped(feed.url))\""
                    if let page = feed.htmlURL { output += " htmlUrl=\"\(escaped(page))\"" }
                    if !feed.categories.isEmpty {
                        let categories = feed.categories.map { "/" + $0 }.joinedText(",")
                        output += " category=\"\(escaped(categories))\""
                    }
                    output += "/>\n"
                }
            }
        }
    }

    /// Text for an element or a quoted attribute; line breaks become spaces, as in XML attributes.
    private static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { ["\n", "\r", "\t"].contains($0) ? " " : $0 }.filter(\.isXMLCharacter)
        return String(String.UnicodeScalarView(scalars)).escapedForMarkup
    }
}
