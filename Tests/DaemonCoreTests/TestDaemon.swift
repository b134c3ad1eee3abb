import AudioOutput
@testable import DaemonCore
import Configuration
import Foundation
import Library
import MediaPorts
import Playback
import PodcastModel
import Reporting
import SerialThreads
import SystemCalls

/// The parts of a daemon over a library in a temporary folder. An episode that plays loads for ever, because its host answers nothing.
final class TestDaemon: Sendable {
    let parts: DaemonParts
    let folder: URL
    let feed: FeedID
    /// The media's host, whose system accepts connections that no program answers.
    private let host: FileDescriptor

    init(searches: [OutputSearch] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "daemon-\(UUID().uuidString.prefix(8))")
        host = try InternetListener.listen(on: "127.0.0.1", port: 0)
        var settings = Settings()
        for (key, value) in [
            ("daemon.data_dir", folder.path + "/data"), ("daemon.cache_dir", folder.path + "/cache"),
            ("output.sink", "null"), ("network.private_hosts", "*"),
        ] {
            try settings.set(key, to: value, from: .commandLine)
        }
        let places = try Places(
            settings: settings, configFile: nil, socket: folder.path + "/control", variable: { _ in nil },
            isRoot: false)
        try LibraryOpening.makeFolders(places)
        var machine = MachinePorts()
        (machine.decoders, machine.now) = (
            SilentDecoders(), { Timestamp(seconds: 100) }
        )
        machine.searches = searches
        parts = try await DaemonParts(
            decisions: DecisionThread(), store: LibraryStore(path: places.data.library, options: .daemon),
            settings: settings, places: places,
            machine: machine,
            logger: Logger(levels: LogLevels(.error), to: .standardError(hasPriorities: false)))
        feed = try await parts.library.perform {
            try $0.feeds.addFeed(url: "http://host/feed", title: "Feed", at: Timestamp(seconds: 0))
        }
    }

    /// Runs a test with a daemon's parts, then stops them.
    static func run(searches: [OutputSearch] = [], _ test: (TestDaemon) async throws -> Void) async throws {
        let daemon = try await TestDaemon(searches: searches)
        do {
            try await test(daemon)
        } catch {
            await daemon.stop()
            throw error
        }
        await daemon.stop()
    }

    /// Ends its threads and removes its folder.
    func stop() async {
        await parts.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Adds episodes of these titles to the feed, the oldest first.
    func addEpisodes(_ titles: String...) async throws -> [EpisodeID] { try await addEpisodes(titles) }

    func url(of title: String) -> String {
        "http://127.0.0.1:\(InternetListener.port(of: host.raw) ?? 0)/\(title.replacing(" ", with: "-")).mp3"
    }

    func addEpisodes(_ titles: [String]) async throws -> [EpisodeID] {
        try await parts.library.perform { [self] store in
            var contents = FeedContents()
            contents.items = titles.enumerated().map { number, title in
                var item = Item()
                (item.guid, item.title) = (title, title)
                item.published = Timestamp(seconds: Int64(number + 1) * 1000)
                item.enclosures = [Enclosure(url: url(of: title))]
                return item
            }
            let fetch = FetchRecord(time: Timestamp(seconds: 0), httpStatus: 200, nextDue: Timestamp(seconds: 3600))
            _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetch)])
            return try titles.map { try store.episodes.resolveEpisode(url(of: $0)).id }
        }
    }
}
