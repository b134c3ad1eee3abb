/// Lists of feeds, chapters and transcripts.
enum HostileLists {
    private static func repeated(_ text: String, _ bytes: Int) -> String {
        String(repeating: text, count: max(1, bytes / text.utf8.count))
    }

    static let opml: [HostileDocument] = [
        HostileDocument("feeds in many groups", unit: 8 << 10) { bytes in
            let groups = repeated("<outline text=\"abc\">", bytes / 2)
            return
                "<opml><body>\(groups)\(repeated("<outline xmlUrl=\"http://a.example/\"/>", bytes / 2))</body></opml>"
        },
        HostileDocument("feeds in groups with long names", unit: 8 << 10) { bytes in
            let group = "<outline text=\"\(String(repeating: "x", count: bytes / 2))\">"
            return "<opml><body>\(group)\(repeated("<outline xmlUrl=\"http://a.example/\"/>", bytes / 2))</body></opml>"
        },
    ]

    static let transcripts: [HostileDocument] = [
        HostileDocument("tags in one cue", unit: 8 << 10) { bytes in cue(repeated("<b>", bytes)) },
        HostileDocument("tags without an end in one cue", unit: 8 << 10) { bytes in cue(repeated("<a", bytes)) },
        HostileDocument("braces without an end in one cue", unit: 8 << 10) { bytes in cue(repeated("{\\", bytes)) },
        HostileDocument("a speaker for many paragraphs", unit: 8 << 10) { bytes in
            "<html><cite>" + repeated("x", bytes / 2) + "</cite>" + repeated("<p>x", bytes / 2)
        },
    ]

    private static func cue(_ text: String) -> String { "WEBVTT\n\n00:00.000 --> 00:05.000\n\(text)" }
}
