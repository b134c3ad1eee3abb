internal import PodcastModel

enum ContainerKind {
    /// FFmpeg's format names. MPEG audio has another decoder, and playlists of URLs are not supported.
    static let formats =
        "mov,ogg,flac,wav,w64,aiff,caf,au,aac,matroska,avi,asf,mpegts,mpeg,flv,amr,amrnb,amrwb,ac3,eac3,wv,ape,tta,mpc,mpc8,tak"

    /// Formats whose frames have no times: a place is a byte offset.
    static let untimed: Set = ["aac", "ac3", "eac3", "amr", "amrnb", "amrwb"]

    /// Tags that describe an episode; containers have others for programs.
    static let tags = WordTable.values(
        """
        title: title
        artist: artist
        album: album
        albumArtist: album_artist
        composer: composer
        comment: comment
        description: description
        synopsis: synopsis
        genre: genre
        date: date
        track: track
        publisher: publisher
        copyright: copyright
        """)

    /// - Parameter formatName: FFmpeg's names, separated by commas.
    static func shortName(_ formatName: String) -> String {
        switch formatName.split(separator: ",").first {
        case "mov": "mp4"
        case "aac": "adts"
        case "mpeg": "mpegps"
        case let first?: String(first)
        case nil: formatName
        }
    }

    /// - Parameter codecName: FFmpeg's name.
    static func codec(_ codecName: String) -> String { codecName.hasPrefix("pcm_") ? "pcm" : codecName }

    /// The name of an unsupported codec, for users.
    /// - Parameter tag: the four-character code.
    static func unsupported(_ codecName: String, tag: String) -> String {
        switch tag {
        case "drms": "Apple DRM"
        case "enca": "encrypted audio"
        default: codecName == "none" || codecName == "unknown_codec" ? "an unknown codec" : codecName.uppercased()
        }
    }
}
