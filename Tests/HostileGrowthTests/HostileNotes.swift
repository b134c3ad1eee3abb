/// HTML in the notes and titles of episodes.
enum HostileNotes {
    private static func notes(_ html: String) -> String {
        HostileFeeds.feed("<item><guid>1</guid><description><![CDATA[\(html)]]></description></item>")
    }

    private static func repeated(_ text: String, _ bytes: Int) -> String {
        String(repeating: text, count: max(1, bytes / text.utf8.count))
    }

    static let all: [HostileDocument] = [
        HostileDocument("a tag of many attributes") { bytes in
            notes("<p " + HostileFeeds.names(bytes / 6).joined(separator: " ") + ">x</p>")
        },
        HostileDocument("many tags with an attribute without a closing quote", unit: 6 << 10) { bytes in
            notes(repeated("<a b=\"'>", bytes) + "<a b='")
        },
        HostileDocument("comments without an end", unit: 6 << 10) { bytes in notes(repeated("<!--", bytes) + "<b>") },
        HostileDocument("scripts without an end", unit: 6 << 10) { bytes in notes(repeated("<script>", bytes)) },
        HostileDocument("open elements and end tags of none of them", unit: 6 << 10) { bytes in
            notes("<u>" + repeated("<b>", bytes / 2) + repeated("</i>", bytes / 2))
        },
        HostileDocument("tags that begin and do not end", unit: 6 << 10) { bytes in
            notes(repeated("<a <", bytes) + ">")
        },
        HostileDocument("a title of elements that are not ended", unit: 6 << 10) { bytes in
            HostileFeeds.feed("<item><title><![CDATA[" + repeated("<script>", bytes) + "</script>]]></title></item>")
        },
    ]
}
