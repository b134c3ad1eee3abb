internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh
internal import HTTP
internal import JSON

/// Collects a document in memory, up to a limit.
final class BodyReader: DocumentReader {
    /// Where it came from, after redirects.
    let url: String
    /// Its beginning, or all of it.
    private(set) var bytes: [UInt8] = []
    private static let headBytes = 4096
    private static let openingOfList = Array("<opml".utf8)

    init(_ answer: FeedAnswer) { url = answer.url }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        bytes.append(contentsOf: piece)
        // The head of a page is enough; a list is needed as a whole.
        return bytes.count < (isList ? OPMLParser.documentBytes : PageFeeds.pageBytes)
    }

    /// Whether it looks like a list of subscriptions.
    var isList: Bool {
        let head = bytes.prefix(Self.headBytes).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return head.indices.contains { head[$0...].starts(with: Self.openingOfList) }
    }
}

/// Finds the feed of an address that is not a feed itself.
struct AddressResolver {
    /// What an address stands for.
    enum Meaning {
        /// A feed, and how many others the page links to.
        case feed(String, others: Int)
        /// Feeds of a page, none clearly the best.
        case several([(url: String, title: String?)])
        /// A list of subscriptions.
        case list(OPMLDocument)
        /// Nothing that can be subscribed to.
        case nothing(String)
    }

    private static let namedFeeds = 20

    let transport: any FeedTransport
    let directories: DirectorySettings

    /// The feed of a show in Apple Podcasts.
    func meaning(of link: AppleLink) throws(ToolFailure) -> Meaning {
        guard directories.isOn(.apple) else {
            return .nothing("cannot look up an Apple Podcasts link, because directories.apple is off")
        }
        let body = try download(link.lookup(at: directories.address(of: .apple)))
        guard let answer = try? JSONValue(parsing: String(decoding: body.bytes, as: UTF8.self)),
            let feed = AppleLink.feed(in: answer)
        else { return .nothing("Apple Podcasts has no feed for this podcast; it may be exclusive to Apple") }
        return .feed(feed, others: 0)
    }

    /// The feed that a page or another document links to.
    ///
    /// - Parameter what: what the document is, as the parser says: `a web page`.
    func meaning(ofDocumentAt url: String, whichIs what: String) throws(ToolFailure) -> Meaning {
        // A second request to a stream without end would read it to the limit.
        if what.hasPrefix("an audio file") || what == "binary data" { return .nothing(Self.refusal(what)) }
        let body = try download(url)
        if body.isList { return list(body) }
        let page = PageFeeds(page: body.bytes)
        let base = page.base.flatMap { HTTPURL.resolved($0, against: body.url) } ?? body.url
        var found: [(url: String, title: String?)] = []
        for feed in page.best {
            guard let url = HTTPURL.resolved(feed.reference, against: base) else { continue }
            if !found.contains(where: { $0.url == url }) { found.append((url, feed.title)) }
        }
        switch found.count {
        case 0: return .nothing(Self.refusal(what))
        case 1: return .feed(found[0].url, others: page.feeds.count - 1)
        default: return .several(Array(found.prefix(Self.namedFeeds)))
        }
    }

    private static func refusal(_ what: String) -> String {
        if what == "a web page" { return "web page without a feed link" }
        let hint = what.hasPrefix("an audio file") ? "; to play it: podcastctl play URL" : ""
        return "not a feed: the document is \(what)\(hint)"
    }

    private func list(_ body: BodyReader) -> Meaning {
        let reader = OPMLReader(contentType: nil)
        _ = body.bytes.withUnsafeBytes { reader.take($0) }
        switch reader.finish() {
        case .success(let document): return .list(document)
        case .failure(let error): return .nothing(error.description)
        }
    }

    private func download(_ url: String) throws(ToolFailure) -> BodyReader {
        try DocumentDownload(BodyReader.init).run(url, over: transport)
    }
}
