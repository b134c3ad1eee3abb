import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Reporting
import SQLite
import SystemCalls
import TestSupport
import Testing

/// Downloads, with the installed programs.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct DownloadTests {
    static let audio = [UInt8](repeating: 0x55, count: 200_000)
    private static let half = 100_000
    /// On a busy machine the server may send nothing for ten seconds. The daemon then ends the request and sends another one.
    private let begin = Instant.now

    func subscribed(_ published: PublishedFeed, _ daemon: RunningDaemon) throws -> DaemonConnection {
        try daemon.connect(watching: .player, .activities, .episodes, subscribing: published.feed.url)
    }

    private func listening(to daemon: RunningDaemon) throws -> DaemonConnection {
        try daemon.connect(watching: .player, .activities, .episodes)
    }

    private func titles(of client: DaemonConnection) throws -> [String] {
        let list = try client.call(ListEpisodes { ($0.isDownloaded, $0.order) = (true, .oldestFirst) })
        return list.episodes.map(\.episode.title)
    }

    /// Waits until these are downloaded, oldest first.
    func waitForDownloads(_ wanted: [String], _ client: DaemonConnection) throws {
        while true {
            client.forgetEvents()
            if try titles(of: client) == wanted { return }
            try client.change(of: .episodes)
        }
    }

    /// Waits until `show` reports a state of the download.
    private func waitForWords(_ wanted: String, on title: String, _ client: DaemonConnection) throws {
        while true {
            client.forgetEvents()
            let words = try client.call(ShowEpisode { $0.episode = title }).download
            if words?.contains(wanted) == true { return }
            try client.change(of: .episodes)
        }
    }

    private func isDownloading(_ title: String, _ activities: [Activity], atLeast progress: Double = 0) -> Bool {
        activities.contains {
            $0.kind == .downloading && $0.message == "Downloading" && $0.subject == title
                && $0.progress ?? 0 >= progress
        }
    }

    /// Waits until there is no activity.
    private func waitForRest(_ client: DaemonConnection) throws {
        client.forgetEvents()
        if try client.call(ListActivities()).rows.isEmpty { return }
        try client.activities { $0.isEmpty }
    }

    func cachedFiles(_ daemon: RunningDaemon) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: daemon.scratch.path + "/cache")
            .filter { $0.hasSuffix(".bytes") }
    }

    @Test func aRuleDownloadsNewEpisodes() throws {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: [("Old", Self.audio)], on: server)
        let daemon = try RunningDaemon()
        let client = try subscribed(first, daemon)
        try client.call(AddRule { $0.rule = "title:new then download" })
        let gate = Gate()
        let later = try PublishedFeed(
            episodes: [("Old", Self.audio), ("New", Self.audio)], on: server,
            faults: [.stall(at: Self.half, .gate(gate))])
        try client.call(RefreshFeeds { $0.isForced = true })
        try client.activities { isDownloading("New", $0) }
        try expectEqual(titles(of: client), [])
        gate.open()
        try waitForDownloads(["New"], client)
        try waitForRest(client)
        try expectEqual(client.call(ListEpisodes { $0.filter = "is:downloaded" }).count.count, 1)
        let ranges = later.media[1].requests.map { $0["range"] ?? "none" }
        #expect(ranges == ["bytes=0-"] || Instant.now - begin > .seconds(10), "\(ranges)")
    }

    @Test func whoWaitsForADownloadIsNotHeldUpIfTheEpisodeIsHeardMeanwhile() throws {
        let gate = Gate()
        let published = try PublishedFeed(
            episodes: [("Long", Self.audio)], faults: [.stall(at: Self.half, .gate(gate))])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        let waiting = try ChildProcess(
            Launch(
                Programs.path("podcastctl"), ["--socket", daemon.socketPath, "download", "--wait", "Long"],
                environment: ["PATH=/usr/bin:/bin"]))
        try client.activities { isDownloading("Long", $0) }
        try expectOutcome(daemon.ctl("mark", "played", "Long"), 0)
        expectEqual(waiting.wait(), .exited(0))
        gate.open()
    }

    /// Such servers send radio stations too; the length makes it a file.
    @Test func aFileWithTheHeadersOfARadioStationIsAFile() throws {
        let daemon = try RunningDaemon()
        let client = try listening(to: daemon)
        let station: [Fault] = [
            .field(name: "icy-name", value: "A station"), .field(name: "icy-br", value: "32"),
            .field(name: "icy-metaint", value: "16000"),
        ]
        let feed = try PublishedFeed(episodes: [("Talk", try fixture("forty-seconds.mp3"))], faults: station)
        try expectEqual(daemon.ctl("subscribe", feed.feed.url).status, 0)
        try daemon.play("Talk")
        #expect(abs((try client.player(.playing).duration?.seconds ?? 0) - 40) < 1)
        for command in [["pause"], ["seek", "0:30"]] { try expectEqual(daemon.ctl(command).status, 0) }
        #expect(try client.call(GetStatus()).player.position?.seconds ?? 0 >= 30)
        try expectEqual(daemon.ctl("stop").status, 0)
        try expectOutcome(daemon.ctl("download", "--wait", "Talk"), 0)
        try waitForDownloads(["Talk"], client)
    }

    @Test func aDownloadContinuesAfterARestart() throws {
        let gate = Gate()
        let published = try PublishedFeed(
            episodes: [("Long", Self.audio)], faults: [.stall(at: Self.half, .gate(gate))])
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try subscribed(published, daemon)
            let answer = try client.call(DownloadEpisodes { $0.what = ["Long"] })
            expectEqual(answer.episodes.first?.episode.state.isDownloaded, false)
            try client.activities { isDownloading("Long", $0, atLeast: 0.4) }
            expectEqual(daemon.stop(), .exited(0))
        }
        gate.open()
        let daemon = try RunningDaemon(in: scratch)
        try waitForDownloads(["Long"], try listening(to: daemon))
        let ranges = published.media[0].requests.map { $0["range"] }
        #expect(ranges.count == 2 || Instant.now - begin > .seconds(10), "\(ranges)")
        let start = ranges.last.flatMap { $0?.dropFirst("bytes=".count).prefix { $0 != "-" } }.flatMap { Int($0) } ?? 0
        #expect(start >= Self.half / 2, "\(ranges)")
    }

    @Test func deletingRemovesTheFileAndKeepsTheEpisode() throws {
        let gate = Gate()
        let published = try PublishedFeed(episodes: [("Kept", Self.audio), ("Waiting", Self.audio)])
        let slow = published.server.serve(
            "/1.mp3", .resource(Resource(Self.audio), faults: [.stall(at: Self.half, .gate(gate))]))
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call(DownloadEpisodes { $0.what = ["Kept"] })
        try waitForDownloads(["Kept"], client)
        try client.call(DownloadEpisodes { $0.what = ["Waiting"] })
        try client.activities { isDownloading("Waiting", $0) }
        client.forgetEvents()
        try client.call(DeleteDownloads { $0.what = ["Waiting", "Kept"] })
        try waitForRest(client)
        try expectEqual(titles(of: client), [])
        try expectEqual(client.call(ListEpisodes()).count.count, 2)
        try expectEqual(client.call(ShowEpisode { $0.episode = "Waiting" }).download, nil)
        try expectEqual(cachedFiles(daemon), [])
        withExtendedLifetime(slow) {}
    }

    @Test func aMissingFileIsReportedAndTheNextOneIsDownloaded() throws {
        let published = try PublishedFeed(episodes: [("Good", Self.audio), ("Gone", Self.audio)])
        var gone: LoopbackServer.Endpoint? = published.server.serve("/1.mp3", .status(404))
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call(DownloadEpisodes { $0.what = ["Gone", "Good"] })
        try waitForDownloads(["Good"], client)
        try waitForWords("not found (HTTP 404)", on: "Gone", client)
        try expectContains(daemon.ctl("doctor").output, "1 episode not on disk yet")
        // A new request does not wait for the next attempt.
        gone = nil
        let back = published.server.serve("/1.mp3", .resource(Resource(Self.audio)))
        try client.call(DownloadEpisodes { $0.what = ["Gone"] })
        try waitForDownloads(["Gone", "Good"], client)
        withExtendedLifetime((gone, back)) {}
    }

    @Test func playbackTakesPrecedenceOverDownloads() throws {
        let speech = try minutesOfSpeech()
        let published = try PublishedFeed(episodes: [("Other", Self.audio), ("Played", speech)])
        let gate = Gate()
        let slow = published.server.serve(
            "/1.mp3", .resource(Resource(speech), faults: [.stall(at: 0, .gate(gate))]))
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call(Play { $0.what = "Played" })
        try client.player(.loading)
        try client.call(DownloadEpisodes { $0.what = ["Played", "Other"] })
        try expectEqual(client.call(ShowEpisode { $0.episode = "Other" }).download, "queued")
        #expect(published.media[0].requests.isEmpty)
        gate.open()
        try waitForDownloads(["Other"], client)
        try expectContains(client.call(ShowEpisode { $0.episode = "Played" }).download ?? "", "it is playing")
        try client.player(.playing)
        try client.call(Stop())
        try waitForDownloads(["Played", "Other"], client)
        // What the player had fetched was not fetched again.
        #expect(slow.requests.dropFirst().allSatisfy { $0["range"] != nil })
    }

    @Test func aDownloadWhoseFileIsMissingIsFetchedAgainOnRequest() throws {
        let published = try PublishedFeed(episodes: [("Kept", Self.audio)])
        let daemon = try RunningDaemon()
        _ = try subscribed(published, daemon)
        try expectOutcome(daemon.ctl("download", "--wait", "Kept"), 0)
        for file in try cachedFiles(daemon) {
            try FileManager.default.removeItem(atPath: daemon.scratch.path + "/cache/" + file)
        }
        try expectOutcome(daemon.ctl("download", "--wait", "Kept"), 0, output: "Kept: will be downloaded")
        expectEqual(published.media[0].requests.count, 2)
        try expectEqual(cachedFiles(daemon).count, 1)
    }

    @Test func aStreamWithoutAnEndTakesNoMoreThanTheRoomForDownloadsAndIsNotTriedAgain() throws {
        let published = try PublishedFeed(episodes: [("Plain", Self.audio), ("Endless", Self.audio)])
        let audio = [UInt8](repeating: 0x55, count: 24 << 20)
        let stream = published.server.serve(
            "/1.mp3",
            .resource(
                Resource(audio, etag: nil), faults: [.noLength, .rate(20 << 20), .stall(at: 20 << 20, .gate(Gate()))]))
        let scratch = try Scratch()
        let daemon = try RunningDaemon(
            in: scratch, arguments: ["--config", try scratch.file("small.conf", "[cache]\nsize = 16M\n")])
        let client = try subscribed(published, daemon)
        try expectOutcome(daemon.ctl("download", "--wait", "Endless"), 75, errors: "this is probably a live stream")
        try expectOutcome(daemon.ctl("download", "--wait", "Plain"), 0)
        let rows = try client.call(ListDownloads()).rows
        expectEqual(rows.map(\.title), ["Endless", "Plain"])
        expectEqual(rows.map(\.nextTry), [nil, nil])
        try expectEqual(cachedFiles(daemon).count, 1)
        expectEqual(stream.requests.count, 1)
    }

    @Test func aDownloadThatWasRefusedContinuesAtTheNewAddressOfItsFeed() throws {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: [("Kept", Self.audio)], on: server)
        let expired = server.serve(
            "/0.mp3", .resource(Resource(Self.audio), faults: [.close(at: Self.half)]), .status(403))
        let daemon = try RunningDaemon()
        let client = try subscribed(first, daemon)
        try expectOutcome(daemon.ctl("download", "--wait", "Kept"), 75, errors: "'podcastctl refresh FEED'")
        let signed = server.serve("/0.mp3", .resource(Resource(Self.audio)))
        let feed = republish("0.mp3?token=2", on: server)
        try expectOutcome(daemon.ctl("refresh", "--force", "f1"), 0)
        try waitForDownloads(["Kept"], client)
        // Both requests continue after the first half. The old address refused the first one.
        let ranges = signed.requests.compactMap { $0["range"] }
        #expect(ranges.count { $0.hasPrefix("bytes=9") } >= 2, "\(ranges)")
        withExtendedLifetime((expired, feed)) {}
    }

    @Test func aDownloadContinuesByItselfAtTheAddressThatItsFeedListsByThen() throws {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: [("Kept", Self.audio)], on: server)
        let expired = server.serve("/0.mp3", .status(403))
        let daemon = try RunningDaemon()
        _ = try subscribed(first, daemon)
        let signed = server.serve("/other.mp3", .resource(Resource(Self.audio)))
        let feed = republish("other.mp3", on: server)
        try expectOutcome(daemon.ctl("download", "--wait", "Kept"), 0)
        try expectEqual(pinnedFiles(daemon), [signed.url])
        #expect(signed.requests.count >= 1 && expired.requests.count >= 1)
        withExtendedLifetime(feed) {}
    }

    @Test func aDownloadThatDoesNotFitIsReportedBeforeItStarts() throws {
        let published = try PublishedFeed(
            episodes: [("Long", Self.audio)], faults: [.noRanges, .announcedLength(7 << 30)])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.call(DownloadEpisodes { $0.what = ["Long"] })
        try waitForWords("cache.size", on: "Long", client)
        try expectEqual(titles(of: client), [])
    }

    @Test func aNewlySignedURLOfTheSameFileIsNotDownloadedAgain() throws {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: [("Kept", Self.audio)], on: server)
        let daemon = try RunningDaemon()
        let client = try subscribed(first, daemon)
        try client.call(DownloadEpisodes { $0.what = ["Kept"] })
        try waitForDownloads(["Kept"], client)
        let signed = server.serve("/0.mp3?token=2", .resource(Resource(Self.audio)))
        let feed = republish("0.mp3?token=2", on: server)
        try client.call(RefreshFeeds { $0.isForced = true })
        while try client.call(ShowEpisode { $0.episode = "Kept" }).episode.episode.enclosure.url != signed.url {
            try client.change(of: .episodes)
        }
        try waitForDownloads(["Kept"], client)
        expectEqual(first.media[0].requests.count + signed.requests.count, 1)
        try expectEqual(pinnedFiles(daemon), [signed.url])
        withExtendedLifetime(feed) {}
    }

    /// The feed of one episode again, with another file.
    private func republish(_ url: String, on server: LoopbackServer) -> LoopbackServer.Endpoint {
        let text = """
            <?xml version="1.0"?><rss version="2.0"><channel><title>Test feed</title>
            <item><title>Kept</title><guid>episode-0</guid><pubDate>Mon, 28 Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="\(url)" type="audio/mpeg" length="200000"/></item></channel></rss>
            """
        return server.serve(
            "/feed.xml",
            .resource(Resource(Array(text.utf8), contentType: "application/rss+xml", etag: "\"\(url.utf8.count)\"")))
    }

    /// The URLs of the files that the cache's limit does not touch.
    private func pinnedFiles(_ daemon: RunningDaemon) throws -> [String] {
        let folder = daemon.scratch.path + "/cache/"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".index") }
            .map { try String(contentsOfFile: folder + $0, encoding: .utf8).split(separator: "\n") }
            .filter { $0.contains("pinned yes") }
            .compactMap { $0.first { $0.hasPrefix("url ") }.map { String($0.dropFirst("url ".count)) } }
    }

    @Test func aLibraryThatCannotBeReadIsQueriedAgainAndReportedOnce() throws {
        let published = try PublishedFeed(episodes: [("Wished", Self.audio)])
        let scratch = try Scratch()
        let log = scratch.path + "/log"
        let daemon = try RunningDaemon(in: scratch, log: log)
        let client = try subscribed(published, daemon)
        let library = try Connection(path: scratch.path + "/data/library.db", busyTimeout: .seconds(5), cacheKiB: 64)
        let gate = Gate()
        let slow = published.server.serve(
            "/0.mp3", .resource(Resource(Self.audio), faults: [.stall(at: 0, .gate(gate))]))
        // The request is stored; what is read next meets a library that lacks a table.
        try client.call(DownloadEpisodes { $0.what = ["Wished"] })
        try client.activities { isDownloading("Wished", $0) }
        try library.execute("ALTER TABLE download_request RENAME TO elsewhere")
        try client.call(StarEpisodes { $0.what = ["Wished"] })
        while try told(log).isEmpty { try client.call(UnstarEpisodes { $0.what = ["Wished"] }) }
        try library.execute("ALTER TABLE elsewhere RENAME TO download_request; DELETE FROM download_request")
        // Nothing reports the change: the next attempt finds that the request is gone.
        try client.activities { $0.isEmpty }
        try expectEqual(told(log).count, 1)
        gate.open()
        withExtendedLifetime(slow) {}
    }

    private func told(_ log: String) throws -> [Substring] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("cannot read the download requests") }
    }
}
