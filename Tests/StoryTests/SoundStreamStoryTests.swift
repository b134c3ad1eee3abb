import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// What browsers, radios and phones hear from podcast-web.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SoundStreamStoryTests {
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        published = try PublishedFeed(title: "Talks", episodes: [("Alpha", try minutesOfSpeech())])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try expectOutcome(daemon.ctl("output", "add", "web", "http:The kitchen"), 0)
    }

    private func gateway() throws -> RunningGateway {
        try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[server]\nlocal = read\n", hasPort: true)
    }

    @Test(arguments: ["stream.mp3", "stream.opus"]) func aListenerHearsWhatPlays(_ name: String) throws {
        let gateway = try gateway()
        try daemon.play("Alpha", watchedBy: client)
        #expect(try loudest("\(gateway.url)\(name)") > 1_000)
        // A pause is silence, so that the listener stays.
        try client.call(Pause())
        let silence = try loudest("\(gateway.url)\(name)")
        #expect(silence < 100, "\(silence)")
        try expectEqual(client.call(GetStatus()).player.state, .paused)
    }

    @Test func aRadioIsToldTheTitles() throws {
        let gateway = try gateway()
        try daemon.play("Alpha", watchedBy: client)
        let radio = try gateway.connect()
        try radio.send(Array("GET /stream.mp3 HTTP/1.1\r\nHost: localhost\r\nIcy-MetaData: 1\r\n\r\n".utf8))
        let head = try radio.text(upTo: "\r\n\r\n").lowercased()
        expectContains(head, "icy-metaint: 16000")
        expectContains(head, "icy-name: the kitchen")
        expectContains(head, "x-accel-buffering: no")
        _ = try radio.text(upTo: "StreamTitle='Talks - Alpha';")
    }

    @Test func twoHundredListenersThatReadNothingKeepNobodyWaiting() throws {
        let gateway = try gateway()
        try daemon.play("Alpha", watchedBy: client)
        let idle = try (0..<200).map { _ in
            let listener = try gateway.connect()
            try listener.send(Array("GET /stream.mp3 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            return listener
        }
        // podcastd gives its sound to eight programs at most, so this encoder is that of the others.
        #expect(try loudest("\(gateway.url)stream.mp3") > 1_000)
        try expectEqual(client.call(GetStatus()).player.state, .playing)
        expectContains(try idle[0].text(upTo: "\r\n\r\n"), "200 OK")
    }

    @Test func withoutTheOutputAListenerIsToldWhatToDo() throws {
        let gateway = try gateway()
        try expectOutcome(daemon.ctl("output", "remove", "web"), 0)
        let answer = try gateway.connect().ask("GET", "/stream.mp3")
        expectEqual(answer.status, 503)
        expectContains(answer.text, "podcastctl output add web http")
    }

    @Test func aBrowserPlaysTheStream() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium")
        let gateway = try gateway()
        try daemon.play("Alpha", watchedBy: client)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script("web_stream.py"), gateway.url],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(300))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
    }
}
