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

/// The distribution's Icecast server, and what its listeners hear.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct IcecastStoryTests {
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    private let server: Icecast
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        published = try PublishedFeed(title: "Große Talks", episodes: [("Alpha", try minutesOfSpeech())])
        daemon = try RunningDaemon()
        server = try Icecast(in: daemon.scratch)
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    private func add(password: String = Icecast.password, port: UInt16? = nil, options: String = "") throws {
        let mount = "127.0.0.1:\(port ?? server.port)/talks"
        let folder = daemon.scratch.path + "/.config/podcastd"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = Data("[icecast]\nradio = \(mount) \(password)\n".utf8)
        let isWritten = FileManager.default.createFile(
            atPath: folder + "/output.conf", contents: text, attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        try expectOutcome(daemon.ctl("output", "add", "radio", "icecast:\(mount)\(options)"), 0)
    }

    /// Waits until a text is as wanted.
    private func awaitText(_ text: () throws -> String?, _ fits: (String) -> Bool) throws {
        let deadline = Instant.now + .seconds(180)
        while true {
            let text = try text() ?? ""
            if fits(text) { return }
            try #require(.now < deadline, "\(text)")
            var entries = [PollEntry(-1)]
            try waitForAny(&entries, until: .now + .milliseconds(50))
        }
    }

    private func awaitReason(_ part: String) throws {
        try awaitText({ try client.call(ListOutputs()).rows.last?.reason }, { $0.contains(part) })
    }

    private func awaitAnswer(_ status: String) throws {
        try awaitText({ try server.answer("talks") }, { $0 == status })
    }

    private func awaitSound(_ fits: (Int) -> Bool) throws {
        let address = "http://127.0.0.1:\(server.port)/talks"
        while try !fits(loudest(address)) {}
    }

    @Test(arguments: ["", "?form=opus"]) func aListenerHearsWhatPlaysAndSilenceInAPause(_ options: String) throws {
        try add(options: options)
        try daemon.play("Alpha", watchedBy: client)
        try awaitAnswer("200")
        try awaitSound { $0 > 1_000 }
        try client.call(Pause())
        try awaitSound { $0 < 100 }
        try daemon.play(watchedBy: client)
        try awaitSound { $0 > 1_000 }
        // A disabled output leaves the server.
        try expectOutcome(daemon.ctl("output", "disable", "radio"), 0)
        try awaitAnswer("404")
    }

    @Test func theTitleIsThatOfWhatPlays() throws {
        try add()
        try daemon.play("Alpha", watchedBy: client)
        try awaitAnswer("200")
        try awaitText(server.status, { $0.contains("Große Talks - Alpha") })
    }

    @Test func aServerThatEndsIsTheReasonAndItsSuccessorIsUsed() throws {
        try add()
        try daemon.play("Alpha", watchedBy: client)
        try awaitAnswer("200")
        server.kill()
        try awaitReason("no connection to the server")
        try expectEqual(client.call(GetStatus()).player.state, .playing)
        try server.startAgain()
        try awaitAnswer("200")
        try awaitSound { $0 > 1_000 }
    }

    @Test func aWrongPasswordIsTheReasonAndNowhereInTheLog() throws {
        try add(password: "swordfish")
        try daemon.play("Alpha", watchedBy: client)
        try awaitReason("the server refuses the source (Login failed); check the password in output.conf")
        expectEqual(try daemon.ctl("outputs").output.contains("swordfish"), false)
        try expectEqual(client.call(GetStatus()).player.state, .playing)
    }

    @Test func aPasswordThatEveryUserCanReadIsNotUsed() throws {
        try add()
        chmod(daemon.scratch.path + "/.config/podcastd/output.conf", 0o644)
        try daemon.play("Alpha", watchedBy: client)
        try awaitReason("output.conf is open to every user; chmod o-rw")
        try expectEqual(server.answer("talks"), "404")
    }

    @Test func aServerThatNeverAnswersIsTheReasonAndTheOtherOutputsPlay() throws {
        let silent = try LoopbackListener()
        try add(port: silent.port)
        try daemon.play("Alpha", watchedBy: client)
        let began = try #require(client.call(GetStatus()).player.position?.seconds)
        try awaitReason("the server does not answer")
        let player = try client.call(GetStatus()).player
        expectEqual(player.state, .playing)
        #expect(try #require(player.position?.seconds) - began > 5)
    }
}
