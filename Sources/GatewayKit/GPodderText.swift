public import JSON
public import PodcastModel

/// The documents of gPodder's interface, version 2 (gpoddernet.readthedocs.io), as servers and clients write them.
public enum GPodderText {
    /// An act as a client sends it; nil for an act without an address that can be fetched or a kind that is known.
    public static func act(_ json: JSONValue, at now: Timestamp) -> DeviceAct? {
        guard let url = json["episode"]?.stringValue, let word = json["action"]?.stringValue?.lowercased(),
            let kind = DeviceAct.Kind(rawValue: word), WebAddress.isFetchable(url)
        else { return nil }
        var act = DeviceAct()
        (act.kind, act.url, act.feed) = (kind, url, json["podcast"]?.stringValue ?? "")
        act.guid = json["guid"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        act.time = json["timestamp"]?.stringValue.flatMap(time) ?? now
        (act.position, act.total) = (seconds(json["position"]), seconds(json["total"]))
        act.isPlayed = json["played"]?.boolValue
        if let part = json["milliseconds"]?.integerValue, (1...999).contains(part) {
            act.time = Timestamp(seconds: act.time.seconds).adding(milliseconds: part)
        }
        return act
    }

    /// Nextcloud's clients send -1 for what they do not know.
    private static func seconds(_ json: JSONValue?) -> MediaTime? {
        json?.numberValue.flatMap { (0...31_622_400).contains($0) ? MediaTime(seconds: $0) : nil }
    }

    /// `2026-11-28T09:00:00`, without a zone: UTC.
    private static func time(_ text: String) -> Timestamp? {
        Timestamp(parsing: text) ?? Timestamp(parsing: text + "Z")
    }

    /// The state of an episode as an act.
    ///
    /// - Parameters:
    ///   - device: nil for a server, which says whose acts they are by the list.
    ///   - clockOffset: milliseconds by which the reader's clock is ahead of the one here.
    ///   - isExact: whether to write times and positions with milliseconds, and marks, which other programs cannot read.
    public static func json(
        _ change: EpisodeChange, of device: String? = nil, clockOffset: Int64 = 0, isExact: Bool = false
    ) -> JSONValue {
        var known = change.time.adding(milliseconds: clockOffset)
        let part = known.milliseconds - known.seconds * 1000
        // An undo is later than what it undoes, also if both were in the same second.
        if change.isUndone, !isExact, part > 0 { known = known.adding(seconds: 1) }
        var members: [JSONValue.Member] = [
            .init("podcast", .string(change.feed ?? "")), .init("episode", .string(change.url)),
            .init("guid", JSONValue(change.guid)), .init("timestamp", .string(String(known.description.prefix(19)))),
        ]
        if isExact { members.append(.init("milliseconds", .integer(part))) }
        if let device { members.append(.init("device", .string(device))) }
        if !change.isPlayed, change.position == .zero {
            return .object(members + [.init("action", "new")])
        }
        // Clients ignore an act without a total, and take one whose position is the total for the end.
        let here = Int64(change.position.seconds)
        let total = change.duration.map { max(1, Int64($0.seconds)) } ?? here + 60
        let isEnd = change.isPlayed && !change.isHeardAgain
        let position: JSONValue =
            isEnd ? .integer(total) : isExact ? .number(change.position.seconds) : .integer(here)
        members += [
            .init("action", "play"), .init("started", 0), .init("position", position), .init("total", .integer(total)),
        ]
        if isExact { members.append(.init("played", .bool(change.isPlayed))) }
        return .object(members)
    }

    /// A list of subscriptions for `feeds.import`.
    public static func opml(_ urls: [String]) -> String {
        let outlines = urls.filter(WebAddress.isFetchable).map { "<outline type=\"rss\" xmlUrl=\"\(escaped($0))\"/>" }
        return "<?xml version=\"1.0\"?><opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
