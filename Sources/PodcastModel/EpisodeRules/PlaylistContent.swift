/// The episodes of a playlist, as users write them: a filter, several filters in turns, or entries that the user adds.
///
///     is:unplayed longer:30m
///     order:newest feed:f1 order:oldest feed:f2 is:unplayed
///     by:hand
public enum PlaylistContent: Hashable, Sendable, CustomStringConvertible {
    public struct Filter: Hashable, Sendable {
        public var expression: EpisodeExpression
        public var order: EpisodeOrder

        public init(_ expression: EpisodeExpression, _ order: EpisodeOrder = .newestFirst) {
            self.expression = expression
            self.order = order
        }
    }

    /// One filter, or several of which one episode each comes in turn.
    case filters([Filter])
    case entries(keepsHeard: Bool)

    /// Entries that stay after they were heard.
    public static let byHand = PlaylistContent.entries(keepsHeard: true)

    public init(parsing text: String) throws(ExpressionError) {
        for content in [Self.byHand, .entries(keepsHeard: false)]
        where text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == content.description {
            self = content
            return
        }
        var reader = try ExpressionReader(text)
        self = .filters(try reader.filters())
    }

    /// Text that parses to the same content.
    public var description: String {
        switch self {
        // The trigger `list_heard` of the library compares the second text.
        case .entries(let keepsHeard): keepsHeard ? "by:hand" : "by:hand heard:leave"
        case .filters(let filters):
            filters.map { filter in
                let order = filters.count > 1 || filter.order != .newestFirst ? "order:\(filter.order.rawValue)" : nil
                return [order, filter.expression.description.nonEmpty].compactMap(\.self).joinedText(" ")
            }.joinedText(" ")
        }
    }

    public var isByHand: Bool { if case .entries = self { true } else { false } }

    public var filters: [Filter] { if case .filters(let filters) = self { filters } else { [] } }

    /// The content with each filter changed, as for names of feeds.
    public func map<Failure: Error>(
        _ change: (EpisodeExpression) throws(Failure) -> EpisodeExpression
    ) throws(Failure) -> PlaylistContent {
        guard case .filters(let filters) = self else { return self }
        return .filters(
            try filters.map { (filter) throws(Failure) in Filter(try change(filter.expression), filter.order) })
    }
}

extension ExpressionReader {
    /// Parses a filter, which may have one `order:`, or several filters, each of which begins with one.
    mutating func filters() throws(ExpressionError) -> [PlaylistContent.Filter] {
        var found: [(order: EpisodeOrder?, expression: EpisodeExpression)] = []
        var begun: EpisodeOrder?
        endsAtOrder = true
        repeat {
            order = nil
            found.append((begun, try expression(until: nil)))
            begun = try order?.order()
        } while begun != nil
        if found.count == 2, found.contains(where: { $0.expression == EpisodeExpression() }) {
            found = [(found[1].order, found[0].expression.and(found[1].expression))]
        }
        if found.count > 1, found[0].expression == EpisodeExpression() { found.removeFirst() }
        return found.map { .init($0.expression, $0.order ?? .newestFirst) }
    }
}
