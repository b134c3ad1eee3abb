internal import PodcastModel

/// What a feed's publisher called it until now.
struct FeedNames {
    let guid: String?
    /// Nil when the listener has given it another one, so that the publisher's is not known.
    let title: String?
    let link: String?

    /// Whether a document says by its `podcast:guid` that it is another feed's.
    func isOther(byGUIDOf channel: Channel) -> Bool {
        guard let guid, let now = channel.guid else { return false }
        return guid.lowercased() != now.lowercased()
    }

    /// Whether a document that has none of the episodes is another feed's.
    func isOther(_ channel: Channel) -> Bool {
        if let guid, let now = channel.guid { return guid.lowercased() != now.lowercased() }
        if let title, let now = channel.title.flatMap({ SafeText.title($0) }) { return title != now }
        return link != nil && channel.link != nil && link != channel.link
    }
}
