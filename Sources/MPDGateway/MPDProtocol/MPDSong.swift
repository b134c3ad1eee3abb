internal import PodcastModel

/// An episode as a song.
struct MPDSong: Equatable, Sendable {
    /// `FOLDER/e123.mp3`.
    var uri: String
    var title: String
    var show: String
    /// The author of the show.
    var author: String?
    var number: Int?
    var published: Timestamp
    var note: String?
    var duration: MediaTime?

    func value(of tag: MPDTag) -> String? {
        switch tag {
        case .artist: author ?? show
        case .album, .albumArtist: show
        case .title: title
        case .track: number.map { "\($0)" }
        case .genre: "Podcast"
        case .date: String(published.description.prefix(10))
        case .comment: note
        }
    }

    /// Appends the lines of the song.
    func write(_ tags: MPDTagSet, to answer: inout MPDAnswer) {
        answer.add("file", uri)
        answer.add("Last-Modified", published)
        for tag in MPDTag.allCases where tags.tags.contains(tag) {
            if let value = value(of: tag), !value.isEmpty { answer.add(tag.rawValue, value) }
        }
        if let duration, duration > .zero {
            answer.add("Time", Int64(duration.seconds.rounded()))
            answer.add("duration", duration)
        }
    }
}
