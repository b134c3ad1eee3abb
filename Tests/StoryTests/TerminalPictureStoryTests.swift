import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// Covers in podcast-tui, on terminals that show pictures.
@Suite(.ownThread, .timeLimit(.minutes(5)))
final class TerminalPictureStoryTests {
    private let server: LoopbackServer
    private let feed: LoopbackServer.Endpoint
    private let cover: LoopbackServer.Endpoint
    private let daemon: RunningDaemon
    private let terminal: PseudoTerminal

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let picture = try Data(contentsOf: folder.appending(path: "AVDecodingTests/Fixtures/opaque.png"))
        let server = try LoopbackServer()
        let cover = server.serve("/cover.png") { _ in
            .resource(Resource(Array(picture), contentType: "image/png", etag: nil, lastModified: nil))
        }
        let document = """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
            <itunes:image href="\(cover.url)"/>
            <item><title>Plain</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg" length="1"/></item>
            </channel></rss>
            """
        let feed = server.serve("/feed.xml") { _ in
            .resource(
                Resource(Array(document.utf8), contentType: "application/rss+xml", etag: nil, lastModified: nil))
        }
        let daemon = try RunningDaemon()
        _ = try daemon.connect().call(Subscribe { $0.urls = [feed.url] })
        (self.server, self.feed, self.cover, self.daemon) = (server, feed, cover, daemon)
        terminal = try PseudoTerminal()
        terminal.resize(columns: 100, lines: 30, cell: (8, 16))
    }

    /// Starts podcast-tui with its list of episodes.
    private func start(_ environment: [String], options: [String] = []) throws -> ChildProcess {
        try terminal.start(
            "podcast-tui", ["--socket", daemon.socketPath, "--screen", "episodes"] + options,
            ["TERM=xterm-256color"] + environment)
    }

    @Test func kittyGetsTheCoverAndIsRidOfItInTheEnd() throws {
        let process = try start(["KITTY_WINDOW_ID=1"])
        _ = terminal.shown(until: "Plain")
        terminal.type("v")
        let shown = terminal.shown(until: "m=0;")
        // The cover has 80 by 40 pixels and is not enlarged.
        expectContains(shown, "\u{1B}_Ga=T,f=24,s=80,v=40,i=7368548,p=1,c=10,r=3,C=1,q=2,m=")
        terminal.type("q")
        _ = terminal.shown(until: "a=d,d=I,i=7368548")
        expectEqual(process.wait(), .exited(0))
    }

    @Test(arguments: [["--ascii"], []]) func otherTerminalsGetText(_ options: [String]) throws {
        let process = try start(options.isEmpty ? [] : ["KITTY_WINDOW_ID=1"], options: options)
        _ = terminal.shown(until: "Plain")
        terminal.type("vq")
        #expect(!terminal.shown(until: "\u{1B}[?1049l").contains("\u{1B}_G"))
        expectEqual(process.wait(), .exited(0))
    }
}
