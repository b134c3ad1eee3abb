/// XML that costs a careless parser more than its size.
enum HostileFeeds {
    /// The start of the work: a feed with nothing in it.
    static let empty = feed("")

    static func feed(_ inside: String) -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\(inside)"
            + "<item><title>E</title><enclosure url=\"http://a.example/a.mp3\" type=\"audio/mpeg\"/></item></channel></rss>"
    }

    /// Names of five letters, each another one, with the same first and last letter.
    static func names(_ count: Int) -> [String] {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return (0..<count).map { number in
            var name = "z"
            var rest = number
            for _ in 0..<3 {
                name.insert(letters[rest % 26], at: name.startIndex)
                rest /= 26
            }
            return "a" + name
        }
    }

    private static func repeated(_ text: String, _ bytes: Int) -> String {
        String(repeating: text, count: max(1, bytes / text.utf8.count))
    }

    /// One and four of these sizes are less than the 64 KiB that are read at once. A tag that continues after these 64 KiB is read again.
    private static let withinOneBlock = 15 << 10

    static let all: [HostileDocument] = [
        HostileDocument("one tag of many attributes", unit: withinOneBlock) { bytes in
            feed("<x " + names(bytes / 9).map { "\($0)=\"\"" }.joined(separator: " ") + "/>")
        },
        HostileDocument("one broken tag of many attributes", unit: withinOneBlock) { bytes in
            feed("<x " + names(bytes / 8).map { "\($0)=1" }.joined(separator: " ") + "/>")
        },
        HostileDocument("nested elements that declare namespaces") { bytes in
            let open = stride(from: 0, to: bytes / 32, by: 100).map { first in
                "<y " + names(first + 100)[first...].map { "xmlns:\($0)=\"u\"" }.joined(separator: " ") + ">"
            }
            let users = repeated("<q:i q:a=\"\" q:b=\"\"/>", bytes / 2)
            return feed(open.joined() + users + repeated("</y>", open.count * 4))
        },
        HostileDocument("references that are none") { bytes in feed(repeated("&a", bytes)) },
        HostileDocument("end tags that close nothing") { bytes in
            feed(repeated("<y>", 900) + repeated("</zzzzzzzz>", bytes))
        },
        HostileDocument("sections of one character") { bytes in
            feed("<description>" + repeated("<![CDATA[a]]>", bytes) + "</description>")
        },
        HostileDocument("a DOCTYPE of many entities") { bytes in
            "<!DOCTYPE rss [" + repeated("<!ENTITY a \"x\">", bytes) + "]>" + feed(repeated("&a;", bytes))
        },
        HostileDocument("relative addresses below a long base") { bytes in
            let items = repeated("<item><enclosure url=\"x\"/></item>", bytes / 2)
            return feed("<y xml:base=\"http://a.example/" + repeated("a/", bytes / 2) + "\">" + items + "</y>")
        },
        HostileDocument("a date that goes on") { bytes in
            feed("<item><pubDate>" + repeated("Mon, 1 Jan ", bytes) + "</pubDate></item>")
        },
    ]
}
