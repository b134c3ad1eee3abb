/// Media files that announce a format which cannot be played.
public enum UnplayableMedia {
    /// The format, in words for users; nil if the file may be playable. The content decides in the end.
    /// - Parameter type: the announced MIME type.
    public static func name(type: String?, url: String) -> String? {
        let type = type?.split(separator: ";").first.map { $0.lowercased() } ?? ""
        if let name = types[type] { return name }
        if type.hasPrefix("image/") { return "an image" }
        // Publishers and servers announce audio types more carelessly than they name files.
        if type.hasPrefix("audio/") || type.hasPrefix("video/") { return suffixes[suffix(of: url)] }
        return suffixes[suffix(of: url)] ?? documents[suffix(of: url)]
    }

    private static let types = [
        "audio/midi": "MIDI", "audio/x-midi": "MIDI", "audio/mid": "MIDI", "audio/sp-midi": "MIDI",
        "application/x-midi": "MIDI",
        "audio/vnd.rn-realaudio": "RealAudio", "audio/x-pn-realaudio": "RealAudio", "audio/x-realaudio": "RealAudio",
        "application/vnd.rn-realmedia": "RealMedia",
        "audio/x-m4p": "Apple DRM", "audio/vnd.audible.aax": "Audible DRM", "audio/audible": "Audible DRM",
        "audio/vnd.audible": "Audible DRM",
        "application/x-shockwave-flash": "Flash", "application/pdf": "PDF", "application/epub+zip": "an e-book",
        "application/zip": "a ZIP archive", "text/html": "a web page", "text/plain": "text",
        "application/vnd.apple.mpegurl": "an HLS stream", "application/x-mpegurl": "an HLS stream",
        "audio/x-scpls": "a playlist",
    ]

    private static let suffixes = [
        "mid": "MIDI", "midi": "MIDI", "ra": "RealAudio", "ram": "RealAudio", "rm": "RealMedia", "m4p": "Apple DRM",
        "aax": "Audible DRM", "aa": "Audible DRM", "swf": "Flash", "m3u8": "an HLS stream", "m3u": "a playlist",
        "pls": "a playlist",
    ]

    /// Attachments that a feed may add to an episode; not used for types of audio or video.
    private static let documents = ["pdf": "PDF", "epub": "an e-book", "zip": "a ZIP archive"]

    private static func suffix(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), name.utf8.count < 4096 else { return "" }
        return name[name.index(after: dot)...].lowercased()
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
