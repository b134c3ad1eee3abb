import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Two rooms of the distribution's snapserver, whose stream has podcast-snapcast as its control script.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(10)))
struct SnapcastRoomsTests {
    private let server: Snapserver
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        let scratch = try Scratch()
        published = try PublishedFeed(
            title: "Rooms", episodes: [("Long", try minutesOfSpeech()), ("Next", try minutesOfSpeech())])
        server = try Snapserver(
            in: scratch.path, query: "&controlscript=\(Programs.path("podcast-snapcast"))", buffer: 500,
            clients: ["bath", "study"], environment: ["PODCASTD_SOCKET=\(scratch.path)/control"])
        daemon = try RunningDaemon(output: server.output, in: scratch)
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    private func control(_ command: String, _ params: String = "{}") throws {
        let answer = try server.call(
            "Stream.Control", "{\"id\":\"podcasts\",\"command\":\"\(command)\",\"params\":\(params)}")
        expectEqual(answer["result"]?.stringValue, "ok", "\(answer)")
    }

    @Test func allRoomsPlayAndTheirClientsShowAndControlThePlayer() throws {
        try daemon.play("Long", watchedBy: client)
        for room in ["bath", "study"] { try server.expectSound(room) }
        try server.awaitProperties {
            $0["playbackStatus"]?.stringValue == "playing" && $0["metadata"]?["title"]?.stringValue == "Long"
                && $0["metadata"]?["album"]?.stringValue == "Rooms"
        }
        try control("pause")
        try client.player(.paused)
        for room in ["bath", "study"] { try server.expectSilence(room) }
        try server.awaitProperties { $0["playbackStatus"]?.stringValue == "paused" }
        try control("setPosition", "{\"position\":60}")
        try client.player { ($0.position?.seconds ?? 0) == 60 }
        try server.awaitProperties { $0["position"]?.numberValue == 60 }
        try control("play")
        try client.player(.playing)
        for room in ["bath", "study"] { try server.expectSound(room) }
        try expectOutcome(daemon.ctl("add", "Next"), 0)
        try server.awaitProperties { $0["canGoNext"]?.boolValue == true }
        try control("next")
        try server.awaitProperties { $0["metadata"]?["title"]?.stringValue == "Next" }
    }

    @Test func aServerThatIsKilledAgainAndAgainIsUsedEachTimeItIsThere() throws {
        try daemon.play("Long", watchedBy: client)
        for _ in 0..<3 {
            try server.expectSound("study")
            server.kill()
            let waiting = try client.player(.buffering)
            expectContains(waiting.reason ?? "", "snapserver")
            try server.startAgain()
            try client.player(.playing)
        }
        try server.expectSound("bath")
        expectEqual(daemon.stop(), .exited(0))
    }

    /// Before the server is there, another output leads, and has no frames as early as the server needs them.
    @Test func roomsWhoseServerStartsLaterPlayBesideAnOutputWithASmallBuffer() throws {
        let scratch = try Scratch()
        let config = try scratch.file("rooms.conf", "[outputs]\nrooms = \(server.output)\ndesk = pipe:cat >/dev/null\n")
        let daemon = try RunningDaemon(output: nil, in: scratch, arguments: ["--config", config])
        let client = try daemon.connect(watching: .player, .outputs, subscribing: published.feed.url)
        try expectOutcome(daemon.ctl("output", "delay", "rooms", "-900ms"), 0)
        server.kill()
        try daemon.play("Long", watchedBy: client)
        let deadline = Instant.now + .seconds(120)
        func phases() throws -> [OutputPhase] { try client.call(ListOutputs()).rows.map(\.phase) }
        while try phases() != [.failed, .ready] { try #require(.now < deadline) }
        try server.startAgain()
        for room in ["bath", "study"] { try server.expectSound(room) }
        while try phases() != [.ready, .ready] { try #require(.now < deadline) }
    }
}
