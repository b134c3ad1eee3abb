internal import JSON
internal import Library
internal import PodcastModel

/// Reads the state document that docs/STATE.md describes, with memory for its text and for the values of one record.
///
/// Unknown members and sections are skipped and reported. Pure; one thread.
struct StateReader {
    private var hasFormat = false
    /// Names of sections and members that were skipped.
    private(set) var unknown: Set<String> = []
    /// Number of records with missing or invalid members.
    private(set) var refused = 0

    /// Reads a document. The records before an error are passed on.
    ///
    /// - Parameter take: receives a record and the fraction of the document that is read, 0 to 1; returns whether to continue.
    mutating func read(_ bytes: [UInt8], take: (PortableRecord, Double) -> Bool) throws(MovingError) {
        var failure: MovingError?
        var isWhole = true
        let result: Result<Void, JSONError> = bytes.withUnsafeBytes { text in
            Result { () throws(JSONError) in
                var pieces = JSONPieces()
                let isOver = try pieces.read(text) { piece, offset in
                    let fraction = Double(offset) / Double(text.count)
                    do throws(MovingError) { isWhole = try read(piece) { take($0, fraction) } } catch {
                        failure = error
                    }
                    return isWhole && failure == nil
                }
                if isOver { try pieces.finish() }
            }
        }
        if let failure { throw failure }
        if case .failure(let error) = result, hasFormat { throw .damaged(error.description) }
        if isWhole, !hasFormat { throw Self.notState }
    }

    private static let notState = MovingError.notRecognized(reason: "not a podcastd state file")

    /// Returns false if no more records are wanted.
    private mutating func read(_ piece: JSONPiece, _ take: (PortableRecord) -> Bool) throws(MovingError) -> Bool {
        switch piece {
        case .member("format", .string(StateWriter.format)): hasFormat = true
        case .member("format", _): throw Self.notState
        case .member("version", let value):
            let version = value.integerValue ?? .max
            if version > StateWriter.version { throw .tooNew(found: version, known: StateWriter.version) }
        case .member("settings", .object(let settings)):
            return settings.allSatisfy { take(.setting(.init(ClientSetting.Name($0.name), $0.value.stringValue))) }
        case .member(let name, _): unknown.insert(name)
        case .element(of: let name, let value):
            guard let section = StateWriter.Section(rawValue: name) else {
                unknown.insert(name)
                return true
            }
            if let record = record(value, of: section) { return take(record) }
            refused += 1
        }
        return true
    }

    private func record(_ value: JSONValue, of section: StateWriter.Section) -> PortableRecord? {
        func text(_ name: String) -> String? { value[name]?.stringValue.flatMap(\.nonEmpty) }
        switch section {
        case .outputs:
            return text("name").map { _ in .output(value) }
        case .listening:
            let times = ["heard", "savedBySpeed", "savedBySilence"].map { mediaTime(value[$0])?.milliseconds ?? 0 }
            // A day at the greatest speed.
            guard let day = text("day").flatMap(CalendarDay.init(parsing:)), times.allSatisfy({ $0 <= 4 * 86_400_000 })
            else { return nil }
            let lengths = times.map { Duration.milliseconds($0) }
            let time = ListeningTime(heard: lengths[0], savedBySpeed: lengths[1], savedBySilence: lengths[2])
            return .listening(HeardDay(day: day, url: text("feed"), title: text("title") ?? "", time: time))
        case .feeds:
            guard let url = text("url") else { return nil }
            var feed = PortableFeed(url: url, title: value["title"]?.stringValue)
            feed.tags = texts(value["tags"])
            feed.formerURLs = texts(value["formerURLs"])
            feed.subscribed = time(value["subscribed"])
            if case .object(let members)? = value["settings"] {
                for member in members { feed.settings[member.name] = member.value.stringValue }
            }
            return .feed(feed)
        case .rules:
            return text("rule").map { .policy(PortablePolicy(.rule, $0, of: text("feed"))) }
        case .retention:
            return text("keep").map { .policy(PortablePolicy(.retention, $0, of: text("feed"))) }
        case .playlists:
            // A playlist of all episodes has an empty filter.
            guard let name = text("name"), let filter = value["filter"]?.stringValue else { return nil }
            // Older versions wrote the order in a member of its own.
            let order = value["order"] == "oldest" ? "order:oldest " : ""
            return .policy(PortablePolicy(.playlist, order + filter, of: name))
        case .episodes:
            guard let url = text("url") else { return nil }
            var episode = PortableEpisode(
                EpisodeIdentity(
                    guid: value["guid"]?.stringValue, url: url, title: value["title"]?.stringValue,
                    published: time(value["published"]), duration: mediaTime(value["duration"])))
            episode.feed = value["feed"]?.stringValue
            episode.isPlayed = value["played"]?.boolValue ?? false
            episode.position = mediaTime(value["position"]) ?? .zero
            episode.lastPlayed = time(value["lastPlayed"])
            episode.marked = time(value["marked"])
            episode.isStarred = value["starred"]?.boolValue ?? false
            episode.note = value["note"]?.stringValue
            episode.bookmarks = (value["bookmarks"]?.arrayValue ?? []).compactMap(bookmark)
            episode.queueIndex = value["queueIndex"]?.integerValue.flatMap { Int(exactly: $0) }
            episode.isCurrent = value["current"]?.boolValue ?? false
            episode.lists = (value["playlists"]?.arrayValue ?? []).compactMap { list in
                guard let name = list["name"]?.stringValue, let index = list["index"]?.integerValue else { return nil }
                return ListPlace(name: name, place: index)
            }
            episode.isDownloaded = value["downloaded"]?.boolValue ?? false
            episode.history = (value["history"]?.arrayValue ?? []).compactMap { line in
                guard let time = time(line["time"]), let position = mediaTime(line["position"]),
                    let event = line["event"]?.stringValue.flatMap(HistoryRecord.Event.init), event != .queued
                else { return nil }
                return HistoryRecord(time: time, event: event, position: position)
            }
            return .episode(episode)
        }
    }

    /// The text may be missing; of one that is too long the beginning is kept.
    private func bookmark(_ value: JSONValue) -> PortableBookmark? {
        guard let position = mediaTime(value["position"]) else { return nil }
        var text = value["text"]?.stringValue ?? ""
        while text.utf8.count > Bookmark.maximumBytes { text.removeLast(text.count / 10 + 1) }
        return PortableBookmark(
            position: position, skipEnd: mediaTime(value["skipTo"]), text: text,
            created: time(value["created"]) ?? Timestamp(milliseconds: 0))
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

    private func milliseconds(_ value: JSONValue?) -> Int64? {
        value?.numberValue.flatMap { Int64(exactly: ($0 * 1000).rounded()) }
    }

    private func time(_ value: JSONValue?) -> Timestamp? {
        milliseconds(value).map(Timestamp.init(milliseconds:))
    }

    private func mediaTime(_ value: JSONValue?) -> MediaTime? {
        milliseconds(value).flatMap { $0 < 0 ? nil : MediaTime(milliseconds: $0) }
    }
}
