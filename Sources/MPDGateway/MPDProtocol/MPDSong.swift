public import PodcastModel

/// An episode as a song.
public struct MPDSong: Equatable, Sendable {
    /// `FOLDER/e123.mp3`.
    public var uri: String
    public var title: String
    public var show: String
    /// The author of the show.
    public var author: String?
    public var number: Int?
    public var published: Timestamp
    public var note: String?
    public var duration: MediaTime?

    public init(
        uri: String, title: String, show: String, author: String? = nil, number: Int? = nil, published: Timestamp,
        note: String? = nil,
        duration: MediaTime? = nil
    ) {
        (self.uri, self.title, self.show, self.author, self.number) = (uri, title, show, author, number)
        (self.published, self.note, self.duration) = (published, note, duration)
    }

    public func value(of tag: MPDTag) -> String? {
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
    public func write(_ tags: MPDTagSet, to answer: inout MPDAnswer) {
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
