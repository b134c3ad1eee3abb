import CommandLineTool
@testable import DaemonCore
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import Reporting
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// The program as a separate process.
@Suite(.ownThread) struct KilledRefreshTests {
    @Test func aKilledRefreshLeavesAUsableLibraryAndNoLock() throws {
        let rig = try RefreshRig()
        let gate = Gate()
        defer { gate.open() }
        let first = try rig.publish("two-episodes.xml", at: "/first.xml")
        try expectEqual(rig.run("add", first.url).status, .success)
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        rig.serve("/first.xml") { _ in
            .resource(resource, faults: [.stall(at: 400, .gate(gate))])
        }
        let process = try ChildProcess(
            Launch(
                Programs.path("podcast-refresh"), ["--data-dir", rig.data, "--force", "--quiet"],
                environment: ["PATH=/usr/bin:/bin"]))
        #expect(gate.waitForArrival())
        let second = try rig.run("--force")
        #expect(second.status == .success && second.output.contains("1 feed: refreshed by another run"), "\(second)")
        try expectOutcome(rig.run("f1"), .tryAgain, errors: "another refresh of this feed is running")
        process.signal(SIGKILL)
        expectEqual(process.wait(), .signaled(SIGKILL))
        try expectEqual(rig.titles(), ["The second", "The first"])
        gate.open()
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.titles().count, 3)
    }

    /// `PODCASTD_KILLS=100` for as many as one likes.
    @Test func killsAtAnyMomentLeaveWholeFeedsAndNoLock() throws {
        let kills = ProcessInfo.processInfo.environment["PODCASTD_KILLS"].flatMap { Int($0) } ?? 12
        let rig = try RefreshRig()
        // Each answer is another edition, so that every run has rows to write: all of an edition or none.
        let edition = Mutex(0)
        let feeds = (0..<4).map { number in
            rig.serve("/\(number)") { _ in
                let latest = edition.withLock { edition in
                    edition += 1
                    return edition
                }
                return .resource(Resource(Self.show(number, edition: latest, episodes: 150), etag: "\"\(latest)\""))
            }
        }
        try expectEqual(rig.run(["--data-dir", rig.data, "add"] + feeds.map(\.url)).status, .success)
        var random = SystemRandomNumberGenerator()
        for kill in 0..<kills {
            let process = try ChildProcess(
                Launch(
                    Programs.path("podcast-refresh"), ["--data-dir", rig.data, "--force", "--quiet"],
                    environment: ["PATH=/usr/bin:/bin"]))
            // Not a wait for an event: the kill comes at a random moment.
            usleep(UInt32.random(in: 0...250_000, using: &random))
            process.signal(SIGKILL)
            _ = process.wait()
            let store = try rig.store()
            for feed in try store.feeds.feeds() {
                let episodes = try store.episodes.page(
                    EpisodeFilter(feed: feed.id), order: .newestFirst, at: .first, limit: 1000
                ).episodes
                expectEqual(episodes.count, 150, "kill \(kill), \(feed.title)")
                expectEqual(Set(episodes.map { $0.title.split(separator: " ").last }).count, 1, "editions are mixed")
            }
        }
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.run("--force").status, .success)
        let check = try LibraryChecker(
            path: rig.data + "/library.db", isRepairing: false, now: Timestamp(year: 2026, month: 11, day: 21)
        ).run()
        #expect(!check.contains { $0.severity == .problem }, "\(check)")
    }

    private static func show(_ number: Int, edition: Int, episodes: Int) -> [UInt8] {
        let items = (0..<episodes).map { index in
            "<item><guid>\(number)-\(index)</guid><title>Episode \(index) of edition \(edition)</title>"
                + "<enclosure url=\"https://media.example/\(number)/\(index).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        return Array(
            "<rss version=\"2.0\"><channel><title>Show \(number)</title>\(items.joined())</channel></rss>".utf8)
    }
}
