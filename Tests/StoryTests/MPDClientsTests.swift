import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Listeners with the clients of MPD that Debian has, and a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct MPDClientsTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed
    private let gateway: RunningGateway

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(title: "Talks", episodes: [("Alpha", audio), ("Beta", audio), ("Gamma", audio)])
        let (daemon, url) = (try RunningDaemon(), published.feed.url)
        self.daemon = daemon
        try daemon.connect().call(Subscribe { $0.urls = [url] })
        gateway = try RunningGateway("podcast-mpd", daemon: daemon.socketPath, in: daemon.scratch, hasPort: true)
    }

    private func mpc(_ arguments: String...) throws -> Outcome<Int32?> {
        try Programs.run(
            Launch(
                try RequiredTool.mpc.path(), arguments,
                environment: ["MPD_HOST=127.0.0.1", "MPD_PORT=\(gateway.port)", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"])
        )
    }

    @Test func aListenerWithMPC() throws {
        #expect(try mpc("ls").output.hasPrefix("Talks\n"))
        try expectEqual(mpc("add", "Talks").status, 0)
        try expectEqual(mpc("playlist").output, "Talks - Gamma\nTalks - Beta\nTalks - Alpha\n")
        #expect(try mpc("play", "2").output.hasPrefix("Talks - Beta\n"))
        try daemon.connect().player(.playing)
        try expectContains(mpc("pause").output, "[paused]  #2/3")
        try expectContains(mpc("seek", "00:00:10").output, "0:10/0:40 (25%)")
        try expectContains(mpc("seek", "+00:00:05").output, "0:15/0:40")
        let half = try mpc("seek", "50%").output
        #expect(half.contains("[paused]  #2/3") && half.contains("0:20/0:40 (50%)"))
        try expectContains(mpc("volume", "30").output, "volume: 30%")
        try expectContains(mpc("volume", "+5").output, "volume: 35%")
        #expect(try mpc("next").output.hasPrefix("Talks - Alpha\n"))
        try expectEqual(mpc("toggle").status, 0)
        try expectEqual(
            mpc("insert", try mpc("search", "title", "gamma").output.trimmingCharacters(in: .newlines)).status, 0)
        #expect(try mpc("move", "1", "2").status == 0 && mpc("del", "1").status == 0)
        let cropped = try mpc("crop")
        let left = try mpc("playlist").output
        #expect(cropped.status == 0 && left.split(separator: "\n").count == 1, "\(cropped.errors)")
        #expect(try mpc("clear").status == 0 && mpc("playlist").output.isEmpty)
        #expect(try mpc("load", "new").status == 0 && mpc("lsplaylists").output.contains("inProgress\n"))
        try expectEqual(mpc("list", "album").output, "Talks\n")
        try expectEqual(mpc("findadd", "title", "Beta").status, 0)
        try expectContains(mpc("outputs").output, "is enabled")
        try expectContains(mpc("stats").output, "Songs:        3")
        try expectContains(mpc("single", "once").output, "single: once")
        try expectEqual(mpc("update", "--wait").status, 0)
        try expectOutcome(mpc("random", "on"), 1, errors: "there is no random order")
    }

    @Test func aListenerWithPythonAsHomeAssistantUsesIt() throws {
        let python = try RequiredPython.path(with: "mpd")
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script("mpd_story.py"), "127.0.0.1", gateway.port],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(120))
        expectEqual(result.status, 0, "\(result.errors.suffix(4000))")
    }

    @Test func aListenerWithNcmpcpp() throws {
        let config = try daemon.scratch.file("ncmpcpp", "ncmpcpp_directory = \(daemon.scratch.path)\n")
        let screen = try TmuxTerminal(
            [try RequiredTool.ncmpcpp.path(), "-h", "127.0.0.1", "-p", gateway.port, "-c", config], columns: 100,
            lines: 30)
        try screen.wait(for: "Playlist")
        try screen.press("2")
        try screen.wait(for: "[Talks]")
        try screen.press("Space", "1")
        try screen.wait(for: "Playlist (3 items")
        try screen.press("Down", "Enter")
        try screen.wait(for: "Playing:")
        try screen.press("p")
        try screen.wait(for: "Paused:")
        try screen.press("Delete")
        try screen.wait(for: "deleted, for five seconds") { $0.contains("deleted") || !$0.contains("Beta") }
        let client = try daemon.connect()
        try expectEqual(client.call(ListQueue()).entries.count, 2)
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aShowIsOneAlbumOfNcmpcpp() throws {
        let blocks = try DocumentBlocks.all(of: "ini", in: "CLIENTS.md")
        let config = try daemon.scratch.file(
            "ncmpcpp",
            "ncmpcpp_directory = \(daemon.scratch.path)\n"
                + (try #require(blocks.first { $0.contains("media_library") })))
        let screen = try TmuxTerminal(
            [try RequiredTool.ncmpcpp.path(), "-h", "127.0.0.1", "-p", gateway.port, "-c", config], columns: 100,
            lines: 30)
        try screen.wait(for: "Playlist")
        try screen.press("4")
        for title in ["Alpha", "Beta", "Gamma"] { try screen.wait(for: title) }
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aListenerWithNcmpc() throws {
        let screen = try TmuxTerminal(
            [try RequiredTool.ncmpc.path(), "-h", "127.0.0.1", "-p", gateway.port], columns: 100, lines: 30)
        try screen.wait(for: "Queue")
        try screen.press("3")
        try screen.wait(for: "Talks")
        try screen.press("Space", "2")
        try screen.wait(for: "Beta")
        try screen.press("Down", "Enter")
        // The last line has the position.
        try screen.wait(for: "/0:40]")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }
}
