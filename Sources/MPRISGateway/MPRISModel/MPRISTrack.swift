internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

/// Tracks are entries of the queue: an episode that is queued twice is two of them.
enum MPRISTrack {
    /// What stands for no track where a path is needed.
    static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private static let prefix = "/org/podcastd/entry/"
    private static let longestComment = 2000

    static func path(_ entry: EntryID) -> String { prefix + String(entry.rawValue) }

    static func entry(_ path: String) -> EntryID? {
        guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)), number > 0 else { return nil }
        return self.path(EntryID(number)) == path ? EntryID(number) : nil
    }

    /// The metadata of the track that plays, or would.
    static func metadata(_ state: MPRISState) -> [BusMember] {
        guard let playing = state.player.episode else { return [] }
        let row = state.episode.flatMap { $0.episode.id == playing.id ? $0 : nil }
        var list = Members(playing.entry)
        list.length(state.player.duration)
        list.text("mpris:artUrl", row == nil ? nil : state.artURL)
        list.title(playing.title ?? row?.episode.title)
        list.show(state.player.feed?.title ?? row?.episode.feedTitle)
        if let row { list.episode(row.episode) }
        if row != nil, let summary = state.summary {
            let text = SafeText.lines(String(summary.unicodeScalars.prefix(longestComment)))
            if !text.isEmpty { list.members.append(BusMember("xesam:comment", .strings([text]))) }
        }
        return list.members
    }

    /// The metadata of an entry of the queue.
    static func metadata(_ entry: EntryReply) -> [BusMember] {
        var list = Members(entry.id)
        if let row = entry.episode?.episode {
            list.length(row.duration)
            list.title(row.title)
            list.show(row.feedTitle)
            list.episode(row)
        }
        return list.members
    }

    private struct Members {
        var members: [BusMember]

        init(_ entry: EntryID) { members = [BusMember("mpris:trackid", .path(path(entry)))] }

        mutating func length(_ time: MediaTime?) {
            if let time { members.append(BusMember("mpris:length", .int64(time.nanoseconds / 1000))) }
        }

        mutating func text(_ name: String, _ text: String?) {
            guard let text, !text.isEmpty else { return }
            members.append(BusMember(name, .string(SafeText.line(text))))
        }

        mutating func title(_ title: String?) { text("xesam:title", title.flatMap { SafeText.title($0) }) }

        /// Desktop environments show the artist, not the album, so the show is both.
        mutating func show(_ title: String?) {
            guard let title = title.flatMap({ SafeText.title($0) }) else { return }
            members.append(BusMember("xesam:album", .string(title)))
            members.append(BusMember("xesam:artist", .strings([title])))
        }

        mutating func episode(_ episode: Episode) {
            text("xesam:url", episode.enclosure.url)
            text("xesam:contentCreated", episode.published.description)
            number("xesam:trackNumber", episode.number)
            number("xesam:discNumber", episode.season)
            text("xesam:lastUsed", episode.state.lastPlayed?.description)
        }

        private mutating func number(_ name: String, _ number: (some BinaryInteger)?) {
            if let number = number.flatMap({ Int32(exactly: $0) }) { members.append(BusMember(name, .int32(number))) }
        }
    }
}
