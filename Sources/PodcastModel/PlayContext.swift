/// The source of the next episode instead of the queue.
public struct PlayContext: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        case feed(FeedID)
        /// A playlist or filter, as a name: `playlist:NAME` or `filter:CONDITIONS`.
        case view(String)
    }

    public enum Order: String, Sendable, CaseIterable {
        case oldestFirst = "oldest-first"
        case newestFirst = "newest-first"
    }

    public var source: Source
    public var order: Order

    public init(_ source: Source, _ order: Order) {
        self.source = source
        self.order = order
    }
}

/// The source of the next episode after the last entry of the queue.
public enum AfterQueue: Equatable, Sendable {
    case stop
    case feed(PlayContext.Order)
    /// Episodes of a playlist, in its order.
    case playlist(String)

    /// Parses `stop`, `oldest-first`, `newest-first` or `playlist:NAME`; nil for any other text.
    public init?(parsing text: String) {
        let prefix = "playlist:"
        if text == "stop" {
            self = .stop
        } else if let order = PlayContext.Order(rawValue: text) {
            self = .feed(order)
        } else if text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count {
            self = .playlist(text)
        } else {
            return nil
        }
    }
}
