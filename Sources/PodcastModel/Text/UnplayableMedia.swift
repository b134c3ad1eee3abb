/// Media files that announce a format which cannot be played.
public enum UnplayableMedia {
    /// The format, in words for users; nil if the file may be playable. The content decides in the end.
    /// - Parameter type: the announced MIME type.
    public static func name(type: String?, url: String) -> String? {
        let (type, suffix) = (plain(type), suffix(of: url))
        return formats[type] ?? suffixes[suffix] ?? document(type, suffix)
    }

    /// How a file is preferred to an item's other files; nil if it is none of audio or video.
    static func rank(type: String?, url: String) -> MediaRank? {
        let (type, suffix) = (plain(type), suffix(of: url))
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

    private static let formats = [
        "audio/midi": "MIDI", "audio/x-midi": "MIDI", "audio/mid": "MIDI", "audio/sp-midi": "MIDI",
        "application/x-midi": "MIDI",
        "audio/vnd.rn-realaudio": "RealAudio", "audio/x-pn-realaudio": "RealAudio", "audio/x-realaudio": "RealAudio",
        "application/vnd.rn-realmedia": "RealMedia",
        "audio/x-m4p": "Apple DRM", "audio/vnd.audible.aax": "Audible DRM", "audio/audible": "Audible DRM",
        "audio/vnd.audible": "Audible DRM",
        "application/x-shockwave-flash": "Flash",
        "application/vnd.apple.mpegurl": "an HLS stream", "application/x-mpegurl": "an HLS stream",
        "audio/x-scpls": "a playlist",
    ]

    private static let documentTypes = [
        "application/pdf": "PDF", "application/epub+zip": "an e-book", "application/zip": "a ZIP archive",
        "application/x-zip-compressed": "a ZIP archive", "application/x-bittorrent": "a torrent",
        "application/x-subrip": "subtitles", "application/srt": "subtitles", "text/vtt": "subtitles",
        "text/srt": "subtitles", "text/html": "a web page", "application/xhtml+xml": "a web page",
        "application/json": "text", "application/xml": "text", "application/xspf+xml": "a playlist",
    ]

    private static let suffixes = [
        "mid": "MIDI", "midi": "MIDI", "ra": "RealAudio", "ram": "RealAudio", "rm": "RealMedia", "m4p": "Apple DRM",
        "aax": "Audible DRM", "aa": "Audible DRM", "swf": "Flash", "m3u8": "an HLS stream", "m3u": "a playlist",
        "pls": "a playlist",
    ]

    /// Attachments that a feed may add to an episode; not used for types of audio or video.
    private static let documents = [
        "pdf": "PDF", "epub": "an e-book", "mobi": "an e-book", "zip": "a ZIP archive", "torrent": "a torrent",
        "html": "a web page", "htm": "a web page", "srt": "subtitles", "vtt": "subtitles", "ass": "subtitles",
        "m3u": "a playlist", "pls": "a playlist", "xspf": "a playlist", "txt": "text", "json": "text",
        "jpg": "an image",
        "jpeg": "an image", "png": "an image", "webp": "an image", "gif": "an image",
    ]

    private static func suffix(of url: String) -> String {
        let end = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.suffix(12)
        guard let dot = end.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(decoding: end[dot...].dropFirst(), as: UTF8.self).lowercased()
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
        return "\(which) cannot be played: \(names.joined(separator: ", "))"
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
