/// HTML in the notes of an episode.
enum HostileNotes {
    private static func notes(_ html: String) -> String {
        HostileFeeds.feed("<item><guid>1</guid><description><![CDATA[\(html)]]></description></item>")
    }

    private static func repeated(_ text: String, _ bytes: Int) -> String {
        String(repeating: text, count: max(1, bytes / text.utf8.count))
    }

    static let all: [HostileDocument] = []
}
