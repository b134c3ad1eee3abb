import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// A message between what is heard otherwise, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct AnnouncementStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, .queue, subscribing: published.feed.url)
        try client.call(AddToQueue { $0.what = ["Long"] })
    }

    /// The player once the message has ended and what it interrupted is loaded.
    private func afterTheMessage() throws -> PlayerReply {
        let watcher = try daemon.connect()
        let snapshot = try watcher.watch([.player])
        func isOver(_ player: PlayerReply) -> Bool {
            player.announcement == nil && (player.state == .playing || player.state == .paused)
        }
        if let now = snapshot.parts[.player].flatMap({ PlayerReply(json: $0) }), isOver(now) { return now }
        return try watcher.player(isOver)
    }

    @Test func aFileIsHeardAndTheEpisodeContinuesAtTheSamePlace() throws {
        let bell = daemon.scratch.path + "/door bell.mp3"
        try Data(try minutesOfSpeech()).write(to: URL(filePath: bell))
        try daemon.play("1", watchedBy: client)
        try expectEqual(ctl("seek", "0:10").status, 0)
        try client.player { $0.state == .playing && $0.position?.seconds ?? 0 >= 10 }
        try announce(bell, "--volume", "80", shown: "announcement: door bell.mp3")
        let during = try client.player { $0.announcement != nil && $0.state == .playing }
        #expect(during.announcement == "door bell.mp3" && during.episode == nil && during.volume == 100)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 800)) })
        let after = try afterTheMessage()
        #expect(after.episode?.title == "Long" && after.state == .playing)
        let place = try #require(after.position?.seconds)
        #expect((10..<70).contains(place), "\(place)")
        try expectEqual(ctl("queue").output.split(separator: "\n").count, 1)
        #expect(try !ctl("feeds").output.contains("Single files"))
        #expect(try !ctl("history").output.contains("bell"))
    }

    @Test func aURLIsHeardWhilePlaybackIsPaused() throws {
        let bell = published.server.serve("/bell.mp3", .resource(Resource(try minutesOfSpeech())))
        try daemon.play("1", watchedBy: client)
        try expectEqual(ctl("pause").status, 0)
        try announce(bell.url)
        try client.player { $0.announcement == "bell.mp3" && $0.state == .playing }
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 800)) })
        let after = try afterTheMessage()
        #expect(after.episode?.title == "Long" && after.state == .paused)
    }

    @Test func whatCannotBeAnnouncedIsRefusedAndPlaybackContinues() throws {
        try expectEqual(ctl("announce", "Long").status, 66)
        try expectEqual(ctl("announce", daemon.scratch.path + "/missing.mp3").status, 66)
        try expectEqual(ctl("announce").status, 64)
        try daemon.play("1", watchedBy: client)
        let gone = published.server.serve("/gone.mp3", .status(404))
        try announce(gone.url, status: 69, "not found (HTTP 404)")
        let after = try afterTheMessage()
        #expect(after.episode?.title == "Long" && after.state == .playing && after.error != nil)
        try expectEqual(ctl("stop").status, 0)
        let page = published.server.serve("/page.mp3", .resource(Resource(Array("<html>No sound</html>".utf8))))
        try announce(page.url, status: 65, "sent a web page instead of audio")
    }

    /// A busy machine may need longer to load a message than `announce` waits.
    private func announce(_ words: String..., shown: String = "", status: Int32 = 0, _ failure: String? = nil) throws {
        let outcome = try daemon.ctl(["announce"] + words)
        if outcome.status == 75, outcome.errors.contains("still loading") {
            if let failure { try client.player { $0.error?.contains(failure) == true } }
        } else {
            expectOutcome(outcome, status, output: shown, errors: failure ?? "")
        }
    }
}
