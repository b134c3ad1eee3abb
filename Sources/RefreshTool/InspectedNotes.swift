internal import FeedDocuments
internal import PodcastModel

/// What `inspect` makes of titles and notes.
enum InspectedNotes: String, CaseIterable, Sendable {
    case text
    /// HTML that is safe to show; titles are plain text.
    case html
    /// As the feed has them.
    case raw

    func title(_ written: String?) -> String? {
        switch self {
        case .text, .html: written.flatMap(LineText.line)
        case .raw: written
        }
    }

    func notes(of item: Item) -> (summary: String?, content: String?) {
        if self == .raw { return (item.summary, item.content) }
        let content = notes(item.content)
        return (item.hasOneText ? content : notes(item.summary), content)
    }

    func notes(_ written: String?) -> String? {
        switch self {
        case .text: written.map { MarkedText(notes: $0).words }
        case .html: written.map { MarkedText(notes: $0).html }
        case .raw: written
        }
    }
}
