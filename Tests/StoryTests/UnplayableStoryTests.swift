import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Files that cannot be played are named, and never downloaded.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct UnplayableStoryTests {
    @Test func whatCannotBePlayedIsNamedWhenItIsSubscribedToAndNeverDownloaded() throws {
        let server = try LoopbackServer()
        let song = server.serve("/song.m4p", .resource(Resource([1, 2, 3], contentType: "audio/x-m4p")))
        let tune = server.serve("/tune.mid", .resource(Resource([4, 5, 6], contentType: "audio/midi")))
        let talk = server.serve("/talk.mp3", .resource(Resource(try fixture("one-and-a-half-seconds.mp3"))))
        func item(_ title: String, _ media: LoopbackServer.Endpoint, _ type: String) -> String {
            """
            <item><title>\(title)</title><guid>\(title)</guid><pubDate>Mon, 28 Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="\(media.url)" type="\(type)" length="1000"/></item>
            """
        }
        let text = """
            <?xml version="1.0"?><rss version="2.0"><channel><title>Mixed</title>
            \(item("Song", song, "audio/x-m4p"))\(item("Tune", tune, "audio/midi"))\(item("Talk", talk, "audio/mpeg"))
            </channel></rss>
            """
        let feed = server.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        try expectOutcome(
            daemon.ctl("subscribe", feed.url), 0, output: "2 of its 3 newest episodes cannot be played: ", "Apple DRM",
            "MIDI")
        try expectContains(daemon.ctl("episodes").output, "Song [Apple DRM: cannot be played]")

        try expectOutcome(
            daemon.ctl("download", "Tune", "--wait"), 65,
            errors: "'Tune' is not downloaded, because MIDI cannot be played")
        try expectOutcome(
            daemon.ctl("download", "Song", "Tune", "Talk", "--wait"), 0,
            output: "Song: not downloaded, because Apple DRM cannot be played")
        try expectEqual(daemon.ctl("downloads").output.contains("Song"), false)
        let client = try daemon.connect()
        while try client.call(ShowEpisode { $0.episode = "Talk" }).episode.episode.state.isDownloaded == false {}
        let shown = try daemon.ctl("show", "Song").output
        #expect(shown.contains("cannot be played") && !shown.contains("on disk"))
        #expect(song.requests.isEmpty && tune.requests.isEmpty)

        // A failed `play` leaves the queue as it was.
        try expectEqual(daemon.ctl("play", "--wait", "Tune").status, 65)
        // The entry is removed after the report.
        while try !client.call(ListQueue()).entries.isEmpty {}
    }
}
