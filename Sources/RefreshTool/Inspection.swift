internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import PodcastModel

/// What `inspect` prints of a document: lines for people, or JSON in the neutral schema that feed readers are compared by.
struct Inspection {
    let lines: [String]
    let json: JSONValue

    init(_ document: OPMLDocument) {
        lines =
            [document.title ?? "(no title)", "  feeds       \(document.subscriptions.count)"]
            + document.subscriptions.map { subscription in
                let group = subscription.path.isEmpty ? "" : subscription.path.joinedText(" / ") + ": "
                return "  \(group)\(subscription.title ?? "(no title)")  \(subscription.url)"
            } + Self.lines(of: document.diagnostics)
        json = JSONValue(omittingNulls: [
            "outcome": document.isMalformed ? "malformed-recoverable" : "opml",
            "title": document.title, "diagnostics": Self.json(document.diagnostics),
            "subscriptions": document.subscriptions.map { subscription in
                JSONValue(omittingNulls: [
                    "url": subscription.url, "title": subscription.title, "htmlURL": subscription.htmlURL,
                    "path": subscription.path,
                ])
            },
        ])
    }

    init(_ document: ChapterDocument) {
        lines =
            [counted(document.chapters.count, "chapter")]
            + document.chapters.map {
                "  \($0.start)  \($0.title ?? "(no title)")\($0.isListed ? "" : "  (not listed)")"
            } + Self.lines(of: document.diagnostics)
        json = JSONValue(members: [
            "outcome": "chapters", "diagnostics": Self.json(document.diagnostics),
            "chapters": document.chapters.map(\.json),
        ])
    }

    init(_ document: TranscriptDocument) {
        lines =
            ["\(document.form.rawValue), \(counted(document.cues.count, "cue"))"]
            + document.cues.map { cue in
                "  \(cue.start.map { "\($0)  " } ?? "")\(cue.speaker.map { "\($0): " } ?? "")\(cue.text)"
            } + Self.lines(of: document.diagnostics)
        json = JSONValue(members: [
            "outcome": "transcript", "form": document.form.rawValue, "diagnostics": Self.json(document.diagnostics),
            "cues": document.cues.map { cue in
                JSONValue(omittingNulls: [
                    "start": cue.start?.seconds, "end": cue.end?.seconds, "speaker": cue.speaker, "text": cue.text,
                ])
            },
        ])
    }

    static func members(of error: DocumentError, _ kind: DocumentKind) -> [JSONValue.Member] {
        let outcome =
            switch kind {
            case .feed: "not-a-feed"
            case .opml: "not-opml"
            case .chapters: "not-chapters"
            case .transcript: "not-a-transcript"
            }
        return [.init("outcome", outcome), .init("reason", error.description)]
    }

    // MARK: Feeds

    /// All members of a feed but its items.
    static func members(of document: FeedDocument, _ notes: InspectedNotes) -> [JSONValue.Member] {
        [
            .init("outcome", document.isMalformed ? "malformed-recoverable" : "feed"),
            .init("format", document.format),
            .init("podcast", document.isPodcast), .init("truncated", document.isTruncated),
            .init("diagnosticCount", document.diagnosticCount),
            .init("diagnostics", json(document.diagnostics)), .init("feed", channel(document.contents.channel, notes)),
        ]
    }

    private static func channel(_ channel: Channel, _ notes: InspectedNotes) -> JSONValue {
        var written = channel
        written.title = notes.title(channel.title)
        written.summary = notes.notes(channel.summary)
        written.details.liveItems = []
        let owner = JSONValue(omittingNulls: [
            "name": channel.ownerName, "email": channel.ownerEmail,
        ])
        return written.inspected(adding: [
            .init("owner", owner), .init("categories", channel.categories),
            .init("liveItems", channel.details.liveItems.map { live($0, notes) }),
        ])
    }

