internal import JSON
internal import Library
internal import PodcastModel

/// Writes the state document that docs/STATE.md describes, piece by piece, with one line for each record.
///
/// The records come in the order of their sections, then `end`. A new section needs a case of `Section` and of `PortableRecord`.
struct StateWriter {
    /// Version of the format; readers reject a newer one.
    static let version: Int64 = 1
    /// Value of the member `format`.
    static let format = "podcastd-state"

    /// An array of records.
    enum Section: String, CaseIterable {
        case outputs
        case feeds
        case rules
        case retention
        case playlists
        case listening
        case episodes
    }

    private var bytes: [UInt8] = []
    /// Nil before the first section.
    private var section: Section?
    /// The text that ends the current section.
    private var closing = ""
    /// The sections after the current one.
    private var following = Section.allCases[...]

    /// - Parameter settings: those that clients made, and the volume.
    init(_ settings: [ClientSetting] = []) {
        let members = settings.map { JSONValue.Member($0.name.description, $0.value) }
        add("{\"format\":\"\(Self.format)\",\"version\":\(Self.version)")
        add(",\n\"settings\":\(JSONValue.object(members).text)")
    }

    private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(_ record: PortableRecord) {
        switch record {
        case .output(let output): write(output, in: .outputs)
        case .feed(let feed): write(json(feed), in: .feeds)
        case .policy(let policy): write(json(policy), in: policy.kind.section)
        case .listening(let day): write(json(day), in: .listening)
        case .episode(let episode): write(json(episode), in: .episodes)
        // `init` writes the settings.
        case .setting: break
        }
    }

    private mutating func write(_ record: JSONValue, in section: Section) {
        while self.section != section, !following.isEmpty { beginNext() }
        add(closing == "]" ? "\n" : ",\n")
        closing = "\n]"
        record.write(to: &bytes)
    }

    private mutating func beginNext() {
        section = following.popFirst()
        add("\(closing),\n\"\(section?.rawValue ?? "")\":[")
        closing = "]"
    }

    mutating func end() {
        while !following.isEmpty { beginNext() }
        add("\(closing)}\n")
    }

    /// The bytes that were written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private func json(_ feed: PortableFeed) -> JSONValue {
        let settings = feed.settings.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
        return JSONValue(omittingNulls: [
            "url": feed.url, "title": feed.title, "subscribed": seconds(feed.subscribed),
            "tags": feed.tags.nonEmpty,
            "formerURLs": feed.formerURLs.nonEmpty,
            "settings": settings.isEmpty ? JSONValue.null : .object(settings),
        ])
    }

    private func json(_ episode: PortableEpisode) -> JSONValue {
        let identity = episode.identity
        let isPlayed = episode.hasPlayback ? episode.isPlayed : nil
        let position = episode.hasPlayback ? episode.position.seconds : nil
        return JSONValue(omittingNulls: [
            "feed": episode.feed, "guid": identity.guid, "url": identity.url,
            "title": identity.title, "published": seconds(identity.published),
            "duration": identity.duration?.seconds,
            "played": isPlayed, "position": position,
            "lastPlayed": seconds(episode.lastPlayed), "marked": seconds(episode.marked),
            "starred": mark(episode.isStarred), "note": episode.note,
            "bookmarks": episode.bookmarks.map(json).nonEmpty, "downloaded": mark(episode.isDownloaded),
            "queueIndex": episode.queueIndex, "current": mark(episode.isCurrent),
            "playlists": episode.lists.map { JSONValue(omittingNulls: ["name": $0.name, "index": $0.place]) }.nonEmpty,
            "history": episode.history.map(json).nonEmpty,
        ])
    }

    private func json(_ bookmark: PortableBookmark) -> JSONValue {
        let text = bookmark.text.nonEmpty
        return JSONValue(omittingNulls: [
            "position": bookmark.position.seconds, "skipTo": bookmark.skipEnd?.seconds,
            "text": text, "created": seconds(bookmark.created),
        ])
    }

    private func json(_ line: HistoryRecord) -> JSONValue {
        JSONValue(omittingNulls: [
            "time": seconds(line.time), "event": line.event.rawValue,
            "position": line.position.seconds,
        ])
    }

    private func json(_ day: HeardDay) -> JSONValue {
        func length(_ time: Duration) -> Double { Double(time.nanoseconds / 1_000_000) / 1000 }
        return JSONValue(omittingNulls: [
            "day": day.day.description, "feed": day.url, "title": day.title,
            "heard": length(day.time.heard), "savedBySpeed": length(day.time.savedBySpeed),
            "savedBySilence": length(day.time.savedBySilence),
        ])
    }

    private func json(_ policy: PortablePolicy) -> JSONValue {
        switch policy.kind {
        case .rule: JSONValue(omittingNulls: ["feed": policy.name, "rule": policy.text])
        case .retention: JSONValue(omittingNulls: ["feed": policy.name, "keep": policy.text])
        case .playlist: JSONValue(omittingNulls: ["name": policy.name, "filter": policy.text])
        }
    }

    private func mark(_ flag: Bool) -> Bool? { flag ? true : nil }
    private func seconds(_ time: Timestamp?) -> Double? { time.map { Double($0.milliseconds) / 1000 } }
}

extension PortablePolicy.Kind {
    fileprivate var section: StateWriter.Section {
        switch self {
        case .rule: .rules
        case .retention: .retention
        case .playlist: .playlists
        }
    }
}
