import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Notes, chapters and transcripts, as somebody at a shell finds them.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FindingTests {
    @Test func aTranscriptIsFetchedSearchedAndPlayedFrom() throws {
        let server = try LoopbackServer()
        let audio = server.serve("/1.mp3", .resource(Resource(try fixture("forty-seconds.mp3"))))
        let transcript = server.serve(
            "/1.srt",
            .resource(
                Resource(
                    Array(
                        "1\n00:00:02,000 --> 00:00:04,000\nWelcome back.\n\n2\n00:00:20,500 --> 00:00:23,000\nMind the gap.\n"
                            .utf8), contentType: "text/plain")))
        let chapters = server.serve(
            "/1.json",
            .resource(
                Resource(
                    Array(
                        #"{"chapters": [{"startTime": 0, "title": "Hello"}, {"startTime": 20, "title": "The gap"}]}"#
                            .utf8),
                    contentType: "application/json")))
        let text = """
            <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Rails</title><item>
            <title>Platforms</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg"/>
            <description><![CDATA[<p>About <b>stations</b>, see <a href="https://rails.example/map">the map</a>.</p>]]></description>
            <podcast:chapters url="1.json" type="application/json+chapters"/>
            <podcast:transcript url="1.srt" type="application/srt"/></item></channel></rss>
            """
        let feed = server.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("subscribe", feed.url).status, 0)

        try expectContains(
            daemon.ctl("show", "Platforms").output, "About stations, see the map [1].\n\n[1] https://rails")
        try expectEqual(
            daemon.ctl("show", "--html", "Platforms").output,
            "<p>About <strong>stations</strong>, see <a href=\"https://rails.example/map\">the map</a>.</p>\n")
        try expectContains(daemon.ctl("episodes", "--search", "station").output, "\tAbout [stations], see")

        let words = try daemon.ctl("transcript", "Platforms")
        #expect(words.output == "0:02  Welcome back.\n0:20  Mind the gap.\n" && words.errors == "")
        try expectContains(
            daemon.ctl("transcript", "--srt", "1").output, "2\n00:00:20,500 --> 00:00:23,000\nMind the gap.\n")
        #expect(transcript.requests.count == 1 && chapters.requests.count == 1)
        let all = try daemon.ctl("transcripts", "Rails")
        #expect(all.status == 0 && all.output == "Rails: 0 transcripts fetched, 1 already present\n", "\(all)")
        try expectEqual(daemon.ctl("said", "mind", "gap").output, "e1\t0:20\t\t[Mind] the [gap].\tPlatforms\tRails\n")
        let nowhere = try daemon.ctl("said", "nowhere")
        #expect(nowhere.status == 0 && nowhere.output == "")
        expectEqual(nowhere.errors, "podcastctl: no match in the transcripts fetched so far\n")
        try expectContains(daemon.ctl("show", "1").output, "chapter: 0:20 The gap")

        let client = try daemon.connect(watching: .player)
        try client.call(Play { ($0.what, $0.said) = ("Platforms", "the gap") })
        try client.player(.playing)
        let status = try client.call(GetStatus())
        #expect(try #require(status.player.position?.seconds) >= 20.5)
        try client.call(Pause())
        expectEqual(status.player.chapter?.chapter.title, "The gap")
        try expectEqual(daemon.ctl("play", "1", "--said", "nowhere").status, 66)
        // From there on the next place is the first one again.
        #expect(try daemon.ctl("seek", "--said", "welcome").output.hasPrefix("0:02 "))
        #expect(try daemon.ctl("seek", "--said", "mind the gap").output.hasPrefix("0:20"))
        try expectEqual(daemon.ctl("seek", "--said", "nowhere").status, 66)
        try expectEqual(daemon.ctl("seek").status, 64)
        #expect(!audio.requests.isEmpty)
    }

    @Test func chaptersThatArriveDuringPlaybackAreUsedAtOnce() throws {
        let server = try LoopbackServer()
        let audio = server.serve("/1.mp3", .resource(Resource(try fixture("forty-seconds.mp3"))))
        let chapters = server.serve(
            "/1.json",
            .resource(
                Resource(
                    Array(#"{"chapters": [{"startTime": 0, "title": "Hello"}]}"#.utf8), contentType: "application/json")
            ))
        let text = """
            <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Rails</title><item>
            <title>Platforms</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg"/>
            <podcast:chapters url="1.json" type="application/json+chapters"/></item></channel></rss>
            """
        let feed = server.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: feed.url)
        #expect(chapters.requests.isEmpty)
        try client.watch([.player, .episodes])
        try client.call(Play { $0.what = "Platforms" })
        if try client.call(GetStatus()).player.chapter?.chapter.title != "Hello" {
            _ = try client.player { $0.chapter?.chapter.title == "Hello" }
        }
        withExtendedLifetime(audio) {}
    }
}
