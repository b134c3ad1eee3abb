import CommandLineTool
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import Library
import LineServing
import LoopbackServer
import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

/// Remembers the commands of a section, and gives activities numbers from 41 on.
private struct RecordingHandler {
    let section: CommandSection
    let record: Record

    final class Record: Sendable {
        private let calls = Mutex<[any Command]>([])
        var all: [any Command] { calls.withLock { $0 } }
        func all<Called: Command>(_ type: Called.Type) -> [Called] { all.compactMap { $0 as? Called } }
        func add(_ command: any Command) -> Int {
            calls.withLock { calls in
                calls.append(command)
                return calls.count
            }
        }
    }

    var answers: [AnsweredCommand] { section.types.map { answered($0) } }

    private func answered<Called: Command>(_ type: Called.Type) -> AnsweredCommand {
        AnsweredCommand { (command: Called, _) in .value(["id": .integer(Int64(40 + record.add(command)))] as JSONValue)
        }
    }
}

private struct Everything: PermissionPolicy {
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .control }
}

private struct NoStatus: StatusSource {
    func value(of part: StatusPart) -> JSONValue { .null }
}

@Suite(.ownThread) struct DaemonTests {
    private let rig: RefreshRig
    private let record = RecordingHandler.Record()
    private let server: ControlServer

    init() throws {
        rig = try RefreshRig()
        let path = rig.file("control")
        server = try ControlServer(
            dispatcher: Self.dispatcher(record), status: NoStatus(), policy: Everything())
        try server.start(on: [try LineListener(path: path)])
        rig.variables["PODCASTD_SOCKET"] = path
    }

    private static func dispatcher(_ record: RecordingHandler.Record) -> CommandDispatcher {
        let sections: [CommandSection] = [.activities, .feeds]
        return CommandDispatcher(
            sections.flatMap { RecordingHandler(section: $0, record: record).answers }, version: "1",
            policy: Everything())
    }

    @Test func theDaemonIsToldOfTheWorkAndOfWhatChanged() throws {
        defer { server.stop() }
        let gate = Gate()
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        rig.serve("/feed.xml") { _ in .after(.gate(gate), .resource(resource)) }
        let opener = Thread {
            _ = gate.waitForArrival()
            gate.open()
        }
        opener.start()
        try expectEqual(rig.run("--force").status, .success)
        let begun = try #require(record.all(BeginActivity.self).first { $0.kind == .refreshing })
        expectEqual(begun.message, "Refreshing feeds")
        // The daemon hears what holds when its turn comes, which may be the end already.
        expectContains(["0 of 1", "1 of 1"], begun.subject)
        expectEqual(record.all(ReportChanges.self).first?.newFeeds, [FeedID(1)])
        expectEqual(record.all(ReportChanges.self).first?.newEpisodes, [EpisodeID(1), EpisodeID(2)])
        let later = try #require(record.all(ReportChanges.self).last)
        #expect(later.feeds == [FeedID(1)] && later.newEpisodes == [EpisodeID(3)] && later.episodes.count == 1)
        #expect(!record.all(EndActivity.self).isEmpty)
        let ended = try #require(record.all(ReportRefresh.self).last)
        expectEqual(ended, ReportRefresh { ($0.changed, $0.newEpisodes) = (1, 1) })
    }

    /// A daemon at the standard path, in place of the other one.
    private func usualServer() throws -> ControlServer {
        server.stop()
        let usual = try ControlServer(dispatcher: Self.dispatcher(record), status: NoStatus(), policy: Everything())
        try usual.start(on: [try LineListener(path: rig.file("podcastd/control"))])
        return usual
    }

    @Test func aDaemonAtTheUsualPlaceIsNotToldOfAnotherLibrary() throws {
        let usual = try usualServer()
        defer { usual.stop() }
        rig.variables = ["XDG_RUNTIME_DIR": rig.folder.path, "HOME": rig.folder.path]
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        #expect(record.all.isEmpty)
    }

    /// The service manager listens there too while the daemon is down, and would start it.
    @Test func theSocketOfTheDaemonThatHoldsTheLibraryIsUsedWhateverTheEnvironment() throws {
        let usual = try usualServer()
        defer { usual.stop() }
        let folder = rig.file("data/podcastd")
        rig.variables = ["XDG_DATA_HOME": rig.file("data")]
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run(["add", feed.url]).status, .success)
        #expect(record.all.isEmpty)
        let lock = try LibraryLock(.daemon, in: folder)
        lock.record(socket: rig.file("podcastd/control"))
        try expectEqual(rig.run(["--force"]).status, .success)
        #expect(!record.all.isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test func withoutADaemonNothingIsMissed() throws {
        server.stop()
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
    }
}