    static func item(_ item: Item, _ notes: InspectedNotes) -> JSONValue {
        var written = item
        written.title = notes.title(item.title)
        (written.summary, written.content) = notes.notes(of: item)
        for index in written.chapters.indices {
            written.chapters[index].title = notes.title(item.chapters[index].title)
        }
        return written.inspected()
    }

    private static func live(_ live: LiveItem, _ notes: InspectedNotes) -> JSONValue {
        JSONValue(omittingNulls: [
            "status": live.status, "start": live.start?.description,
            "end": live.end?.description, "item": item(live.item, notes),
        ])
    }

    // MARK: Parts

    static func json(_ diagnostics: [Diagnostic]) -> JSONValue {
        .array(
            diagnostics.map { JSONValue(members: ["line": $0.line, "column": $0.column, "message": $0.message]) })
    }

    private static let shownDiagnostics = 20

    /// - Parameter count: of all diagnostics, of which some may be missing (default: those given).
    static func lines(of diagnostics: [Diagnostic], count: Int? = nil) -> [String] {
        let count = count ?? diagnostics.count
        if count == 0 { return [] }
        let shown = diagnostics.prefix(shownDiagnostics)
        let lines = [counted(count, "repair")] + shown.map { "  \($0.line):\($0.column): \($0.message)" }
        return count > shown.count ? lines + ["  … and \(count - shown.count) more"] : lines
    }
}

/// The summary of a feed; reads its items one by one without storing them.
final class FeedSummary {
    private static let shown = 10
    private var count = 0
    private var withMedia = 0
    private var items: [String] = []
    private let notes: InspectedNotes
    private var notesBytes = 0

    init(_ notes: InspectedNotes = .text) { self.notes = notes }

    func add(_ item: Item) {
        count += 1
        if !item.enclosures.isEmpty { withMedia += 1 }
        let (summary, content) = notes.notes(of: item)
        notesBytes += (summary?.utf8.count ?? 0) + (content?.utf8.count ?? 0)
        if items.count == Self.shown { return }
        let date = item.published.map(ShownTime.day) ?? "no date   "
        items.append("  \(date)  \(item.duration?.description ?? "-")  \(notes.title(item.title) ?? "(no title)")")
    }

    func lines(of document: FeedDocument) -> [String] {
        let channel = document.contents.channel
        let facts = [
            Fact("format", document.format), Fact("author", channel.author), Fact("link", channel.link),
            Fact("language", channel.language), Fact("moved to", channel.newFeedURL),
            Fact("next page", channel.nextPage),
            Fact("items", "\(count), \(withMedia) with a media file"),
            Fact(
                "notes",
                notesBytes == 0 ? nil : "\((notesBytes + 1023) / 1024) KiB" + (notes == .text ? " as text" : "")
            ),
            Fact("remark", count > 0 && !document.isPodcast ? "not a podcast: no item has audio or video" : nil),
            Fact("remark", document.isTruncated ? "truncated" : nil),
        ]
        var lines = [channel.title ?? "(no title)"] + Fact.lines(facts, width: 12)
        lines += items
        if count > items.count { lines.append("  … and \(count - items.count) more") }
        return lines + Inspection.lines(of: document.diagnostics, count: document.diagnosticCount)
    }
}

extension PublishedObject {
    /// The object as `inspect` prints it: the neutral schema calls a person's picture `img`. The caller adds live items whole.
    fileprivate func inspected(adding more: [JSONValue.Member] = []) -> JSONValue {
        guard case .object(let members) = json(keepsEmptyLists: true) else { return .null }
        let written = members.filter { $0.name != "live" }.map { member -> JSONValue.Member in
            guard member.name == "persons", case .array(let persons) = member.value else { return member }
            return .init("persons", .array(persons.map { $0.renaming("image", "img") }))
        }
        return .object(written + more)
    }
}

extension JSONValue {
    fileprivate func renaming(_ name: String, _ other: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { .init($0.name == name ? other : $0.name, $0.value) })
    }
}
