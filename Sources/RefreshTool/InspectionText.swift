internal import FeedParsing
internal import OPML
internal import PodcastModel

/// What a document says, in a few lines for people.
enum InspectionText {
    private static let shownItems = 10
    private static let shownDiagnostics = 20

    static func lines(of document: FeedDocument) -> [String] {
        let channel = document.contents.channel
        let items = document.contents.items
        var lines = [channel.title ?? "(no title)"]
        func fact(_ name: String, _ value: String?) {
            if let value, !value.isEmpty {
                lines.append("  " + name + String(repeating: " ", count: max(1, 12 - name.utf8.count)) + value)
            }
        }
        fact("format", document.format)
        fact("author", channel.author)
        fact("link", channel.link)
        fact("language", channel.language)
        fact("moved to", channel.newFeedURL)
        fact("next page", channel.nextPage)
        let withMedia = items.count { !$0.enclosures.isEmpty }
        fact("items", "\(items.count), \(withMedia) with a media file")
        if !items.isEmpty, !document.isPodcast { fact("note", "none of its items has audio or video: a plain blog?") }
        if document.isTruncated { fact("note", "it breaks off before its end") }
        for item in items.prefix(shownItems) {
            let date = item.published.map { String($0.description.prefix(10)) } ?? "no date   "
            lines.append("  \(date)  \(item.duration?.description ?? "-")  \(item.title ?? "(no title)")")
        }
        if items.count > shownItems { lines.append("  … and \(items.count - shownItems) more") }
        return lines + self.lines(of: document.diagnostics, count: document.diagnosticCount)
    }

    static func lines(of document: OPMLDocument) -> [String] {
        var lines = [document.title ?? "(no title)", "  feeds       \(document.subscriptions.count)"]
        for subscription in document.subscriptions {
            let group = subscription.path.isEmpty ? "" : subscription.path.joined(separator: " / ") + ": "
            lines.append("  \(group)\(subscription.title ?? "(no title)")  \(subscription.url)")
        }
        return lines + self.lines(of: document.diagnostics, count: document.diagnostics.count)
    }

    static func lines(of diagnostics: [Diagnostic], count: Int) -> [String] {
        if count == 0 { return [] }
        var lines = [count == 1 ? "1 repair" : "\(count) repairs"]
        for diagnostic in diagnostics.prefix(shownDiagnostics) {
            lines.append("  \(diagnostic.line):\(diagnostic.column): \(diagnostic.message)")
        }
        let shown = min(diagnostics.count, shownDiagnostics)
        if count > shown { lines.append("  … and \(count - shown) more") }
        return lines
    }
}
