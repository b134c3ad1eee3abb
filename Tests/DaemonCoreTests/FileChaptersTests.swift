@testable import DaemonCore
import ControlLanguage
import Library
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import Synchronization
import TestSupport
import Testing

/// Chapters of files that were not played yet.
@Suite(.ownThread) final class FileChaptersTests {
    private final class Source: ByteSource {
        let snapshot = ByteSourceSnapshot()
        let descriptor: Int32 = -1
        func want(from offset: Int64) {}
        func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {}
        func suspend() {}
        func close() {}
    }

    private final class Opener: MediaOpening {
        let opened = Mutex<[String]>([])
        func open(_ url: String) async throws(MediaFailure) -> any ByteSource {
            opened.withLock { $0.append(url) }
            if url.contains("gone") { throw MediaFailure(.notFound, "not found") }
            return Source()
        }
    }

    private static let file = {
        var info = StreamInfo(
            container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .float32))
        info.chapters = [Chapter(start: .zero, title: "Intro")]
        return info
    }()

    private let opener = Opener()
    private let changes = ChangeBoard()
    private let scratch: Scratch
    private let library: LibraryService

    init() throws {
        scratch = try Scratch()
        library = try LibraryService(LibraryStore(path: scratch.path + "/library.db"))
    }

    deinit { library.close() }

    /// Chapters of three episodes with the same file.
    private func chapters(_ event: DecoderEvent, url: String = "http://host/a.mp3") async throws -> FileChapters {
        try await library.perform { store in
            let feed = try store.feeds.addFeed(url: "http://host/feed", title: "Show", at: Timestamp(seconds: 0))
            var contents = FeedContents()
            contents.items = (1...3).map { number in
                var item = Item()
                (item.guid, item.title, item.enclosures) = ("\(number)", "\(number)", [Enclosure(url: url)])
                return item
            }
            let fetched = FetchRecord(
                time: Timestamp(seconds: 0), httpStatus: 200, nextDue: Timestamp(seconds: 3600))
            _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetched)])
        }
        let probe = FileProbe(
            opener: opener, decoders: SilentDecoders(event: event), decisions: try DecisionThread())
        let logins = LoginFile(folder: scratch.path, credentials: nil)
        return FileChapters(
            probe: probe, library: library, access: MediaAccess(logins: logins),
            activities: ActivityBoard(now: { Timestamp(seconds: 0) }), changes: changes)
    }

    private var changed: [Int64]? { changes.update(of: .episodes, since: 0).changes?.compactMap(\.id) }

    @Test func chaptersAreReadOnceAndReported() async throws {
        let chapters = try await chapters(.opened(Self.file))
        expectEqual(chapters.known(of: EpisodeID(1)), nil)
        for _ in 0..<2 { await expectEqual(chapters.chapters(of: EpisodeID(1)).map(\.title), ["Intro"]) }
        expectEqual(chapters.known(of: EpisodeID(1))?.count, 1)
        expectEqual(opener.opened.withLock { $0 }, ["http://host/a.mp3"])
        expectEqual(changed, [1])
    }

    @Test func aFileThatCannotBeReadHasNoneAndIsTriedAgain() async throws {
        let chapters = try await chapters(.failed(MediaFailure(.damaged, "no audio")))
        for _ in 0..<2 { #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty) }
        expectEqual(opener.opened.withLock { $0.count }, 2)
        expectEqual(chapters.known(of: EpisodeID(1)), nil)
    }

    @Test func aFileThatIsGoneHasNone() async throws {
        let chapters = try await chapters(.opened(Self.file), url: "http://host/gone.mp3")
        #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty)
        expectEqual(changed, [])
    }

    @Test func whatCannotBePlayedIsNotOpened() async throws {
        let chapters = try await chapters(.opened(Self.file), url: "http://host/book.pdf")
        #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty)
        #expect(opener.opened.withLock { $0.isEmpty })
    }
}
