/// Media files that announce a format which cannot be played.
public enum UnplayableMedia {
    /// The format, in words for users; nil if the file may be playable. The content decides in the end.
    /// - Parameter type: the announced MIME type.
    public static func name(type: String?, url: String) -> String? {
        let type = plain(type)
        let suffix = suffix(of: url)
        return formats[type] ?? suffixes[suffix] ?? document(type, suffix)
    }

    /// How a file is preferred to an item's other files; nil if it is none of audio or video.
    static func rank(type: String?, url: String) -> MediaRank? {
        let type = plain(type)
        let suffix = suffix(of: url)
        if suffix == "m3u8" || type.hasSuffix("mpegurl") && suffix != "m3u" { return .playlist }
        if document(type, suffix) != nil { return nil }
        if formats[type] ?? suffixes[suffix] != nil { return .unplayable }
        if type.hasPrefix("audio/") { return .audio }
        if type.hasPrefix("video/") { return .video }
        guard let ending = MediaName.ending(ofURL: url) else { return .unknown }
        return ["mp4", "m4v", "webm", "mkv", "mov"].contains(ending) ? .video : .audio
    }

    private static func plain(_ type: String?) -> String {
        type?.split(separator: ";").first.map { $0.lowercased() } ?? ""
    }

    private static func document(_ type: String, _ suffix: String) -> String? {
        if type.hasPrefix("image/") { return "an image" }
        // Publishers and servers announce audio types more carelessly than they name files.
        if type.hasPrefix("audio/") || type.hasPrefix("video/") { return suffix == "m3u" ? "a playlist" : nil }
        if type.hasPrefix("application/"), let name = documentTypes[type] { return name }
        if MediaName.ending(ofURL: ".\(suffix)") != nil { return nil }
        return documentTypes[type] ?? (type.hasPrefix("text/") ? "text" : documents[suffix])
    }

    private static let formats = WordTable.values(
        """
        MIDI: audio/midi audio/x-midi audio/mid audio/sp-midi application/x-midi
        RealAudio: audio/vnd.rn-realaudio audio/x-pn-realaudio audio/x-realaudio
        RealMedia: application/vnd.rn-realmedia
        Apple DRM: audio/x-m4p
        Audible DRM: audio/vnd.audible.aax audio/audible audio/vnd.audible
        Flash: application/x-shockwave-flash
        an HLS stream: application/vnd.apple.mpegurl application/x-mpegurl
        a playlist: audio/x-scpls
        """)

    private static let documentTypes = WordTable.values(
        """
        PDF: application/pdf
        an e-book: application/epub+zip
        a ZIP archive: application/zip application/x-zip-compressed
        a torrent: application/x-bittorrent
        subtitles: application/x-subrip application/srt text/vtt text/srt
        a web page: text/html application/xhtml+xml
        text: application/json application/xml
        a playlist: application/xspf+xml
        """)

    private static let suffixes = WordTable.values(
        """
        MIDI: mid midi
        RealAudio: ra ram
        RealMedia: rm
        Apple DRM: m4p
        Audible DRM: aax aa
        Flash: swf
        an HLS stream: m3u8
        a playlist: m3u pls
        """)

    /// Attachments that a feed may add to an episode; not used for types of audio or video.
    private static let documents = WordTable.values(
        """
        PDF: pdf
        an e-book: epub mobi
        a ZIP archive: zip
        a torrent: torrent
        a web page: html htm
        subtitles: srt vtt ass
        a playlist: m3u pls xspf
        text: txt json
        an image: jpg jpeg png webp gif
        """)

    private static func suffix(of url: String) -> String {
        let end = url.utf8.prefix { $0 != .questionMark && $0 != .hash }.suffix(12)
        guard let dot = end.lastIndex(of: .point) else { return "" }
        return String(utf8: end[dot...].dropFirst()).lowercased()
    }

    /// The number and formats of a feed's newest unplayable files: `2 of its 9 newest episodes cannot be played: Apple
    /// DRM, MIDI`; nil if all may be playable.
    public static func summary(_ files: [(type: String?, url: String)]) -> String? {
        var names: [String] = []
        var count = 0
        for file in files {
            guard let name = name(type: file.type, url: file.url) else { continue }
            count += 1
            if !names.contains(name) { names.append(name) }
        }
        if names.isEmpty { return nil }
        let which = count == files.count ? "its episodes" : "\(count) of its \(files.count) newest episodes"
        return "\(which) cannot be played: \(names.joinedText(", "))"
    }
}

/// Kinds of media files, the preferred one last.
public enum MediaRank: Int, Comparable, Sendable {
    /// MIDI or a DRM, for example.
    case unplayable
    /// HLS.
    case playlist
    case unknown
    case video
    case audio

    public static func < (left: MediaRank, right: MediaRank) -> Bool { left.rawValue < right.rawValue }
}

extension Enclosure {
    /// Nil if it is a document or picture.
    public var rank: MediaRank? { UnplayableMedia.rank(type: type, url: url) }
}

extension Item {
    /// The file that is played: of the best kind, the first.
    public var media: Enclosure? {
        var best: (file: Enclosure, rank: MediaRank)?
        for file in enclosures where WebAddress.isFetchable(file.url) {
            if let rank = file.rank, best.map({ $0.rank < rank }) ?? true { best = (file, rank) }
        }
        return best?.file
    }
}
