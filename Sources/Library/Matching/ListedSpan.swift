internal import PodcastModel

/// The dates for which a document is complete: the feed has dropped an episode of such a date that the document lacks.
///
/// The newest of several pages speaks for what lies between its items and, where it begins with its latest, for all that
/// is newer; a later page for what lies between the page before and its own end. An episode without a date, or at an edge,
/// may stand on another page and is not flagged.
enum ListedSpan {
    case all
    case none
    /// Both ends are outside; nil is open.
    case between(Int64?, Int64?)

    init(_ extent: DocumentExtent, of items: [MergeItem]) {
        let published = items.compactMap(\.keys.published)
        switch extent {
        case .whole: self = .all
        case .fragment: self = .none
        case .newest, .older:
            guard let oldest = published.min(), let latest = published.max() else {
                self = .none
                return
            }
            guard case .older(let page) = extent else {
                self = .between(oldest, published.first == latest ? nil : latest)
                return
            }
            let isInOrder = page.bound.map { latest <= $0.milliseconds } ?? false
            self = .between(page.isLast ? nil : oldest, isInOrder ? page.bound?.milliseconds : latest)
        }
    }

    /// True if an episode with this date that the document lacks was dropped.
    func covers(_ published: Int64?) -> Bool {
        switch self {
        case .all: return true
        case .none: return false
        case .between(let low, let high):
            guard let published else { return false }
            return low.map { published > $0 } ?? true && high.map { published < $0 } ?? true
        }
    }
}
