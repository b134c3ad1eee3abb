import CommandLineTool
@testable import DaemonCore
import Foundation
import Library
import LoopbackServer
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

/// The program as a process that is killed while it follows a feed's older pages.
@Suite(.ownThread) struct KilledPageWalkTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    /// Starts the program on the rig's library.
    private func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            Launch(
                Programs.path("podcast-refresh"), ["--data-dir", rig.data, "--quiet"] + arguments,
                environment: ["PATH=/usr/bin:/bin"]))
    }

    /// Serves pages of episodes by number, the newest first; the body of one stalls at a gate that is closed.
    @discardableResult
    private func serve(
        _ pages: [[Int]], stuck: Int? = nil, at offset: Int = 0, _ gate: Gate = Gate()
    ) -> LoopbackServer.Endpoint {
        rig.serve("/feed.xml") { request in
            let place = request.query.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
            let next = place < pages.count ? "feed.xml?page=\(place + 1)" : nil
            return .resource(
                Resource(
                    FeedPage(numbers: pages[place - 1], next: next).body, contentType: "application/rss+xml",
                    etag: "\"\(place)\"", lastModified: nil),
                faults: place == stuck ? [.stall(at: offset, .gate(gate))] : [])
        }
    }

    private func expectSound() throws {
        let results = try LibraryChecker(
            path: rig.data + "/library.db", isRepairing: false, now: Timestamp(year: 2026, month: 11, day: 21)
        ).run()
        #expect(results.allSatisfy { $0.severity != .problem }, "\(results)")
    }

    private func expectEpisodes(_ numbers: some Sequence<Int>) throws {
        try expectEqual(rig.titles(), numbers.map { "Episode \($0)" })
    }

    private static let pages = [[12, 11, 10], [9, 8, 7], [6, 5, 4], [3, 2, 1]]

    @Test(arguments: 2...4, [0, 300])
    func atEachPageNothingIsLostAndTheNextRunGoesOnThere(page: Int, offset: Int) throws {
        let gate = Gate()
        defer { gate.open() }
        let stuck = serve(Self.pages, stuck: page, at: offset, gate)
        let process = try start("add", stuck.url)
        #expect(gate.waitForArrival())
        process.signal(SIGKILL)
        expectEqual(process.wait(), .signaled(SIGKILL))
        try expectEpisodes(((5 - page) * 3 + 1...12).reversed())
        try expectSound()
        let pending = try rig.store().feeds.feed(FeedID(1)).pageWalk?.pending
        expectEqual(pending?.url.hasSuffix("page=\(page)"), true)

        let count = rig.server.requests.count
        serve(Self.pages)
        // A page of which some bytes had arrived may have been in the parser at the kill, and is then put off unless asked for.
        try expectEqual((offset == 0 ? rig.run() : rig.run("--force")).status, .success)
        expectEqual(rig.server.requests.dropFirst(count).compactMap(\.query), (page...4).map { "page=\($0)" })
        try expectEpisodes((1...12).reversed())
        let walk = try rig.store().feeds.feed(FeedID(1)).pageWalk
        #expect(walk?.end == .last && walk?.pages == 3 && walk?.episodes == 9)
        try expectSound()
    }

    /// `PODCASTD_KILLS=100` for as many as one likes.
    @Test func atAnyMomentPagesComeWholeAndOnce() throws {
        let kills = ProcessInfo.processInfo.environment["PODCASTD_KILLS"].flatMap { Int($0) } ?? 12
        let pages = (0..<12).map { page in (0..<60).map { 720 - page * 60 - $0 } }
        let endpoint = serve(pages)
        var random = SystemRandomNumberGenerator()
        var kept = 0
        for kill in 0..<kills {
            // When all episodes are stored, the test begins again.
            if kept == 720 {
                try FileManager.default.removeItem(atPath: rig.data)
                kept = 0
            }
            let process = try kept == 0 ? start("add", endpoint.url) : start("--force")
            // Not a wait for an event: the kill comes at a random moment.
            usleep(UInt32.random(in: 20_000...250_000, using: &random))
            process.signal(SIGKILL)
            _ = process.wait()
            let numbers = try episodes()
            expectEqual(numbers, Array((720 - numbers.count + 1..<721).reversed()), "kill \(kill)")
            #expect(numbers.count % 60 == 0 && numbers.count >= kept, "kill \(kill)")
            kept = numbers.count
        }
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        // A page that was being read when the process was killed is put off, unless somebody asks for it.
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(episodes(), Array((1...720).reversed()))
        try expectEqual(rig.store().feeds.feed(FeedID(1)).pageWalk?.end, .last)
        try expectSound()
    }

    /// The numbers of all episodes, newest first.
    private func episodes() throws -> [Int] {
        // On a slow machine the kill may come before there is a library.
        guard FileManager.default.fileExists(atPath: rig.data + "/library.db") else { return [] }
        let page = try rig.store().episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 1000)
        return page.episodes.compactMap { $0.title.split(separator: " ").last.flatMap { Int($0) } }
    }

    @Test func atTheNewestPageTheFeedIsSubscribedToAnew() throws {
        let gate = Gate()
        defer { gate.open() }
        let stuck = serve(Self.pages, stuck: 1, gate)
        let process = try start("add", stuck.url)
        #expect(gate.waitForArrival())
        process.signal(SIGKILL)
        expectEqual(process.wait(), .signaled(SIGKILL))
        try expectEpisodes([])
        let whole = serve(Self.pages)
        try expectEqual(rig.run("add", whole.url).status, .success)
        try expectEpisodes((1...12).reversed())
        try expectEqual(rig.store().feeds.feeds().count, 1)
        try expectSound()
    }
}
