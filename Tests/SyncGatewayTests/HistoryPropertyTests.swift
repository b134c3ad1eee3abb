import CRecordingVFS
import ControlLanguage
import ControlProtocol
import Foundation
import GatewayKit
import JSON
import Library
import PodcastModel
import TestSupport
import Testing

@testable import SyncGateway

/// Random histories of three devices of a listener: the server and two clients whose clocks are wrong, which are offline at times, and
/// whose transfers are lost or come twice.
@Suite(.ownThread)
struct HistoryPropertyTests {
    fileprivate static let feed = "https://feeds.example/show"
    fileprivate static let episodes = 3

    enum Step: Equatable, CustomStringConvertible {
        /// - Parameter position: nil for a mark as played or, if the episode is played, as unplayed.
        case act(device: Int, episode: Int, position: Int?)
        case undo(device: Int)
        case sync(device: Int, Fault)
        case wait(seconds: Int64)

        var description: String {
            switch self {
            case .act(let device, let episode, let position):
                ".act(device: \(device), episode: \(episode), position: \(position.map(String.init) ?? "nil"))"
            case .undo(let device): ".undo(device: \(device))"
            case .sync(let device, let fault): ".sync(device: \(device), .\(fault))"
            case .wait(let seconds): ".wait(seconds: \(seconds))"
            }
        }
    }

    enum Fault: CaseIterable {
        case none, noAnswer, halfTheActions, halfSent, lostAnswer, twice
    }

    /// Enough for some seconds; HISTORIES in the environment is another number.
    private static let histories = ProcessInfo.processInfo.environment["HISTORIES"].flatMap(UInt64.init) ?? 300

    private static func history(_ seed: UInt64) -> (offsets: [Int64], steps: [Step]) {
        var random = SeededNumbers(state: seed)
        let offsets: [Int64] =
            [0] + (1...2).map { _ in [0, 0, 3 * 3600, -5 * 3600, 86_400].randomElement(using: &random)! }
        let steps = (0..<Int.random(in: 5...40, using: &random)).map { _ -> Step in
            let device = Int.random(in: 0...2, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let position =
                    Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: 1...1700, using: &random)
                return .act(device: device, episode: Int.random(in: 0..<episodes, using: &random), position: position)
            case 5..<8: return .sync(device: max(1, device), Fault.allCases.randomElement(using: &random)!)
            case 8: return .undo(device: device)
            default: return .wait(seconds: Int64.random(in: 1...40 * 86_400, using: &random))
            }
        }
        return (offsets, steps)
    }

    @Test func afterAnyHistoryAllAgreeOnTheLastActs() throws {
        let template = try World.template()
        defer { try? FileManager.default.removeItem(atPath: template) }
        for seed in 1...Self.histories {
            let (offsets, steps) = Self.history(seed)
            guard let fault = try World.fault(after: steps, offsets, template) else { continue }
            // The fewest steps that still fail.
            var fewest = steps
            var index = 0
            while index < fewest.count {
                var fewer = fewest
                fewer.remove(at: index)
                if try World.fault(after: fewer, offsets, template) != nil {
                    fewest = fewer
                } else {
                    index += 1
                }
            }
            let reason = try World.fault(after: fewest, offsets, template) ?? fault
            Issue.record(
                "seed \(seed), clocks \(offsets): \(reason)\n\(fewest.map(\.description).joined(separator: "\n"))")
            return
        }
    }
}

/// Three libraries, the first of which is the server's.
private final class World {
    typealias Step = HistoryPropertyTests.Step

    final class Device: ChangeLibrary {
        let store: LibraryStore
        let folder: String
        /// Milliseconds by which the clock is ahead of the true time.
        let offset: Int64
        unowned let world: World
        var account = SyncAccount()
        var now: Timestamp { Timestamp(milliseconds: world.time.milliseconds + offset) }

