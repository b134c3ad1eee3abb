internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import PodcastModel

/// What `inspect` prints of a document: lines for people, or JSON in the neutral schema that feed readers are compared by.
struct Inspection {
    let lines: [String]
    private let makeJSON: () -> JSONValue
    var json: JSONValue { makeJSON() }

    init(_ document: OPMLDocument) {
        lines =
            [document.title ?? "(no title)", "  feeds       \(document.subscriptions.count)"]
            + document.subscriptions.map { subscription in
                let group = subscription.path.isEmpty ? "" : subscription.path.joinedText(" / ") + ": "
                return "  \(group)\(subscription.title ?? "(no title)")  \(subscription.url)"
            } + Self.lines(of: document.diagnostics)
        makeJSON = {
            JSONValue(omittingNulls: [
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
    }

    init(_ document: ChapterDocument) {
        lines =
            [counted(document.chapters.count, "chapter")]
            + document.chapters.map {
                "  \($0.start)  \($0.title ?? "(no title)")\($0.isListed ? "" : "  (not listed)")"
            } + Self.lines(of: document.diagnostics)
        makeJSON = {
            JSONValue(members: [
                "outcome": "chapters", "diagnostics": Self.json(document.diagnostics),
                "chapters": document.chapters.map(\.json),
            ])
        }
    }

    init(_ document: TranscriptDocument) {
        lines =
            ["\(document.form.rawValue), \(counted(document.cues.count, "cue"))"]
            + document.cues.map { cue in
                "  \(cue.start.map { "\($0)  " } ?? "")\(cue.speaker.map { "\($0): " } ?? "")\(cue.text)"
            } + Self.lines(of: document.diagnostics)
        makeJSON = {
            JSONValue(members: [
                "outcome": "transcript", "form": document.form.rawValue, "diagnostics": Self.json(document.diagnostics),
                "cues": document.cues.map { cue in
                    JSONValue(omittingNulls: [
                        "start": cue.start?.seconds, "end": cue.end?.seconds, "speaker": cue.speaker, "text": cue.text,
                    ])
                },
            ])
        }
    }

    static func json(_ error: DocumentError, _ kind: DocumentKind) -> JSONValue {
        let outcome =
            switch kind {
            case .feed: "not-a-feed"
            case .opml: "not-opml"
            case .chapters: "not-chapters"
            case .transcript: "not-a-transcript"
            }
        return JSONValue(members: ["outcome": outcome, "reason": error.description])
    }

    // MARK: Feeds

    init(_ document: FeedDocument, _ notes: InspectedNotes) {
        lines = Self.lines(of: document, notes)
        makeJSON = {
            JSONValue(members: [
                "outcome": document.isMalformed ? "malformed-recoverable" : "feed", "format": document.format,
                "podcast": document.isPodcast, "truncated": document.isTruncated,
                "diagnosticCount": document.diagnosticCount, "diagnostics": Self.json(document.diagnostics),
                "feed": Self.channel(document.contents.channel, notes),
                "items": document.contents.items.map { Self.item($0, notes) },
            ])
        }
    }

    private static let shownItems = 10

    static func lines(of document: FeedDocument, _ notes: InspectedNotes = .text) -> [String] {
        let channel = document.contents.channel
        let items = document.contents.items
        let withMedia = items.count { !$0.enclosures.isEmpty }
        let notesBytes = items.reduce(0) { sum, item in
            let (summary, content) = notes.notes(of: item)
            return sum + (summary?.utf8.count ?? 0) + (content?.utf8.count ?? 0)
        }
        let facts = [
            Fact("format", document.format), Fact("author", channel.author), Fact("link", channel.link),
            Fact("language", channel.language), Fact("moved to", channel.newFeedURL),
            Fact("next page", channel.nextPage),
            Fact("items", "\(items.count), \(withMedia) with a media file"),
            Fact(
                "notes",
                notesBytes == 0 ? nil : "\((notesBytes + 1023) / 1024) KiB" + (notes == .text ? " as text" : "")
            ),
            Fact("remark", items.isEmpty || document.isPodcast ? nil : "not a podcast: no item has audio or video"),
            Fact("remark", document.isTruncated ? "truncated" : nil),
        ]
        var lines = [channel.title ?? "(no title)"] + Fact.lines(facts, width: 12)
        lines += items.prefix(shownItems).map { item in
            let date = item.published.map(ShownTime.day) ?? "no date   "
            return "  \(date)  \(item.duration?.description ?? "-")  \(notes.title(item.title) ?? "(no title)")"
        }
        if items.count > shownItems { lines.append("  … and \(items.count - shownItems) more") }
        return lines + Self.lines(of: document.diagnostics, count: document.diagnosticCount)
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

    private static func item(_ item: Item, _ notes: InspectedNotes) -> JSONValue {
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
