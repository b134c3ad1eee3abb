internal import FeedDocuments
internal import JSON
internal import PodcastModel
internal import PublisherDetails

/// What `inspect --json` prints: documents as values of the neutral schema that feed readers are compared by.
enum InspectionJSON {
    /// The members of a document that is not a feed.
    static func members(of error: FeedParsingError) -> [JSONValue.Member] {
        [.init("outcome", "not-a-feed"), .init("reason", .string(error.description))]
    }

    /// All members of a feed but its items: outcome, format, diagnostics, channel.
    static func members(of document: FeedDocument, _ notes: InspectedNotes) -> [JSONValue.Member] {
        let outcome =
            switch document.outcome {
            case .feed: "feed"
            case .malformedRecoverable: "malformed-recoverable"
            }
        return [
            .init("outcome", .string(outcome)), .init("format", .string(document.format)),
            .init("podcast", .bool(document.isPodcast)), .init("truncated", .bool(document.isTruncated)),
            .init("diagnosticCount", JSONValue(document.diagnosticCount)),
            .init("diagnostics", .array(document.diagnostics.map(diagnostic))),
            .init("feed", channel(document.contents.channel, notes)),
        ]
    }

    /// The value of a channel.
    static func channel(_ channel: Channel, _ notes: InspectedNotes) -> JSONValue {
        var written = channel
        (written.title, written.summary) = (notes.title(channel.title), notes.notes(channel.summary))
        written.details.liveItems = []
        return written.inspected(adding: [
            (
                "owner",
                object([("name", JSONValue(channel.ownerName)), ("email", JSONValue(channel.ownerEmail))])
            ),
            ("categories", .array(channel.categories.map(JSONValue.string))),
            ("liveItems", .array(channel.details.liveItems.map { live($0, notes) })),
        ])
    }

    /// The value of an item.
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
        object([
            ("status", JSONValue(live.status)), ("start", JSONValue(live.start?.description)),
            ("end", JSONValue(live.end?.description)), ("item", item(live.item, notes)),
        ])
    }

    /// The value of a subscription list.
    static func value(of document: OPMLDocument) -> JSONValue {
        object([
            ("outcome", .string(document.isMalformed ? "malformed-recoverable" : "opml")),
            ("title", JSONValue(document.title)), ("diagnostics", .array(document.diagnostics.map(diagnostic))),
            ("subscriptions", .array(document.subscriptions.map(subscription))),
        ])
    }

    /// The value of a document that is not a subscription list.
    static func value(of error: OPMLError) -> JSONValue {
        ["outcome": "not-opml", "reason": .string(error.description)]
    }

    /// An object without the members that say nothing, but for lists, which clients iterate.
    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.filter { $0.1 != .null }.map { JSONValue.Member($0.0, $0.1) })
    }

    static func diagnostic(_ diagnostic: Diagnostic) -> JSONValue {
        [
            "line": JSONValue(diagnostic.line), "column": JSONValue(diagnostic.column),
            "message": .string(diagnostic.message),
        ]
    }

    private static func subscription(_ subscription: Subscription) -> JSONValue {
        object([
            ("url", .string(subscription.url)), ("title", JSONValue(subscription.title)),
            ("htmlURL", JSONValue(subscription.htmlURL)),
            ("path", .array(subscription.path.map(JSONValue.string))),
        ])
    }
}

extension PublishedObject {
    /// The object as `inspect` prints it: the neutral schema calls a person's picture `img`. The caller adds live items whole.
    func inspected(adding more: [(String, JSONValue)] = []) -> JSONValue {
        guard case .object(let members) = json(keepsEmptyLists: true) else { return .null }
        let written = members.filter { $0.name != "live" }.map { member -> JSONValue.Member in
            guard member.name == "persons", case .array(let persons) = member.value else { return member }
            return .init("persons", .array(persons.map { $0.renaming("image", "img") }))
        }
        return .object(written + more.map { .init($0, $1) })
    }
}

extension JSONValue {
    fileprivate func renaming(_ name: String, _ other: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { .init($0.name == name ? other : $0.name, $0.value) })
    }
}
