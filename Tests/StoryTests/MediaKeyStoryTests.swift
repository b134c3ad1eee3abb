import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Programs of a desktop at podcast-mpris, with a real daemon and a private session bus.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct MediaKeyStoryTests {
    private let scratch: Scratch
    private let bus: PrivateBus
    private let published: PublishedFeed

    init() throws {
        scratch = try Scratch()
        bus = try PrivateBus(in: scratch)
        let (audio, long) = (try fixture("forty-seconds.mp3"), try minutesOfSpeech())
        published = try PublishedFeed(
            title: "Boats &amp; Co", episodes: [("Alpha talk", audio), ("Beta talk", audio), ("Gamma", long)])
    }

    private func daemon() throws -> RunningDaemon {
        let daemon = try RunningDaemon(in: scratch)
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        return daemon
    }

    private func queue(_ titles: String..., in daemon: RunningDaemon) throws {
        try daemon.connect().call(AddToQueue { $0.what = titles })
    }

    /// podcast-mpris, ready.
    private func gateway() throws -> ObservedProgram {
        let notifications = try Notifications(path: scratch.path + "/mpris-\(UUID().uuidString.prefix(6))")
        let gateway = try ObservedProgram(
            Programs.path("podcast-mpris"), ["--socket", scratch.path + "/control"],
            environment: bus.environment + ["NOTIFY_SOCKET=\(notifications.path)", "XDG_RUNTIME_DIR=\(scratch.path)"])
        try #require(notifications.wait(for: "READY=1"), "podcast-mpris did not get ready")
        return gateway
    }

    private func playerctl(_ arguments: String...) throws -> String {
        let result = try bus.run(.playerctl, ["-p", "podcastd"] + arguments)
        return result.status == 0 ? result.output : "failed: \(result.errors)"
    }

    /// Waits until playerctl prints something: what another client changed arrives a moment later.
    private func shows(_ expected: String, _ arguments: String...) throws -> Bool {
        try shows({ $0 == expected }, arguments)
    }

    private func shows(_ matches: (String) -> Bool, _ arguments: [String]) throws -> Bool {
        let deadline = Instant.now + .seconds(60)
        while !matches(try bus.run(.playerctl, ["-p", "podcastd"] + arguments).output) {
            if .now > deadline { return false }
        }
        return true
    }

    private func call(_ method: String, _ arguments: String...) throws -> Outcome<Int32?> {
        try bus.run(
            .gdbus,
            [
                "call", "--session", "--dest", "org.mpris.MediaPlayer2.podcastd", "--object-path",
                "/org/mpris/MediaPlayer2",
            ]
                + ["--method", method] + arguments)
    }

    @Test func mediaKeysDriveTheDaemon() throws {
        let daemon = try daemon()
        try queue("Alpha talk", "Beta talk", in: daemon)
        let gateway = try gateway()
        let client = try daemon.connect(watching: .player)
        try expectEqual(playerctl("status"), "Stopped")
        try expectEqual(playerctl("play"), "")
        try expectEqual(playerctl("status"), "Playing")
        try client.player(.playing)
        try expectEqual(playerctl("play-pause"), "")
        try expectEqual(playerctl("status"), "Paused")
        try expectEqual(playerctl("metadata", "xesam:title"), "Alpha talk")
        try expectEqual(playerctl("metadata", "--format", "{{artist}} / {{album}}"), "Boats & Co / Boats & Co")
        #expect(try shows(published.media[0].url, "metadata", "xesam:url"))
        #expect(try playerctl("metadata", "mpris:trackid").hasPrefix("'/org/podcastd/entry/"))
        // The length is known when the decoder has reached the end.
        #expect(try shows({ $0.hasPrefix("40") }, ["metadata", "mpris:length"]))
        try expectEqual(playerctl("position", "20"), "")
        expectEqual(Double(try playerctl("position")), 20)
        try expectEqual(playerctl("position", "5+"), "")
        expectEqual(Double(try playerctl("position")), 25)
        try expectEqual(playerctl("volume", "0.5"), "")
        try expectEqual(client.call(SetVolume()).volume, 50)
        try expectEqual(playerctl("volume"), "0.500000")
        let next = try playerctl("next")
        expectEqual(next, "")
        try expectEqual(playerctl("metadata", "xesam:title"), "Beta talk")
        try expectEqual(playerctl("previous"), "")
        try expectEqual(playerctl("loop"), "None")
        try expectContains(playerctl("loop", "Track"), "does not repeat")
        try expectEqual(playerctl("shuffle"), "Off")
        try expectEqual(playerctl("open", published.media[2].url), "")
        try expectEqual(playerctl("metadata", "xesam:title"), "Gamma")
        let file = scratch.path + "/my talk.mp3"
        try Data(try fixture("forty-seconds.mp3")).write(to: URL(filePath: file))
        try expectEqual(playerctl("open", file), "")
        try expectEqual(playerctl("metadata", "xesam:title"), "my talk.mp3")
        try expectEqual(playerctl("stop"), "")
        try expectEqual(playerctl("status"), "Stopped")
        expectEqual(gateway.stop(), .exited(0))
        try expectContains(playerctl("status"), "No players found")
    }

    @Test func thePropertiesAreThoseAfterWhatAnotherClientHasJustDone() throws {
        let daemon = try daemon()
        let gateway = try gateway()
        let client = try daemon.connect(watching: .player)
        for _ in 0..<5 {
            try client.call(Play { $0.what = "Alpha talk" })
            try client.player(.playing)
            try client.call(Pause())
            try client.call(TogglePlayback())
            try client.call(ClearQueue())
            try expectEqual(playerctl("status"), "Stopped")
        }
        expectEqual(gateway.stop(), .exited(0))
    }

    @Test func otherProgramsHearOfWhatChanged() throws {
        let daemon = try daemon()
        try queue("Alpha talk", "Beta talk", in: daemon)
        let monitor = try ObservedProgram(
            RequiredTool.dbusMonitor.path(), ["--address", bus.address, "type=signal,path=/org/mpris/MediaPlayer2"])
        try #require(try monitor.wait(for: "NameAcquired"))
        let gateway = try gateway()
        let client = try daemon.connect(watching: .player, .queue)
        try client.play("Alpha talk")
        #expect(try monitor.wait(for: "string \"Playing\""))
        try client.call(Pause())
        #expect(try monitor.wait(for: "string \"Paused\""))
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 30)) })
        #expect(try monitor.wait(for: "member=Seeked\n   int64 30000000"))
        try client.call(SetVolume { $0.level = 20 })
        #expect(try monitor.wait(for: "member=PropertiesChanged"))
        // Nothing but the volume.
        #expect(
            try monitor.wait(
                for: """
                       string "org.mpris.MediaPlayer2.Player"
                       array [
                          dict entry(
                             string "Volume"
                             variant             double 0.2
                          )
                       ]
                       array [
                       ]
                    """))
        #expect(!monitor.text.contains("\"Position\""))
        withExtendedLifetime(gateway) {}
    }

    @Test func theObjectIsAsTheSpecificationSays() throws {
        let daemon = try daemon()
        try queue("Alpha talk", "Beta talk", in: daemon)
        let gateway = try gateway()
        let described = try bus.run(
            .gdbus,
            [
                "introspect", "--session", "--dest", "org.mpris.MediaPlayer2.podcastd", "--object-path",
                "/org/mpris/MediaPlayer2",
            ])
        for line in [
            "interface org.mpris.MediaPlayer2 {", "interface org.mpris.MediaPlayer2.Player {",
            "readonly b HasTrackList = false", "Identity = 'podcastd'", "DesktopEntry = 'podcastd'",
            "SetPosition(in  o TrackId,",
            "readwrite d Volume = 1.0", "readonly b CanControl = true", "readonly d MaximumRate = 4.0",
            "Seeked(x Position)",
        ] { expectContains(described.output, line) }

        let client = try daemon.connect(watching: .player)
        try client.play("Alpha talk")
        #expect(try shows("Playing", "status"))
        let player = "org.mpris.MediaPlayer2.Player."
        let held = try client.call(Pause()).position
        try expectEqual(call(player + "SetPosition", "/org/podcastd/entry/999", "30000000").status, 0)
        try expectEqual(client.call(GetStatus()).player.position, held, "a stale track id has no effect")
        let refused = try call(
            "org.freedesktop.DBus.Properties.Set", "org.mpris.MediaPlayer2.Player", "Rate", "<double 99>")
        #expect(refused.status == 1 && refused.errors.contains("InvalidArgs") && refused.errors.contains("speed"))
        try expectContains(call(player + "OpenUri", "gopher://host/").errors, "NotSupported")
        try expectContains(call(player + "OpenUri", "file:///nonexistent").errors, "No such file")
        withExtendedLifetime(gateway) {}
    }

    @Test func aRestartOfTheDaemonIsSurvived() throws {
        var daemon: RunningDaemon? = try daemon()
        try queue("Gamma", in: daemon!)
        let gateway = try gateway()
        do {
            let client = try daemon!.connect()
            try client.watch([.player])
            try client.play("Gamma")
        }
        #expect(try shows("Playing", "status"))
        _ = daemon?.stop()
        #expect(try shows("Stopped", "status"))
        try expectContains(playerctl("metadata"), "No player could handle this command")
        try expectContains(call("org.mpris.MediaPlayer2.Player.Play").errors, "podcastd is not running")
        daemon = nil
        let again = try RunningDaemon(in: scratch)
        #expect(try shows("Playing", "status"))
        try expectEqual(playerctl("pause"), "")
        try expectEqual(again.connect().call(GetStatus()).player.state, .paused)
        withExtendedLifetime(gateway) {}
    }

    @Test func aSecondOneHasItsProcessIDInItsName() throws {
        let daemon = try daemon()
        let (first, second) = (try gateway(), try gateway())
        let names = try bus.run(.playerctl, ["-l"]).output.split(separator: "\n").sorted()
        expectEqual(names, ["podcastd", "podcastd.instance\(second.number)"])
        withExtendedLifetime((daemon, first)) {}
    }

    @Test func theEndOfTheSessionEndsIt() throws {
        let gateway = try gateway()
        bus.stop()
        expectEqual(gateway.wait(), .exited(69))
    }

    @Test func itSleepsWhileAnEpisodePlays() throws {
        let daemon = try daemon()
        let gateway = try gateway()
        let client = try daemon.connect()
        try client.call(Play { $0.what = "Alpha talk" })
        #expect(try shows("Playing", "status"))
        func position() throws -> Double { try client.call(GetStatus()).player.position?.seconds ?? 0 }
        while try position() < 1 {}
        // The duration is reported once, when the decoder, which runs ahead, has come to the end.
        func duration() throws -> MediaTime? {
            try client.call(ShowEpisode { $0.episode = "Alpha talk" }).episode.episode.duration
        }
        while try duration() == nil {}
        let begin = try position()
        let wakeUps = try gateway.wakeUps()
        while try position() < begin + 2 {}
        #expect(try gateway.wakeUps() - wakeUps <= 1)
        #expect(Double(try playerctl("position")) ?? 0 >= 3)
    }

    @Test func withoutASessionBusItSaysSo() throws {
        try expectOutcome(
            Programs.run(
                "podcast-mpris", ["--socket", scratch.path + "/control"],
                environment: ["DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"]), 69,
            errors: "connect to the session bus: No such file or directory")
    }

    @Test func coversAreLocalFiles() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../AVDecodingTests/Fixtures")
        let picture = [UInt8](try Data(contentsOf: fixtures.appending(path: "opaque.png").standardizedFileURL))
        let server = try LoopbackServer()
        let cover = server.serve("/cover.png", .resource(Resource(picture, contentType: "image/png")))
        let media = server.serve("/talk.mp3", .resource(Resource(try fixture("forty-seconds.mp3"))))
        let document = """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
            <itunes:image href="\(cover.url)"/><item><title>Talk</title><guid>1</guid>
            <description>About boats &amp; nets.</description>
            <enclosure url="\(media.url)" type="audio/mpeg" length="1"/></item></channel></rss>
            """
        let feed = server.serve(
            "/feed.xml", .resource(Resource(Array(document.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(subscribing: feed.url)
        let gateway = try gateway()
        try client.call(Play { $0.what = "Talk" })
        let file = scratch.path + "/podcast-mpris/cover-\(gateway.number)-1.jpg"
        #expect(try shows("file://\(file)", "metadata", "mpris:artUrl"))
        #expect(try Data(contentsOf: URL(filePath: file)).starts(with: [0xFF, 0xD8]))
        try expectEqual(playerctl("metadata", "xesam:comment"), "About boats & nets.")
        expectEqual(gateway.stop(), .exited(0))
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
