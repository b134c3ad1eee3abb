public import JSON
public import PodcastModel

/// The documents of gPodder's interface, version 2 (gpoddernet.readthedocs.io), as servers and clients write them.
public enum GPodderText {
    /// The addresses that a document of subscriptions has in a list.
    public static func addresses(_ json: JSONValue, _ list: String) -> [String] {
        json[list]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private static let subscriptionLists = [(name: "add", isSet: true), (name: "remove", isSet: false)]

    /// Reads changes of subscriptions. Of an address that is in both lists the addition wins, as in all changes of one instant.
    public static func subscriptions(_ json: JSONValue, at time: Timestamp, in device: String) -> [LibraryChange] {
        subscriptionLists.flatMap { list in
            addresses(json, list.name).filter(WebAddress.isFetchable).map {
                LibraryChange(.init(.subscription, feed: $0), list.isSet ? .init() : nil, at: time, in: device)
            }
        }
    }

    /// Writes changes of subscriptions.
    public static func subscriptions(_ changes: [LibraryChange]) -> [JSONValue.Member] {
        subscriptionLists.map { list in
            let urls = changes.filter { ($0.value != nil) == list.isSet }.compactMap(\.subject.feed)
            return .init(list.name, .array(urls.map { .string($0) }))
        }
    }

    /// An undo of a podcastd is up to a second ahead of its clock, in milliseconds.
    private static let lead: Int64 = 2_000
    /// Users stop in the credits, so the last seconds of an episode are its end.
    private static let ending = MediaTime(seconds: 30)

    /// Reads an episode action.
    /// - Parameter device: the name of the device, if the action does not have one.
    /// - Returns: nil for an action that changes no playback state, or has no address that can be fetched.
    public static func change(_ json: JSONValue, of device: String, at now: Timestamp) -> LibraryChange? {
        guard let url = json["episode"]?.stringValue, WebAddress.isFetchable(url) else { return nil }
        let value: LibraryChange.Value
        switch json["action"]?.stringValue?.lowercased() {
        case "new": value = LibraryChange.Value(position: .zero)
        case "play":
            guard let position = seconds(json["position"]) else { return nil }
            let total = seconds(json["total"]) ?? .zero
            let isEnd =
                total > .zero
                && (position >= total || total > ending + ending && position >= total - ending)
            value = LibraryChange.Value(position: isEnd ? .zero : position, isPlayed: isEnd)
        default: return nil
        }
        // The total is the client's own, so it does not identify the episode.
        let identity = EpisodeIdentity(guid: json["guid"]?.stringValue.flatMap(\.nonEmpty), url: url)
        // An unreadable time counts as the oldest. Clamp: a clock that is ahead must not override later changes here.
        let given = json["timestamp"].map { Self.time($0) ?? Timestamp(seconds: 0) } ?? now
        let time = given > now.adding(milliseconds: lead) ? now : given
        return LibraryChange(
            .init(.playback, feed: json["podcast"]?.stringValue ?? "", identity), value, at: time,
            in: SafeText.title(json["device"]?.stringValue ?? device, atMostBytes: 200) ?? "unknown")
    }

    /// Nextcloud's clients send -1 for what they do not know.
    private static func seconds(_ json: JSONValue?) -> MediaTime? {
        json?.numberValue.flatMap { (0...31_622_400).contains($0) ? MediaTime(seconds: $0) : nil }
    }

    /// Numbers of at least this size are milliseconds: as seconds they would be in the year 5138.
    private static let leastMilliseconds: Int64 = 100_000_000_000

    /// Reads the forms that clients send, in UTC if they name no zone. Nil for another form.
    ///
    /// These are `2026-11-28T09:00:00` with or without a zone, the same with a space, seconds or milliseconds since 1970 as a number or
    /// text, and Java's `Sat Nov 28 09:00:00 GMT 2026`.
    private static func time(_ json: JSONValue) -> Timestamp? {
        guard let text = json.stringValue else {
            return json.numberValue.flatMap { Int64(exactly: $0.rounded(.down)) }.map(time(sinceEpoch:))
        }
        if let number = Int64(text) { return time(sinceEpoch: number) }
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        case 1: return Timestamp(parsing: text) ?? Timestamp(parsing: text + "Z")
        case 2: return time(.string(words.joined(separator: "T")))
        case 6 where ["GMT", "UTC"].contains(words[4]):
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            guard let index = months.firstIndex(of: words[1]) else { return nil }
            return Timestamp(parsing: "\(words[5])-\(index < 9 ? "0" : "")\(index + 1)-\(words[2])T\(words[3])Z")
        case _: return nil
        }
    }

    private static func time(sinceEpoch number: Int64) -> Timestamp {
        number < leastMilliseconds ? Timestamp(seconds: number) : Timestamp(milliseconds: number)
    }

    /// Writes a change of playback as an episode action.
    /// - Parameters:
    ///   - device: nil for a server, whose lists do not name devices.
    ///   - clockOffset: milliseconds by which the reader's clock is ahead of the one here.
    /// - Returns: nil for another change, or an episode without a feed.
    public static func action(
        _ change: LibraryChange, of device: String? = nil, clockOffset: Int64 = 0
    ) -> JSONValue? {
        guard change.subject.kind == .playback, let feed = change.subject.feed, let episode = change.subject.episode,
            let value = change.value, let place = value.position
        else { return nil }
        let time = change.time.adding(milliseconds: clockOffset)
        var members: [JSONValue.Member] = [
            .init("podcast", feed), .init("episode", episode.url), .init("guid", episode.guid),
            .init("timestamp", String(time.description.prefix(19))),
        ]
        if let device { members.append(.init("device", device)) }
        if !value.isPlayed, place == .zero {
            return .object(members + [.init("action", "new")])
        }
        // Clients ignore an action without a total, and read a position near the total as the end.
        let known = episode.duration ?? .zero
        let isEnd = value.isPlayed && place == .zero
        let total = isEnd || known > place + ending ? known : place + ending + ending
        let position = isEnd ? max(1, Int64(total.seconds)) : Int64(place.seconds)
        return .object(
            members + [
                .init("action", "play"), .init("started", 0), .init("position", position),
                .init("total", max(1, Int64(total.seconds))),
            ])
    }

    /// A list of subscriptions for `feeds.import`.
    public static func opml(_ urls: [String]) -> String {
        let outlines = urls.filter(WebAddress.isFetchable).map {
            "<outline type=\"rss\" xmlUrl=\"\($0.escapedForMarkup)\"/>"
        }
        return "<?xml version=\"1.0\"?><opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    }
}
