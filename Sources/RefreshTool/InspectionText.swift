internal import FeedDocuments
internal import PodcastModel

/// What a document says, in a few lines for people.
enum InspectionText {
    private static let shownDiagnostics = 20

    /// The summary of a feed's items; reads them one by one without storing them.
    final class Items {
        private static let shown = 10
        private var count = 0
        private var withMedia = 0
        private var shownLines: [String] = []

        private let notes: InspectedNotes
        private var notesBytes = 0

        init(_ notes: InspectedNotes) { self.notes = notes }

        init(_ items: [Item], _ notes: InspectedNotes) {
            self.notes = notes
            items.forEach(add)
        }

        func add(_ item: Item) {
            count += 1
            if !item.enclosures.isEmpty { withMedia += 1 }
            let (summary, content) = notes.notes(of: item)
            notesBytes += (summary?.utf8.count ?? 0) + (content?.utf8.count ?? 0)
            if shownLines.count < Self.shown { show(item) }
        }

        private func show(_ item: Item) {
            let date = item.published.map { String($0.description.prefix(10)) } ?? "no date   "
            shownLines.append(
                "  \(date)  \(item.duration?.description ?? "-")  \(notes.title(item.title) ?? "(no title)")")
        }

        fileprivate var isEmpty: Bool { count == 0 }
        fileprivate var totals: String { "\(count), \(withMedia) with a media file" }
        fileprivate var notesTotal: String? {
            notesBytes == 0 ? nil : "\((notesBytes + 1023) / 1024) KiB" + (notes == .text ? " as text" : "")
        }
        fileprivate var lines: [String] {
            count > shownLines.count ? shownLines + ["  … and \(count - shownLines.count) more"] : shownLines
        }
    }

    /// The lines of a feed whose items were taken apart from it.
    static func lines(of document: FeedDocument, _ items: Items) -> [String] {
        let channel = document.contents.channel
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
        fact("items", items.totals)
        fact("notes", items.notesTotal)
        if !items.isEmpty, !document.isPodcast { fact("remark", "not a podcast: no item has audio or video") }
        if document.isTruncated { fact("remark", "truncated") }
        return lines + items.lines + self.lines(of: document.diagnostics, count: document.diagnosticCount)
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
        var lines = [counted(count, "repair")]
        for diagnostic in diagnostics.prefix(shownDiagnostics) {
            lines.append("  \(diagnostic.line):\(diagnostic.column): \(diagnostic.message)")
        }
        let shown = min(diagnostics.count, shownDiagnostics)
        if count > shown { lines.append("  … and \(count - shown) more") }
        return lines
    }
}
