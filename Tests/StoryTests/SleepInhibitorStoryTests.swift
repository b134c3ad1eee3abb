import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The machine does not go to sleep while an episode plays. systemd-inhibit asks python-dbusmock's logind.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SleepInhibitorStoryTests {
    private let bus: PrivateBus
    private let logind: ObservedProgram
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        let scratch = try Scratch()
        bus = try PrivateBus(in: scratch)
        let python = try RequiredPython.path(with: "dbusmock")
        let address = "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)"
        logind = try ObservedProgram(
            python, ["-um", "dbusmock", "--system", "--template", "logind"], environment: [address])
        published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        daemon = try RunningDaemon(in: scratch, environment: [address])
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    /// Waits until logind's list of locks names podcastd, or does not.
    private func awaitLock(_ isWanted: Bool) throws {
        let deadline = Instant.now + .seconds(60)
        while true {
            let answer = try bus.run(
                .gdbus,
                [
                    "call", "--address", bus.address, "--dest", "org.freedesktop.login1", "--object-path",
                    "/org/freedesktop/login1", "--method", "org.freedesktop.login1.Manager.ListInhibitors",
                ])
            let isHeld = answer.output.contains("('sleep', 'podcastd', 'An episode plays', 'block'")
            if answer.status == 0, isHeld == isWanted { return }
            try #require(.now < deadline, "\(answer)")
        }
    }

    @Test func theLockIsHeldWhileAnEpisodePlaysAndEndsWithADaemonThatIsKilled() throws {
        try awaitLock(false)
        try daemon.play("Long", watchedBy: client)
        try awaitLock(true)
        try client.call(Pause())
        try awaitLock(false)
        try client.call(TogglePlayback())
        try awaitLock(true)
        daemon.kill()
        try awaitLock(false)
    }
}
