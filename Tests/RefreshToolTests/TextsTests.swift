import CommandLineTool
import JSON
import Library
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// `podcast-refresh texts`.
@Suite(.ownThread) struct TextsTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    /// Subscribes to a feed of one episode that has these elements in its item; BASE is the server.
    private func subscribe(_ elements: String) throws {
        let base = rig.server.url("")
        let feed = """
            <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
            <language>en</language><item><title>One</title><guid>1</guid>
            <enclosure url="BASE/1.mp3" type="audio/mpeg"/>\(elements)</item></channel></rss>
            """
        rig.serve("/feed", .resource(resource(feed.replacing("BASE", with: base), "application/rss+xml")))
        try expectEqual(rig.run("add", base + "/feed").status, .success)
    }

    private func resource(_ text: String, _ type: String, etag: String? = "\"1\"") -> Resource {
        Resource(Array(text.utf8), contentType: type, etag: etag, lastModified: nil)
    }

    private let captions = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Mind the gap.\n"

    @Test func chaptersAndTranscriptAreStored() throws {
        try subscribe(
            """
            <podcast:chapters url="BASE/c.json" type="application/json+chapters"/>
            <podcast:transcript url="BASE/t.vtt" type="text/vtt"/>
            """)
        rig.serve(
            "/c.json", .resource(resource(#"{"chapters": [{"startTime": 5, "title": "Start"}]}"#, "application/json")))
        rig.serve("/t.vtt", .resource(resource(captions, "text/vtt")))
        let ending = try rig.run("texts", "One")
        expectEqual(ending.status, .success)
        expectEqual(ending.output, "One: 1 chapter, 1 cue\n")
        let store = try rig.store()
        try expectEqual(store.episodes.notes(of: EpisodeID(1)).chapters.map(\.title), ["Start"])
        try expectEqual(store.texts.transcript(of: EpisodeID(1), from: 0, limit: 9).cues.first?.speaker, "Ann")
        try expectEqual(
            store.episodes.transcriptMatches("mind gap", in: nil, after: nil, limit: 9).first?.cue.start,
            MediaTime(seconds: 1))
    }

    @Test func theListenersLanguageAndTimesAreWanted() throws {
        try subscribe(
            """
            <podcast:transcript url="BASE/en.vtt" type="text/vtt" language="en"/>
            <podcast:transcript url="BASE/de.txt" type="text/plain" language="de-AT"/>
            <podcast:transcript url="BASE/de.srt" type="application/srt" language="de"/>
            """)
        rig.variables["LANG"] = "de_DE.UTF-8"
        let wanted = rig.serve(
            "/de.srt", .resource(resource("1\n00:00:01,000 --> 00:00:02,000\nHallo\n", "text/plain")))
        let other = rig.serve("/en.vtt", .resource(resource(captions, "text/vtt")))
        try expectEqual(rig.run("texts", "1").status, .success)
        #expect(wanted.requests.count == 1 && other.requests.isEmpty)
        try expectEqual(rig.store().texts.textSources(of: EpisodeID(1)).tries[.transcript]?.language, "de")
    }

    @Test func aDocumentThatIsNoneGivesWayToTheNext() throws {
        try subscribe(
            """
            <podcast:transcript url="BASE/bad.json" type="application/json"/>
            <podcast:transcript url="BASE/t.vtt" type="text/vtt"/>
            """)
        rig.serve("/bad.json", .resource(resource("<html>moved</html>", "text/html")))
        rig.serve("/t.vtt", .resource(resource(captions, "text/vtt")))
        try expectEqual(
            rig.run("texts", "--json", "1").json["episodes"]?.arrayValue?.first?["transcript"]?["count"], 1)
    }

    @Test func aDocumentIsAskedForOnceADayAndThenConditionally() throws {
        try subscribe(#"<podcast:transcript url="BASE/t.vtt" type="text/vtt"/>"#)
        let endpoint = rig.serve("/t.vtt", .resource(resource(captions, "text/vtt")))
        _ = try rig.run("texts", "1")
        try expectEqual(rig.run("texts", "1").output, "One: no chapters, transcript checked recently\n")
        expectEqual(endpoint.requests.count, 1)
        try expectEqual(rig.run("texts", "--force", "1").output, "One: no chapters, transcript unchanged\n")
        expectEqual(endpoint.requests.last?["if-none-match"], "\"1\"")
        try expectEqual(rig.store().texts.transcript(of: EpisodeID(1), from: 0, limit: 9).cues.count, 1)
    }

    @Test func aFailureIsToldAndRememberedAndWhatIsThereStays() throws {
        try subscribe(#"<podcast:transcript url="BASE/t.vtt" type="text/vtt"/>"#)
        rig.serve("/t.vtt", .resource(resource(captions, "text/vtt", etag: nil)))
        _ = try rig.run("texts", "1")
        rig.serve("/t.vtt", .status(503))
        try expectOutcome(rig.run("texts", "--force", "1"), .tryAgain, errors: "One: ")
        let source = try #require(try rig.store().texts.textSources(of: EpisodeID(1)).tries[.transcript])
        #expect(source.failures == 1 && source.error != nil)
        try expectEqual(rig.store().texts.transcript(of: EpisodeID(1), from: 0, limit: 9).cues.count, 1)
    }

    @Test func aDocumentWithoutEndIsCutOff() throws {
        try subscribe(#"<podcast:chapters url="BASE/c.json"/>"#)
        rig.serve("/c.json", .resource(resource(String(repeating: "x", count: 5 << 20), "application/json")))
        try expectOutcome(rig.run("texts", "1"), .badData, errors: "larger than 4 MiB")
    }

    @Test func anEpisodeThatIsNotThereIsNoInput() throws {
        try subscribe("")
        try expectOutcome(rig.run("texts", "nothing"), .noInput, errors: "no episode matches 'nothing'")
    }
}
