import AudioOutput
import Configuration
@testable import ControlLanguage
@testable import DaemonCore
import JSON
import Library
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import TestSupport
import Testing

/// The daemon's parts over a library with a feed of three episodes (ids 1 to 3, the oldest first), without socket, decoders and
/// podcast-refresh. A command goes to its handler as from a client.
final class HandledLibrary: Sendable {
    /// Starts no process.
    private struct NoDecoders: DecoderStarting {
        func start(
            _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
            events: @escaping @Sendable (DecoderEvent) -> Void
        ) throws(MediaFailure) -> any DecoderSession { throw MediaFailure(.damaged, "no decoder in this test") }
    }

    private let scratch: Scratch
    private let parts: DaemonParts
    private let dispatcher: CommandDispatcher

    private init(_ parts: DaemonParts, in scratch: Scratch) {
        (self.parts, self.scratch) = (parts, scratch)
        dispatcher = parts.commandDispatcher(ConfiguredPermissions(owner: 0, others: nil))
    }

    /// Runs a test with the parts, then stops them.
    static func run(_ test: (HandledLibrary) async throws -> Void) async throws {
        let scratch = try Scratch()
        var settings = Settings()
        for (key, value) in [
            ("daemon.data_dir", scratch.path + "/data"), ("daemon.cache_dir", scratch.path + "/cache"),
            ("output.sink", "null"),
        ] { try settings.set(key, to: value, from: .commandLine) }
        let places = try Places(
            settings: settings, configFile: nil, socket: scratch.path + "/control", variable: { _ in nil },
            isRoot: false)
        try LibraryOpening.makeFolders(places)
        let parts = try await DaemonParts(
            decisions: DecisionThread(), store: try filledStore(places), settings: settings, places: places,
            machine: MachinePorts(
                now: { Timestamp(seconds: 1_000_000) }, decoders: NoDecoders(),
                refresher: Programs.path("podcast-refresh")),
            logger: Logger(levels: LogLevels(.error), hasPriorities: false) { _ in })
        let handled = HandledLibrary(parts, in: scratch)
        do { try await test(handled) } catch {
            await parts.stop()
            throw error
        }
        await parts.stop()
    }

    private static func filledStore(_ places: Places) throws -> LibraryStore {
        let store = try LibraryOpening.open(places)
        let feed = try store.feeds.addFeed(url: "http://host/feed", title: "Whales", at: Timestamp(seconds: 0))
        var contents = FeedContents()
        for (number, title) in ["Blue", "Grey", "Sperm"].enumerated() {
            var item = Item()
            (item.guid, item.title) = (title, title)
            item.published = Timestamp(seconds: Int64(number + 1) * 1000)
            item.enclosures = [Enclosure(url: "http://host/\(title).mp3")]
            contents.items.append(item)
        }
        _ = try store.refreshes.merge(
            contents, into: feed,
            FetchRecord(time: Timestamp(seconds: 0), httpStatus: 200, nextDue: Timestamp(seconds: 3600)))
        return store
    }

    /// The result of a command, as a client gets it.
    /// - Throws: `ControlError` as the client gets it.
    @discardableResult
    func call(
        _ method: String, _ params: JSONValue = [:], as permission: CommandDeclaration.Permission = .admin
    ) async throws -> JSONValue {
        let caller = Caller(
            connection: ConnectionID(1), peer: PeerIdentity(process: 1, user: 0, group: 0, groups: []),
            permission: permission)
        let entry = try #require(dispatcher.entry(named: method), "\(method)")
        switch dispatcher.answer(Request(id: nil, method: method, params: params), of: entry, by: caller) {
        case .now(let result): return try result.get()
        case .reply(let reply): return reply.json
        case .later(let start):
            return try await withCheckedThrowingContinuation { waiting in
                start(CommandCompletion { waiting.resume(with: $0) })
            }
        }
    }

    /// A member of each row of a reply's list.
    func column(
        _ member: String, of list: String, _ method: String, _ params: JSONValue = [:]
    ) async throws -> [JSONValue?] { try await call(method, params)[list]?.arrayValue?.map { $0[member] } ?? [] }
}
