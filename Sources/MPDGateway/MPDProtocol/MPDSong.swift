internal import PodcastModel

struct MPDSong: Equatable {
    /// `FOLDER/e123.mp3`.
    var uri: String
    var title: String
    var show: String
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

/// What MPD's clients know of a song. Of MPD's tags, those that episodes have.
enum MPDTag: String, CaseIterable {
    case artist = "Artist"
    case album = "Album"
    case albumArtist = "AlbumArtist"
    case title = "Title"
    case track = "Track"
    case genre = "Genre"
    case date = "Date"
    case comment = "Comment"

    /// Case does not matter.
    init?(name: String) {
        let name = name.lowercased()
        guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = tag
    }

    /// Whether all episodes of a show have the same value.
    var isOfShow: Bool { [.artist, .album, .albumArtist, .genre].contains(self) }

    /// MPD's tags that no episode has: clients may name them.
    private static let absent: Set = [
        "artistsort", "albumsort", "albumartistsort", "titlesort", "name", "mood", "originaldate", "composer",
        "composersort", "performer", "conductor", "work", "movement", "movementnumber", "ensemble", "location",
        "grouping", "disc", "label", "musicbrainz_artistid", "musicbrainz_albumid", "musicbrainz_albumartistid",
        "musicbrainz_trackid", "musicbrainz_releasetrackid", "musicbrainz_workid", "musicbrainz_releasegroupid",
        "showmovement",
    ]

    static func isAbsent(_ name: String) -> Bool { absent.contains(name.lowercased()) }
}

/// Which tags a client wants to see.
struct MPDTagSet: Equatable {
    private(set) var tags: Set<MPDTag> = Set(MPDTag.allCases)

    /// `tagtypes` with arguments: `clear`, `all`, `enable NAME…`, `disable NAME…`, `reset NAME…`.
    mutating func change(_ arguments: [String]) throws(MPDError) {
        switch arguments[0] {
        case "clear": tags = []
        case "all": tags = Set(MPDTag.allCases)
        case "enable": tags.formUnion(try Self.named(arguments.dropFirst()))
        case "disable": tags.subtract(try Self.named(arguments.dropFirst()))
        case "reset": tags = try Self.named(arguments.dropFirst())
        default: throw .argument("Unknown sub command")
        }
    }

    private static func named(_ names: ArraySlice<String>) throws(MPDError) -> Set<MPDTag> {
        if names.isEmpty { throw .argument("Not enough arguments") }
        var tags: Set<MPDTag> = []
        for name in names {
            if let tag = MPDTag(name: name) {
                tags.insert(tag)
            } else if !MPDTag.isAbsent(name) {
                throw .argument("Unknown tag type")
            }
        }
        return tags
    }
}
