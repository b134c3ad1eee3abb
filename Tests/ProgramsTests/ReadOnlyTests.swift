import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// A small disk with a separate file system that the system can make read-only while files on it are open, as it does after a
/// fault of the device.
private final class FaultyDisk {
    let path: String
    private var image: String

    /// Whether this process may mount one.
    static let isPossible: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch(), let disk = try? FaultyDisk(scratch, "try")
        else { return false }
        withExtendedLifetime(disk) {}
        return true
    }()

    init(_ scratch: Scratch, _ name: String) throws {
        path = scratch.path + "/" + name
        image = path + ".image"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(FileManager.default.createFile(atPath: image, contents: nil) && truncate(image, 16 << 20) == 0)
        try Self.run("mkfs.ext4", "-q", image)
        try Self.run("mount", "-o", "loop", image, path)
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    func fail() throws { try Self.run("mount", "-o", "remount,abort", path) }

    /// What a person does then: the disk is mounted again. A copy of it, since the system keeps a disk as it is for as long as a
    /// process in a separate mount namespace has it, as programs under test have.
    func mountAgain() throws {
        try Self.run("umount", path)
        let copy = image + ".again"
        try FileManager.default.copyItem(atPath: image, toPath: copy)
        image = copy
        try Self.run("mount", "-o", "loop", image, path)
    }

    private static func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ReadOnlyTests {
    private let scratch: Scratch
    private let published: PublishedFeed

    init() throws {
        scratch = try Scratch()
        published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
    }

    private func listen(_ daemon: RunningDaemon) throws -> DaemonConnection {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.play("Long")
        return client
    }

    private func position(_ client: DaemonConnection) throws -> Double {
        try #require(try client.call(GetStatus()).player.position?.seconds)
    }

    /// Waits until playback has continued for a number of seconds.
    private func hear(_ seconds: Double, _ client: DaemonConnection) throws {
        let end = try position(client) + seconds
        while try position(client) < end {
            try #require(try client.call(GetStatus()).player.state == .playing)
        }
    }

    @Test(.enabled(if: FaultyDisk.isPossible, "a disk can be mounted by root alone"))
    func aReadOnlyLibraryRefusesEditsWhilePlaybackContinues() throws {
        let disk = try FaultyDisk(scratch, "data")
        let daemon = try RunningDaemon(in: scratch)
        let client = try listen(daemon)
        try client.call(AddToQueue { ($0.what, $0.again) = (["Long"], true) })
        // The next edit makes this saved position durable, too.
        let before = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
        try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", "acknowledged") })
        try disk.fail()
        for _ in 0..<3 {
            let refusal = try #require(throws: ClientFailure.self) {
                try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", "refused") })
            }
            #expect(refusal.code == .storageFailed && refusal.what.contains("cannot write \(disk.path)"), "\(refusal)")
        }
        try hear(2.5, client)
        try expectEqual(client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.note, "acknowledged")
        try expectEqual(client.call(ListQueue()).extent.length, 2)
        #expect(throws: ClientFailure.self) { try client.call(ClearQueue()) }
        // The message about the position that could not be saved says the same.
        let reported = try client.player { $0.error?.contains("cannot write") == true }
        expectEqual(reported.state, .playing)
        daemon.kill()

        try disk.mountAgain()
        try expectOutcome(Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"]), 0)
        let next = try RunningDaemon(in: scratch)
        let again = try next.connect()
        let episode = try again.call(ShowEpisode { $0.episode = "Long" })
        expectEqual(episode.episode.episode.state.note, "acknowledged")
        #expect(episode.episode.episode.state.position.seconds >= before)
        try expectEqual(again.call(ListQueue()).extent.length, 2)
        next.kill()
    }

    @Test(.enabled(if: FaultyDisk.isPossible, "a disk can be mounted by root alone"))
    func aReadOnlyCacheIsReportedAndWhatItHoldsIsPlayed() throws {
        let disk = try FaultyDisk(scratch, "cache")
        let gate = Gate()
        let slow = try PublishedFeed(
            title: "Slow", episodes: [("Slow", try fixture("forty-seconds.mp3"))],
            faults: [.stall(at: 60_000, .gate(gate))])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(watching: .player, subscribing: slow.feed.url)
        try client.play("Slow")
        try disk.fail()
        gate.open()
        let told = try client.player { $0.error?.contains("Read-only file system") == true }
        expectEqual(told.error?.contains("remount its disk for writing"), true, "\(told)")
        // What is cached plays to its end.
        let ended = try client.player(.stopped)
        expectEqual(ended.error, told.error)
        #expect(ended.position?.seconds ?? 0 > 3, "\(ended)")
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted by root alone"))
    func readOnlyFoldersAreReportedAndUsedAgainWithoutARestart() throws {
        let disk = try SmallDisk(scratch.path + "/data", "4m")
        let cache = try SmallDisk(scratch.path + "/cache", "4m")
        let daemon = try RunningDaemon(in: scratch)
        let client = try listen(daemon)
        let other = try PublishedFeed(title: "Other", episodes: [("Other", try fixture("forty-seconds.mp3"))])
        try client.call(Subscribe { $0.urls = [other.feed.url] })
        for path in [disk.path, cache.path] { try SmallDisk.makeReadOnly(path) }
        defer { for path in [disk.path, cache.path] { SmallDisk.makeWritable(path) } }
        let writing: [any Command] = [
            SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "7") }, BackUpLibrary(),
        ]
        for command in writing {
            let refusal = try #require(throws: ClientFailure.self) { _ = try client.call(command) }
            expectEqual(refusal.code, .storageFailed, "\(refusal)")
            let words = ["Read-only file system", "cannot write"]
            #expect(words.contains(where: refusal.what.contains), "\(refusal)")
        }
        // The library is open already.
        try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", "written") })
        try hear(1.2, client)
        // Nothing of this one can be put into the cache.
        try client.call(Play { $0.what = "Other" })
        try client.player { $0.state == .stopped && $0.error?.contains("Read-only file system") == true }

        for path in [disk.path, cache.path] { SmallDisk.makeWritable(path) }
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "7") })
        try client.call(BackUpLibrary())
        try client.play("Long")
        try expectEqual(client.call(GetStatus()).player.error, nil)
        expectEqual(daemon.stop(), .exited(0))
        let check = try Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"])
        expectOutcome(check, 0, output: "\nok        queue\n")
        for path in [disk.path, cache.path] { try SmallDisk.makeReadOnly(path) }
        try expectOutcome(
            Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"]), 0,
            output: "not checked, because the library is read-only")
        try expectOutcome(
            Programs.run("podcastd", RunningDaemon.places(scratch) + ["check", "--repair"]), 77,
            errors: "because it is read-only")
    }
}
