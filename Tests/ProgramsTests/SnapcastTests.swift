import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import MachineSupport
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The distribution's snapserver reads from the daemon's named pipe, and a snapclient writes what it plays to a file.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(10)))
struct SnapcastTests {
    private let scratch: Scratch
    private let snapcast: Snapcast
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        scratch = try Scratch()
        published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        snapcast = try Snapcast(scratch)
        daemon = try RunningDaemon(output: "fifo:\(snapcast.pipe)?rate=48000&format=s16&channels=2", in: scratch)
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    @Test func soundIsHeardAfterAPauseAndAfterARestartOfServerOrClient() throws {
        try client.play("Long")
        try snapcast.expectSound()
        try client.call(Pause())
        try snapcast.expectSilence()
        try client.call(TogglePlayback())
        try snapcast.expectSound()
        try snapcast.restartServer()
        try snapcast.expectSound()
        try snapcast.restartClient()
        try snapcast.expectSound()
        try expectEqual(client.call(GetStatus()).player.state, .playing)
    }

    @Test func soundIsHeardAgainAfterThePipeWasClosed() throws {
        try expectOutcome(daemon.ctl("settings", "output.close_after", "0"), 0)
        try client.play("Long")
        try snapcast.expectSound()
        try client.call(Pause())
        try snapcast.expectSilence()
        try client.call(TogglePlayback())
        try snapcast.expectSound()
    }

    @Test func thePositionGoesOnInRealTimeWithAndWithoutAReader() throws {
        snapcast.killServer()
        try client.play("Long")
        try snapcast.startServer()
        try snapcast.expectSound()
        let begin = try position()
        try snapcast.expectSound()
        let end = try position()
        let drift = (end.media - begin.media) - (end.instant - begin.instant)
        #expect(abs(drift) < 0.3, "\(drift) s of drift")
        try expectContains(daemon.ctl("doctor", "--json").output, "plays whether or not a program reads it")
    }

    private func position() throws -> (media: Double, instant: Double) {
        let player = try client.call(GetStatus()).player
        return (try #require(player.position?.seconds), Double(player.instant.nanoseconds) / 1e9)
    }
}

/// A snapserver with a snapclient, on a separate port.
private final class Snapcast {
    let pipe: String
    private let folder: String
    private let port: UInt16
    private var server: ChildProcess
    private var client: ChildProcess

    init(_ scratch: Scratch) throws {
        folder = scratch.path
        pipe = folder + "/sound"
        port = try LoopbackListener.unusedPort()
        server = try Self.server(folder, port)
        client = try Self.client(folder, port)
    }

    deinit {
        _ = server.terminate(grace: .seconds(2))
        _ = client.terminate(grace: .seconds(2))
    }

    func killServer() {
        server.signal(SIGKILL)
        _ = server.wait()
    }

    func startServer() throws { server = try Self.server(folder, port) }

    func restartServer() throws {
        killServer()
        try startServer()
    }

    func restartClient() throws {
        client.signal(SIGKILL)
        _ = client.wait()
        client = try Self.client(folder, port)
    }

    /// Waits until the client has played one more second, half of which is sound.
    func expectSound() throws { try expect("sound") { $0 > 24_000 } }

    /// Waits until the client has played one more second of silence.
    func expectSilence() throws { try expect("silence") { $0 == 0 } }

    /// Waits until the number of audible frames in one more second of what the client plays is as wanted.
    private func expect(_ what: String, _ fits: (Int) -> Bool) throws {
        let deadline = Instant.now + .seconds(180)
        var end = heard().count
        while true {
            let bytes = heard()
            if bytes.count < end { end = 0 }
            if bytes.count >= end + 192_000 {
                let second = bytes[end..<end + 192_000]
                let audible = stride(from: second.startIndex, to: second.endIndex, by: 4)
                    .count { second[$0] != 0 || second[$0 + 1] != 0 }
                if fits(audible) { return }
                end += 192_000
            }
            try #require(.now < deadline, "no \(what) was heard")
            var entries = [PollEntry(-1)]
            try waitForAny(&entries, until: .now + .milliseconds(20))
        }
    }

    private func heard() -> Data { (try? Data(contentsOf: URL(filePath: folder + "/heard"))) ?? Data() }

    private static func server(_ folder: String, _ port: UInt16) throws -> ChildProcess {
        try start(
            .snapserver, folder,
            [
                "--config", "/dev/null", "--server.datadir=\(folder)", "--http.enabled=false", "--tcp.enabled=false",
                "--stream.bind_to_address=127.0.0.1", "--stream.port=\(port)", "--stream.codec=pcm",
                "--stream.buffer=400", "--stream.source=pipe://\(folder)/sound?name=podcasts&mode=read",
            ])
    }

    private static func client(_ folder: String, _ port: UInt16) throws -> ChildProcess {
        try start(
            .snapclient, folder,
            [
                "--host", "127.0.0.1", "--port", "\(port)", "--hostID", "test",
                "--player", "file:filename=\(folder)/heard",
            ])
    }

    private static func start(_ tool: RequiredTool, _ folder: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            Launch(try tool.path(), arguments, environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"]))
    }
}
