@testable import EpisodeCache
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import Synchronization
import TestSupport
import Testing

/// Chapters of files that were not played yet.
@Suite(.ownThread) struct FileChaptersTests {
    private final class Source: ByteSource {
        let snapshot = ByteSourceSnapshot()
        let descriptor: Int32 = -1
        func want(from offset: Int64) {}
        func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) {}
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

    private final class Changed: Sendable {
        let ids = Mutex<[EpisodeID]>([])
    }

    private static let file = {
        var info = StreamInfo(
            container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .float32))
        info.chapters = [Chapter(start: .zero, title: "Intro")]
        return info
    }()

    private let opener = Opener()
    private let changed = Changed()

    private func chapters(_ event: DecoderEvent, url: String = "http://host/a.mp3") throws -> FileChapters {
        let changed = changed
        return FileChapters(
            episode: { id in
                Episode(
                    id: id, feed: FeedID(1), feedTitle: "Show", title: "One", enclosure: Enclosure(url: url),
                    published: Timestamp(seconds: 0))
            },
            opener: opener, decoders: SilentDecoders(event: event),
            activities: ActivityBoard(now: { Timestamp(seconds: 0) }), decisions: try DecisionThread(),
            isPlaying: { _ in false }, episodesChanged: { ids in changed.ids.withLock { $0 += ids } })
    }

    @Test func chaptersAreReadOnceAndReported() async throws {
        let chapters = try chapters(.opened(Self.file))
        expectEqual(chapters.known(of: EpisodeID(1)), nil)
        for _ in 0..<2 { await expectEqual(chapters.chapters(of: EpisodeID(1)).map(\.title), ["Intro"]) }
        expectEqual(chapters.known(of: EpisodeID(1))?.count, 1)
        expectEqual(opener.opened.withLock { $0 }, ["http://host/a.mp3"])
        expectEqual(changed.ids.withLock { $0 }, [EpisodeID(1)])
    }

    @Test func aFileThatCannotBeReadHasNoneAndIsTriedAgain() async throws {
        let chapters = try chapters(.failed(MediaFailure(.damaged, "no audio")))
        for _ in 0..<2 { #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty) }
        expectEqual(opener.opened.withLock { $0.count }, 2)
        expectEqual(chapters.known(of: EpisodeID(1)), nil)
    }

    @Test func ofAHostThatDoesNotAnswerOneFileIsReadAhead() async throws {
        let chapters = try chapters(.failed(MediaFailure(.network, "no answer")))
        await chapters.readAhead([EpisodeID(1), EpisodeID(2), EpisodeID(3)])
        expectEqual(opener.opened.withLock { $0.count }, 1)
    }

    @Test func aFileThatIsGoneHasNone() async throws {
        let chapters = try chapters(.opened(Self.file), url: "http://host/gone.mp3")
        #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty)
        #expect(changed.ids.withLock { $0.isEmpty })
    }

    @Test func whatCannotBePlayedIsNotOpened() async throws {
        let chapters = try chapters(.opened(Self.file), url: "http://host/book.pdf")
        #expect(await chapters.chapters(of: EpisodeID(1)).isEmpty)
        #expect(opener.opened.withLock { $0.isEmpty })
    }
}
