import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import MachineSupport
import PodcastModel
import Reporting
import SystemCalls
import Testing
import TestSupport

/// What `play` says about what it cannot play yet, or never, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PlayOutcomeStoryTests: DaemonStory {
    // `play` waits three seconds for what it plays. On a busy machine even a failure may take longer; `--wait` waits for it.
    private let server: LoopbackServer
    let daemon: RunningDaemon
    private let client: DaemonConnection

    init() throws {
        server = try LoopbackServer()
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, .activities)
    }

    /// Expects that `play` named a cause. If the cause became known later than `play` waits, the player reports it.
    private func expect(
        _ cause: String, by outcome: Outcome<Int32?>
    ) throws {
        expectEqual(outcome.status, 75, "\(outcome)")
        if outcome.errors.contains(cause) { return }
        expectContains(outcome.errors, "still loading", "\(outcome)")
        try client.player { ($0.reason ?? $0.error)?.contains(cause) == true }
    }

    /// Runs `play`, and again if the episode took longer to load than the three seconds that `play` waits.
    private func play(_ what: String) throws -> Outcome<Int32?> {
        let (begin, outcome) = (Instant.now, try ctl("play", what))
        let isSlow = outcome.errors.contains("still loading") && Instant.now > begin + .seconds(3)
        return try isSlow ? play(what) : outcome
    }

    // MARK: what cannot be played

    @Test func whatIsNoFileOfAudioEndsPlayWithItsCauseAndLeavesTheLibrary() throws {
        let missing = server.serve("/gone.mp3", .status(404))
        try expectOutcome(ctl("play", "--wait", missing.url), 69, errors: "\(missing.url): not found (HTTP 404)")
        // The entry is removed after the report.
        try client.player { $0.state == .stopped && $0.episode == nil }
        while try !client.call(ListQueue()).entries.isEmpty {}
        #expect(try client.call(ListFeeds()).rows.isEmpty)
        let page = server.serve(
            "/page.mp3", .resource(Resource(Array("<html><body>no audio</body></html>".utf8), contentType: "text/html"))
        )
        try expectOutcome(ctl("play", "--wait", page.url), 65, errors: "sent a web page instead of audio")
    }

    @Test func nothingElseStartsInPlaceOfWhatWasAskedFor() throws {
        let good = server.serve("/good.mp3", .resource(Resource(try minutesOfSpeech())))
        try expectEqual(ctl("add", good.url).status, 0)
        let missing = server.serve("/gone.mp3", .status(410))
        let outcome = try ctl("play", "--wait", missing.url)
        expectEqual(outcome.status, 69)
        #expect(!outcome.errors.contains("continuing"), "\(outcome)")
        try expectEqual(client.player(.stopped).error?.contains("permanently removed"), true)
        // The chapters of good.mp3 may have been read ahead, so a request does not prove playback.
        #expect(try !client.call(ListHistory()).rows.contains { $0.record.title == "good.mp3" })
    }

    @Test func whatPlayedBeforeContinuesAfterAFailure() throws {
        let good = server.serve("/good.mp3", .resource(Resource(try minutesOfSpeech())))
        try expectOutcome(play(good.url), 0, output: "good.mp3\nSingle files\n")
        try client.player(.playing)
        let missing = server.serve("/gone.mp3", .status(404))
        try expectOutcome(ctl("play", "--wait", missing.url), 69, errors: "continuing with 'good.mp3'")
        try expectEqual(client.player(.playing).episode?.title, "good.mp3")
        // The removal of the other one follows the report.
        while try client.call(ListQueue()).entries.count != 1 {}
    }

    // MARK: what stays of a request that failed

    @Test func aFileWhoseHostRefusesLeavesTheLibraryUnlessItWasQueuedBefore() throws {
        let closed = server.serve("/closed.mp3", .status(403))
        #expect(try ctl("play", closed.url).status != 0)
        try client.player { $0.state == .stopped && $0.episode == nil }
        // The entry is removed after the report.
        while try !client.call(ListQueue()).entries.isEmpty {}
        #expect(try client.call(ListFeeds()).rows.isEmpty)
        try expectEqual(ctl("add", closed.url).status, 0)
        #expect(try ctl("play", closed.url).status != 0)
        try expectEqual(client.call(ListQueue()).entries.count, 1)
    }

    @Test func aFileOfAHostThatCannotBeReachedLeavesTheLibraryWhenItIsStopped() throws {
        let closed = try RefusingPort()
        defer { withExtendedLifetime(closed) {} }
        let url = closed.url("/a.mp3")
        try client.call(Play { $0.what = url })
        try client.player { $0.reason?.contains("reconnecting") == true }
        try expectEqual(client.call(ListFeeds()).rows.count, 1)
        try expectEqual(ctl("stop").status, 0)
        try client.player { $0.state == .stopped && $0.episode == nil }
        while try !client.call(ListFeeds()).rows.isEmpty {}
        // The entry is removed after the report.
        while try !client.call(ListQueue()).entries.isEmpty {}
    }

    @Test func thePlayContextIsAsBeforeAfterAFailure() throws {
        let audio = try minutesOfSpeech()
        let serial = try PublishedFeed(
            title: "Serial", episodes: [("Part 2", audio), ("Part 1", audio)], on: server)
        try client.call(Subscribe { $0.urls = [serial.feed.url] })
        try daemon.play("Serial", "--oldest-first")
        try client.player { $0.state == .playing && $0.upcoming.next?.title == "Part 2" }
        let missing = server.serve("/gone.mp3", .status(404))
        try expectEqual(ctl("play", "--wait", missing.url).status, 69)
        let after = try client.player { $0.state == .playing && $0.upcoming.next?.title == "Part 2" }
        #expect(after.episode?.title == "Part 1" && after.upcoming.context?.name == "Serial")
    }

    // MARK: hosts

    @Test func aHostThatRefusesIsNamedWithTheNextTry() throws {
        let closed = try RefusingPort()
        defer { withExtendedLifetime(closed) {} }
        let url = closed.url("/a.mp3")
        let outcome = try ctl("play", url)
        try expect("cannot connect to 127.0.0.1", by: outcome)
        try client.player { $0.reason?.contains("reconnecting in") == true }
        try expectEqual(ctl("stop").status, 0)
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
    }

    @Test func anUnknownHostIsCalledThat() throws {
        try expect("unknown host nowhere.invalid", by: try ctl("play", "http://nowhere.invalid/a.mp3"))
    }

    @Test func whoWaitsForTheEndWaitsForAHostThatIsBusyAtFirst() throws {
        let busy = try LoopbackServer()
        let speech = try fixture("one-and-a-half-seconds.mp3")
        let episode = busy.serve(
            "/a.mp3", .status(503), .status(503), .status(503), .status(503), .resource(Resource(speech)))
        try expectOutcome(ctl("play", episode.url, "--wait"), 0)
        #expect(episode.requests.count >= 5)
    }

    @Test func waitingDistinguishesStoppedFromReplacedEpisodes() throws {
        // An episode that is left in its last 30 seconds counts as heard.
        let speech = Resource(try minutesOfSpeech())
        let long = server.serve("/long.mp3", .resource(speech))
        let other = server.serve("/other.mp3", .resource(speech))
        for (command, status) in [(["stop"], 1), (["play", other.url], 2)] as [([String], Int32)] {
            let waiting = try ChildProcess(
                Launch(
                    Programs.path("podcastctl"), ["--socket", daemon.socketPath, "play", long.url, "--wait"],
                    environment: ["PATH=/usr/bin:/bin"]))
            // Not a change of the former turn, which may still be here.
            try client.player(.playing)
            try expectEqual(daemon.ctl(command).status, 0)
            expectEqual(waiting.wait(), .exited(status))
        }
    }

    @Test func aHostThatHangsIsNamedFromTheFirstSecond() throws {
        // The kernel accepts connections to it; no program answers them.
        let silent = try LoopbackListener()
        let host = "127.0.0.1:\(silent.port)"
        let outcome = try ctl("play", "http://\(host)/slow.mp3")
        try expect("no answer from", by: outcome)
        let shown = try client.activities { $0.contains { $0.subject?.contains("no answer from") ?? false } }
        #expect(shown.contains { $0.subject?.contains("no answer from \(host) for") ?? false })
        try client.player { $0.reason?.contains("next try in") ?? false }
        try expectEqual(client.call(Stop()).state, .stopped)
        silent.shutdown()
    }

    // MARK: feeds and streams

    @Test func theURLOfAFeedPlaysItsNewestEpisodeWithoutSubscribing() throws {
        let speech = try minutesOfSpeech()
        let published = try PublishedFeed(episodes: [("Newest", speech), ("Older", speech)], on: server)
        let outcome = try play(published.feed.url)
        expectEqual(outcome.status, 0, "\(outcome)")
        #expect(
            outcome.output.hasPrefix(
                "'Test feed' is not subscribed to; to subscribe: podcastctl subscribe \(published.feed.url)\nNewest\n"))
        try expectEqual(client.call(ListFeeds()).rows.map(\.feed.title), ["Single files"])
        try expectEqual(client.call(ListQueue()).entries.map { $0.episode?.episode.title }, ["Newest"])
        expectEqual(published.media.map(\.requests.count), [1, 0])
    }

    @Test func anEndlessStreamWithoutAMediaSuffixPlays() throws {
        var audio: [UInt8] = []
        // From the middle of a frame, as stations send it.
        for _ in 0..<100 { audio += try fixture("forty-seconds.mp3") }
        let stream = server.serve(
            "/listen",
            .resource(Resource(Array(audio.dropFirst(1234)), etag: nil), faults: [.noLength, .rate(400_000)]))
        try daemon.play(stream.url, watchedBy: client)
        try expectOutcome(
            ctl("subscribe", stream.url), 65, errors: "not a feed: the document is an audio file or stream (audio/mpeg)"
        )
        try expectEqual(client.call(Stop()).state, .stopped)
    }

    /// - Parameter isRefreshed: whether the user refreshes the feed before the address expires; if not, podcastd does afterwards.
    @Test(arguments: [true, false])
    func anEpisodeWhoseSignedAddressExpiredContinuesAtTheAddressThatTheFeedHasNow(isRefreshed: Bool) throws {
        let audio = try fixture("forty-seconds.mp3")
        func feed(_ address: String) -> Answer {
            let text = """
                <rss version="2.0"><channel><title>Signed</title><item><title>Long</title><guid>long</guid>
                <enclosure url="\(address)" type="audio/mpeg" length="\(audio.count)"/></item></channel></rss>
                """
            return .resource(Resource(Array(text.utf8), contentType: "application/rss+xml", etag: "\"\(address)\""))
        }
        // Long enough for the refresh.
        let faults: [Fault] = [.rate(20_000), .close(at: audio.count / 2)]
        let old = server.serve("/old/long.mp3", .resource(Resource(audio), faults: faults), .status(403))
        let new = server.serve("/new/long.mp3", .resource(Resource(audio)))
        let signed = server.serve("/signed.xml", feed(old.url), feed(new.url))
        try expectEqual(ctl("subscribe", signed.url).status, 0)
        try daemon.play("Long", watchedBy: client)
        if isRefreshed { try expectEqual(ctl("refresh", "--force").status, 0) }
        try client.call(Seek { $0.time = TimeArgument(parsing: "0:30") })
        #expect(new.waitForRequests(1) && old.requests.count > 1)
        let player = try client.player { $0.state == .playing && $0.position?.seconds ?? 0 >= 30 }
        #expect(player.episode?.title == "Long" && player.error == nil)
    }

    @Test func aLiveStreamIsHeardFromNowOnAndNeitherSoughtInNorDownloaded() throws {
        var audio: [UInt8] = []
        for _ in 0..<100 { audio += try fixture("forty-seconds.mp3") }
        let stream = server.serve(
            "/radio",
            .resource(
                Resource(audio, etag: nil),
                faults: [.noLength, .rate(400_000), .field(name: "icy-name", value: "Test radio")]))
        try daemon.play(stream.url, watchedBy: client)
        try expectOutcome(ctl("seek", "+30"), 65, errors: "this is a live stream")
        try expectEqual(ctl("stop").status, 0)
        let episode = try #require(try client.call(ListEpisodes()).episodes.first?.episode)
        expectEqual(episode.state.position, .zero)
        let requests = stream.requests.count
        try daemon.play("1", watchedBy: client)
        #expect(stream.requests.dropFirst(requests).allSatisfy { ($0["range"] ?? "bytes=0-") == "bytes=0-" })
        try expectEqual(ctl("stop").status, 0)

        try expectEqual(ctl("download", "--wait", stream.url).status, 75)
        try expectContains(ctl("downloads").output, "this is a live stream, which has no end")
    }

    // MARK: downloads and lists

    @Test func aDownloadThatIsDeletedBeforeItsEndIsCancelled() throws {
        let silent = try LoopbackListener()
        try expectEqual(ctl("download", "http://127.0.0.1:\(silent.port)/a.mp3").status, 0)
        #expect(try ctl("delete", "e1").output.hasSuffix("cancelled the download of 1 episode\n"))
        silent.shutdown()
    }

    @Test func newMeansTheSameInFeedsPlaylistsAndFilters() throws {
        let published = try PublishedFeed(episodes: [("C", [0]), ("B", [0]), ("A", [0])], on: server)
        try expectEqual(ctl("subscribe", published.feed.url).status, 0)
        try expectEqual(ctl("feeds", "--format", "{new}").output, "1\n")
        try expectEqual(ctl("episodes", "--filter", "is:new", "--format", "{title}").output, "C\n")
        try expectEqual(ctl("episodes", "--filter", "not is:new", "--format", "{title}").output, "B\nA\n")
        #expect(try ctl("add", "playlist:new").output.hasSuffix("queued 1 episode (1 in queue)\n"))
        try expectContains(ctl("playlist", "new", "--json").output, "\"count\":1")
        try expectEqual(ctl("mark", "played", "C").status, 0)
        try expectEqual(ctl("episodes", "--filter", "is:new", "--format", "{title}").output, "")
    }

    // MARK: the queue

    @Test func conditionsQueueOnlyWhatIsNotQueuedYetAndSayHowMany() throws {
        let speech = try minutesOfSpeech()
        let published = try PublishedFeed(episodes: [("C", speech), ("B", speech), ("A", speech)], on: server)
        try expectEqual(ctl("subscribe", published.feed.url).status, 0)
        try expectEqual(ctl("add", "B").output, "queued 'B' (1 in queue)\n")
        let (first, again) = (try ctl("add", "filter:is:unplayed"), try ctl("add", "filter:is:unplayed"))
        #expect(first.output.hasSuffix("queued 2 episodes, 1 queued already (3 in queue)\n"))
        #expect(again.output.hasSuffix("queued 0 episodes, 3 queued already (3 in queue)\n"))
        #expect(try play("filter:is:unplayed").output.hasPrefix("queued 0 episodes\n"))
        try expectEqual(client.call(ListQueue()).entries.count, 3)
        try expectEqual(ctl("add", "B").output, "'B' is already queued at #1\n")
        #expect(try ctl("insert", "B", "C").output.hasSuffix("queued 0 episodes, 2 queued already (3 in queue)\n"))
        try expectEqual(ctl("add", "B", "--again").output, "queued 'B' (4 in queue)\n")
    }
}
