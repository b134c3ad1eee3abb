/// What stands on a page of a feed that comes in pages or archives (RFC 5005).
struct FeedPage: Sendable {
    var numbers: [Int]
    var next: String?
    var relation = "next"
    var title = "A show in pages"

    /// Episodes by number, up to 720, each an hour after the one before.
    var body: [UInt8] {
        let items = numbers.map { number in
            let hour = (number - 1) % 24
            return """
                <item><guid>g\(number)</guid><title>Episode \(number)</title>
                <pubDate>\(1 + (number - 1) / 24) Nov 2026 \(hour / 10)\(hour % 10):00:00 GMT</pubDate>
                <enclosure url="https://media.example/\(number).mp3" type="audio/mpeg" length="1000"/></item>
                """
        }
        let link = next.map { "<atom:link rel=\"\(relation)\" href=\"\($0)\"/>" } ?? ""
        return Array(
            """
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>\(title)</title>\(link)
            \(items.joined())</channel></rss>
            """.utf8)
    }
}
