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
        let template = try SyncedLibrary.template(episodes: Self.episodes)
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

    final class Device: SyncedLibrary {
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

    private init(_ offsets: [Int64], _ template: String) throws {
        for offset in offsets { devices.append(try Device(template, offset: offset) { [unowned self] in time }) }
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
                    try device.setPosition(position, of: id)
                } else {
                    try device.store.episodes.setPlayed(!state.isPlayed, [id], at: device.now)
                }
            }
            let now = try device.states()[episode]
            last[episode] = Left(time: time, position: Int64(now.position.seconds), isPlayed: now.isPlayed)
        case .undo(let number):
            let device = devices[number]
            let before = try device.states()
            try device.undoLast()
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
