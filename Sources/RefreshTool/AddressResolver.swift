internal import CommandLineTool
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import PodcastModel

/// Finds the feed of an address that is not a feed itself.
struct AddressResolver {
    enum Meaning {
        /// A feed, and the number of other feeds that the page links to.
        case feed(String, others: Int)
        /// Feeds of a page, none clearly the best.
        case several([(url: String, title: String?)])
        case list(OPMLDocument)
        /// Nothing that can be subscribed to; the reason.
        case nothing(String)
    }

    private static let namedFeeds = 20

    let run: CommandRun
    let transport: any FeedTransport
    let directories: DirectorySettings

    func meaning(of link: AppleLink) throws(ToolFailure) -> Meaning {
        guard directories.isOn(.apple) else {
            return .nothing("cannot look up an Apple Podcasts link, because directories.apple is off")
        }
        let (bytes, _) = try download(link.lookup(at: directories.address(of: .apple)))
        guard let answer = try? JSONValue(parsing: String(utf8: bytes)),
            let feed = AppleLink.feed(in: answer)
        else { return .nothing("Apple Podcasts has no feed for this podcast; it may be exclusive to Apple") }
        return .feed(feed, others: 0)
    }

    /// The feed that a page or another document links to.
    ///
    func meaning(ofDocumentAt url: String, whichIs type: DocumentType) throws(ToolFailure) -> Meaning {
        switch type {
        // A second request to a stream without end would read it to the limit.
        case .audio, .binaryData: return .nothing(refusal(type))
        case .webPage, .other: break
        }
        let (bytes, address) = try download(url)
        if isList(bytes) {
            let parser = OPMLParser()
            // `finish` throws the error again.
            bytes.withUnsafeBytes { try? parser.feed($0) }
            do throws(DocumentError) {
                let list = try parser.finish()
                return list.emptiness.map(Meaning.nothing) ?? .list(list)
            } catch {
                return .nothing(error.description)
            }
        }
        let page = PageFeeds(page: bytes)
        let base = page.base.flatMap { HTTPURL.resolved($0, against: address) } ?? address
        var found: [(url: String, title: String?)] = []
        for feed in page.best {
            guard let url = HTTPURL.resolved(feed.reference, against: base) else { continue }
            if !found.contains(where: { $0.url == url }) { found.append((url, feed.title)) }
        }
        switch found.count {
        case 0: return .nothing(refusal(type))
        case 1: return .feed(found[0].url, others: page.feeds.count - 1)
        default: return .several(Array(found.prefix(Self.namedFeeds)))
        }
    }

    private func refusal(_ type: DocumentType) -> String {
        switch type {
        case .webPage: "web page without a feed link"
        case .audio(let text): "not a feed: the document is \(text); to play it: podcastctl play URL"
        case .binaryData, .other: "not a feed: the document is \(type)"
        }
    }

    private func isList(_ bytes: [UInt8]) -> Bool {
        String(utf8: bytes.prefix(4096)).lowercased().contains("<opml")
    }

    /// The whole of a list or the beginning of a page, and its URL after redirects.
    private func download(_ url: String) throws(ToolFailure) -> (bytes: [UInt8], url: String) {
        var bytes: [UInt8] = []
        let answer = try run.download(url, over: transport) { _ in
            { piece in
                bytes.append(contentsOf: piece)
                return bytes.count < PageFeeds.pageBytes
                    || bytes.count < OPMLParser.documentBytes && isList(bytes)
            }
        }
        return (bytes, answer.effectiveURL)
    }
}