        init(_ template: String, offset: Int64, _ world: World) throws {
            folder = "/dev/shm/podcastd-sync-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: template, toPath: folder + "/library.db")
            store = try LibraryStore(path: folder + "/library.db")
            (self.offset, self.world) = (offset * 1000, world)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Runs with the device's clock.
        func at<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
            test_clock_set(now.milliseconds)
            defer { test_clock_set(0) }
            return try body()
        }

        func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage {
            let page = at {
                try? store.changes.page(
                    since: command.since, through: command.through, kinds: command.kinds, limit: min(command.limit, 2))
            }
            guard let page else { throw SyncFailure(message: "busy", kind: .daemonLost) }
            return ChangePage {
                ($0.changes, $0.revision) = (page.changes, page.revision)
                ($0.latest, $0.hasMore) = (page.latest, page.hasMore)
            }
        }

        func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
            let applied = at {
                try? store.changes.apply(
                    command.changes, of: command.device, isFirst: command.isFirst, except: nil, at: now)
            }
            guard let applied else { throw SyncFailure(message: "busy", kind: .daemonLost) }
            return AppliedChanges {
                ($0.changed, $0.refused) = (applied.changed, applied.refused)
                ($0.before, $0.revision) = (applied.before, applied.revision)
            }
        }

        func states() throws -> [EpisodeState] {
            try (0..<HistoryPropertyTests.episodes).map { try store.episodes.episode(EpisodeID(Int64($0 + 1))).state }
        }
    }

    /// The server as podcast-web presents it to clients of gPodder's interface.
    final class Peer: SyncPeer {
        private let server: Device
        let clockOffset: Int64
        let kinds: [LibraryChange.Kind] = [.playback]
        private let fault: HistoryPropertyTests.Fault
        private var hasSent = false

        init(_ server: Device, for device: Device, _ fault: HistoryPropertyTests.Fault) {
            (self.server, self.fault) = (server, fault)
            clockOffset = -device.offset
        }

        func changes(
            since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
        ) throws(SyncFailure) -> ServerList {
            if fault == .noAnswer { throw SyncFailure(message: "500") }
            var last = since * 1000
            while true {
                let page = try server.list(
                    ListChanges { ($0.since, $0.kinds, $0.limit) = (last, [.playback], 2) })
                let changes = page.changes.compactMap { change in
                    GPodderText.action(change).flatMap {
                        GPodderText.change(parsed($0), of: "server", at: server.now)
                    }.map { read in
                        var change = read
                        change.time = change.time.adding(milliseconds: -clockOffset)
                        return change
                    }
                }
                try apply(ListedChanges(device: "server", changes: changes))
                if fault == .halfTheActions { throw SyncFailure(message: "half an answer") }
                if !page.hasMore { return .read(revision: page.latest / 1000) }
                last = page.revision
            }
        }

        func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
            if fault == .halfSent, hasSent { throw SyncFailure(message: "no network") }
            hasSent = true
            let received = command.changes.compactMap { change in
                GPodderText.action(change, of: "device", clockOffset: clockOffset).flatMap {
                    GPodderText.change(parsed($0), of: "device", at: server.now)
                }
            }
            for _ in 0..<(fault == .twice ? 2 : 1) {
                _ = try server.apply(ApplyChanges { ($0.device, $0.changes) = ("device", received) })
            }
            if fault == .lostAnswer { throw SyncFailure(message: "no answer") }
            return AppliedChanges { $0.changed = received.count }
        }

        private func parsed(_ json: JSONValue) -> JSONValue { (try? JSONValue(parsing: json.text)) ?? .null }
    }

    /// What an act left, and when by the true time.
    private struct Left: CustomStringConvertible {
        var time = Timestamp(seconds: 0)
        var position: Int64 = 0
        var isPlayed = false
        var description: String { isPlayed ? "played" : "\(position)" }
    }

    var time = Timestamp(year: 2026, month: 1, day: 1)
    private var devices: [Device] = []
    private var last: [Left] = Array(repeating: Left(), count: HistoryPropertyTests.episodes)

    /// An empty library with a feed and its episodes.
    static func template() throws -> String {
        try #require(test_clock_install() == 0)
        let path = FileManager.default.temporaryDirectory.path + "/template-\(UUID().uuidString.prefix(8)).db"
        let start = Timestamp(year: 2025, month: 12, day: 1)
        test_clock_set(start.milliseconds)
        defer { test_clock_set(0) }
        let store = try LibraryStore(path: path)
        let id = try store.feeds.addFeed(url: HistoryPropertyTests.feed, title: nil, at: start)
        var contents = FeedContents()
        contents.channel.title = "A show"
        contents.items = (1...HistoryPropertyTests.episodes).map { number in
            var item = Item()
            (item.guid, item.title) = ("guid-\(number)", "Episode \(number)")
            (item.published, item.duration) = (start.adding(seconds: Int64(number)), MediaTime(seconds: 1800))
            item.enclosures = [
                Enclosure(url: "https://cdn.example/show/\(number).mp3", type: "audio/mpeg", length: 1000)
            ]
            return item
        }
        let fetch = FetchRecord(time: start, httpStatus: 200, nextDue: start.adding(seconds: 3600))
        _ = try store.refreshes.merge([FetchedDocument(feed: id, contents: contents, fetch: fetch)])
        return path
    }

    private init(_ offsets: [Int64], _ template: String) throws {
        for offset in offsets { devices.append(try Device(template, offset: offset, self)) }
    }

    /// What is wrong after the steps and three synchronizations of each device without faults; nil if nothing is.
    static func fault(after steps: [Step], _ offsets: [Int64], _ template: String) throws -> String? {
        let world = try World(offsets, template)
        for step in steps { try world.run(step) }
        for _ in 0..<3 {
            for device in 1...2 { try world.run(.sync(device: device, .none)) }
        }
        for (index, left) in world.last.enumerated() {
            for (number, device) in world.devices.enumerated() {
                let state = try device.states()[index]
                let (position, isPlayed) = (Int64(state.position.seconds), state.isPlayed)
                if isPlayed != left.isPlayed || !isPlayed && position != left.position {
                    return "episode \(index) is \(isPlayed ? "played" : "\(position)") on device \(number), not \(left)"
                }
            }
        }
        return nil
    }

    private func run(_ step: Step) throws {
        // Servers keep whole seconds, so that no two acts are in one.
        time = time.adding(seconds: 2)
        switch step {
        case .act(let number, let episode, let position):
            let (device, id) = (devices[number], EpisodeID(Int64(episode + 1)))
            let state = try device.states()[episode]
            try device.at {
                if let position {
                    _ = try device.store.sync.setPosition(
                        MediaTime(seconds: Double(position)), isPlayed: false, of: id, device: nil, heard: nil,
                        at: device.now)
                } else {
                    try device.store.episodes.setPlayed(!state.isPlayed, [id], at: device.now)
                }
            }
            let now = try device.states()[episode]
            last[episode] = Left(time: time, position: Int64(now.position.seconds), isPlayed: now.isPlayed)
        case .undo(let number):
            let device = devices[number]
            let before = try device.states()
            _ = try device.at { () throws(LibraryError) in
                let step = try device.store.history.steps(.undo, at: device.now).first
                if let step, step.act != .subscribed {
                    _ = try device.store.history.turnLast(.undo, step: step.id, at: device.now)
                }
            }
            for (episode, now) in try device.states().enumerated()
            where now.position != before[episode].position || now.isPlayed != before[episode].isPlayed {
                last[episode] = Left(time: time, position: Int64(now.position.seconds), isPlayed: now.isPlayed)
            }
        case .sync(let number, let fault):
            let device = devices[number]
            var pass = ChangePass(
                device.account, device, Peer(devices[0], for: device, fault), isDryRun: false)
            do { #expect(try !pass.run(isAgreed: true)) } catch { #expect(fault != .none, "\(error)") }
            device.account = pass.account
        case .wait(let seconds): time = time.adding(seconds: seconds)
        }
    }
}
