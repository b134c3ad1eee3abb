public import FeedDocuments
public import JSON
public import PodcastModel

/// What `inspect --json` prints: documents as values of the neutral schema that feed readers are compared by.
public enum InspectionJSON {
    /// The members of a document that is not a feed.
    public static func members(of error: FeedParsingError) -> [JSONValue.Member] {
        [.init("outcome", "not-a-feed"), .init("reason", .string(error.description))]
    }

    /// All members of a feed but its items: outcome, format, diagnostics, channel.
    public static func members(of document: FeedDocument, _ notes: InspectedNotes) -> [JSONValue.Member] {
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
    public static func channel(_ channel: Channel, _ notes: InspectedNotes) -> JSONValue {
        object([
            ("title", JSONValue(notes.title(channel.title))), ("link", JSONValue(channel.link)),
            ("description", JSONValue(notes.notes(channel.summary))), ("language", JSONValue(channel.language)),
            ("author", JSONValue(channel.author)), ("image", JSONValue(channel.image)),
            ("explicit", JSONValue(channel.explicit)), ("type", JSONValue(channel.type)),
            ("guid", JSONValue(channel.guid)), ("newFeedURL", JSONValue(channel.newFeedURL)),
            ("nextPage", JSONValue(channel.nextPage)), ("previousArchive", JSONValue(channel.previousArchive)),
            ("archive", channel.isArchive ? true : .null), ("everything", channel.holdsEverything ? true : .null),
            ("locked", JSONValue(channel.locked)),
            ("complete", JSONValue(channel.complete)), ("medium", JSONValue(channel.medium)),
            (
                "owner",
                object([("name", JSONValue(channel.ownerName)), ("email", JSONValue(channel.ownerEmail))])
            ),
            ("categories", .array(channel.categories.map(JSONValue.string))),
            (
                "funding",
                .array(channel.funding.map { object([("url", .string($0.url)), ("text", JSONValue($0.text))]) })
            ),
            ("persons", .array(channel.persons.map(person))), ("locations", .array(channel.locations.map(location))),
            ("liveItems", .array(channel.liveItems.map { live($0, notes) })),
        ])
    }

    /// The value of an item.
    public static func item(_ item: Item, _ notes: InspectedNotes) -> JSONValue {
        let (summary, content) = notes.notes(of: item)
        return object([
            ("guid", JSONValue(item.guid)), ("title", JSONValue(notes.title(item.title))),
            ("link", JSONValue(item.link)),
            ("published", JSONValue(item.published?.description)), ("duration", JSONValue(item.duration?.seconds)),
            ("summary", JSONValue(summary)), ("content", JSONValue(content)),
            ("author", JSONValue(item.author)), ("image", JSONValue(item.image)), ("season", JSONValue(item.season)),
            ("seasonName", JSONValue(item.seasonName)), ("episode", JSONValue(item.episode)),
            ("episodeName", JSONValue(item.episodeName)), ("episodeType", JSONValue(item.episodeType)),
            ("explicit", JSONValue(item.explicit)), ("enclosures", .array(item.enclosures.map(enclosure))),
            ("chapters", .array(item.chapters.map { chapter($0, notes) })),
            ("chaptersURL", JSONValue(item.chaptersURL)),
            ("transcripts", .array(item.transcripts.map(transcript))), ("persons", .array(item.persons.map(person))),
            ("soundbites", .array(item.soundbites.map(soundbite))),
            ("locations", .array(item.locations.map(location))),
        ])
    }

    /// The value of a subscription list.
    public static func value(of document: OPMLDocument) -> JSONValue {
        object([
            ("outcome", .string(document.isMalformed ? "malformed-recoverable" : "opml")),
            ("title", JSONValue(document.title)), ("diagnostics", .array(document.diagnostics.map(diagnostic))),
            ("subscriptions", .array(document.subscriptions.map(subscription))),
        ])
    }

    /// The value of a document that is not a subscription list.
    public static func value(of error: OPMLError) -> JSONValue {
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

    private static func enclosure(_ enclosure: Enclosure) -> JSONValue {
        object([
            ("url", .string(enclosure.url)), ("type", JSONValue(enclosure.type)),
            ("length", enclosure.length.map(JSONValue.integer) ?? .null),
        ])
    }

    static func chapter(_ chapter: Chapter, _ notes: InspectedNotes) -> JSONValue {
        object([
            ("start", JSONValue(chapter.start.seconds)), ("end", JSONValue(chapter.end?.seconds)),
            ("title", JSONValue(notes.title(chapter.title))), ("link", JSONValue(chapter.link)),
            ("image", JSONValue(chapter.image)),
            ("toc", chapter.isListed ? .null : false),
        ])
    }

    private static func transcript(_ reference: TranscriptReference) -> JSONValue {
        object([
            ("url", .string(reference.url)), ("type", JSONValue(reference.type)),
            ("language", JSONValue(reference.language)), ("rel", JSONValue(reference.rel)),
        ])
    }

    static func person(_ person: Person) -> JSONValue {
        object([
            ("name", .string(person.name)), ("role", JSONValue(person.role)), ("href", JSONValue(person.href)),
            ("img", JSONValue(person.image)),
        ])
    }

    private static func subscription(_ subscription: Subscription) -> JSONValue {
        object([
            ("url", .string(subscription.url)), ("title", JSONValue(subscription.title)),
            ("htmlURL", JSONValue(subscription.htmlURL)),
            ("path", .array(subscription.path.map(JSONValue.string))),
        ])
    }
}
