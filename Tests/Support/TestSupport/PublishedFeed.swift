import Foundation
package import LoopbackServer

/// A feed with its episodes on a loopback server.
package final class PublishedFeed {
    package let server: LoopbackServer
    package let feed: LoopbackServer.Endpoint
    package let media: [LoopbackServer.Endpoint]

    /// Publishes a feed.
    ///
    /// - Parameters:
    ///   - episodes: title and audio of each, newest first.
    ///   - faults: what goes wrong when the media are sent; `feedFaults`: when the feed is sent.
    package init(
        title: String = "Test feed", episodes: [(title: String, audio: [UInt8])], on server: LoopbackServer? = nil,
        faults: [Fault] = [], feedFaults: [Fault] = []
    ) throws {
        let server = try server ?? LoopbackServer()
        self.server = server
        var media: [LoopbackServer.Endpoint] = []
        var items = ""
        for (index, episode) in episodes.enumerated() {
            let endpoint = server.serve("/\(index).mp3", .resource(Resource(episode.audio), faults: faults))
            media.append(endpoint)
            items += """
                <item><title>\(episode.title)</title><guid>episode-\(index)</guid>
                <pubDate>Mon, \(28 - index) Sep 2026 07:00:00 +0000</pubDate>
                <enclosure url="\(index).mp3" type="audio/mpeg" length="\(episode.audio.count)"/></item>
                """
        }
        let text =
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>\(items)</channel></rss>"
        // Another edition has another validator: a refresh asks conditionally.
        let etag = "\"\(text.utf8.count)\""
        feed = server.serve(
            "/feed.xml",
            .resource(Resource(Array(text.utf8), contentType: "application/rss+xml", etag: etag), faults: feedFaults))
        self.media = media
    }
}
