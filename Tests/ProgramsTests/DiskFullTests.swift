import ChildProcess
import Foundation
import Glibc
import JSON
import LoopbackServer
import SystemCalls
import Testing

/// A small file system of its own, gone with its owner.
private final class SmallDisk {
    let path: String
    private var fillers = 0

    /// Whether this process may mount one.
    static let isPossible: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch(), let disk = try? SmallDisk(scratch.path + "/try", "64k")
        else { return false }
        withExtendedLifetime(disk) {}
        return true
    }()

    init(_ path: String, _ size: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Takes all room that is left, to the last page, but for so many bytes.
    func fill(leaving room: Int = 0) {
        let reserve = path + "/reserve"
        if room > 0 { try? Data(repeating: 0, count: room).write(to: URL(filePath: reserve)) }
        defer { unlink(reserve) }
        let file = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        let piece = [UInt8](repeating: 1, count: 4096)
        while write(file, piece, piece.count) > 0 {}
    }

    func makeRoom() { unlink(path + "/filler") }
}

@Suite(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted by root alone"), .timeLimit(.minutes(2)))
struct DiskFullTests {
    private struct Listening {
        let disk: SmallDisk
        let daemon: RunningDaemon
        let client: DaemonConnection
        let published: PublishedFeed

        init() throws {
            let scratch = try Scratch()
            disk = try SmallDisk(scratch.path + "/data", "2m")
            published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
            daemon = try RunningDaemon(in: scratch)
            client = try daemon.connect()
            try client.call("status.subscribe", ["parts": ["player"]])
            try client.call("feeds.subscribe", ["urls": [.string(published.feed.url)]])
            try client.call("playback.play", ["what": "Long"])
            try client.player("playing")
        }

        /// Edits until one is refused.
        func editUntilRefused() throws -> DaemonConnection.CallFailed {
            for number in 0..<200 {
                do {
                    let text = String(repeating: "\(number) ", count: 10_000)
                    try client.call("episodes.note", ["episode": "Long", "text": .string(text)])
                } catch let failure as DaemonConnection.CallFailed {
                    return failure
                }
            }
            throw CocoaError(.fileWriteUnknown)
        }

        /// Plays on for so many seconds.
        func listen(_ seconds: Double) throws {
            func position() throws -> Double { try client.call("status.get")["position"]?.numberValue ?? 0 }
            let end = try position() + seconds
            while try position() < end {
                #expect(try client.call("status.get")["state"]?.stringValue == "playing")
            }
        }
    }

    @Test func aFullDiskIsSaidWhilePlayingGoesOnAndIsOvercome() throws {
        let listening = try Listening()
        let (disk, client) = (listening.disk, listening.client)
        disk.fill()
        let refusal = try listening.editUntilRefused()
        #expect(refusal.code == 8 && refusal.what.contains("the disk is full"), "\(refusal)")
        #expect(throws: DaemonConnection.CallFailed.self) { try client.call("library.backup") }
        try listening.listen(2.5)
        let copies = (try? FileManager.default.contentsOfDirectory(atPath: disk.path + "/backups")) ?? []
        #expect(copies == [])

        disk.makeRoom()
        try client.call("episodes.note", ["episode": "Long", "text": "there is room again"])
        try client.call("queue.add", ["what": ["Long"]])
        try listening.listen(1.5)
        let heard = try #require(try client.call("status.get")["position"]?.numberValue)
        listening.daemon.kill()
        let scratch = listening.daemon.scratch
        let check = try Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"])
        #expect(check.status == 0, "\(check)")
        let daemon = try RunningDaemon(in: scratch)
        let episode = try daemon.connect().call("episodes.show", ["episode": "Long"])
        #expect(episode["note"]?.stringValue == "there is room again")
        #expect(episode["position"]?.numberValue ?? 0 > heard - 1.5)
        #expect(try daemon.connect().call("queue.list")["length"]?.integerValue == 2)
    }

    @Test func aFullCacheIsSaidAndPlayingGoesOnWhenThereIsRoom() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/cache", "1m")
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        try client.call("feeds.subscribe", ["urls": [.string(published.feed.url)]])
        try client.call("status.subscribe", ["parts": ["player"]])
        // Room for some seconds of it.
        disk.fill(leaving: 24 << 10)
        try client.call("playback.play", ["what": "Long"])
        try client.player("playing")
        let waiting = try client.event("player") { $0["state"] == "buffering" }
        #expect(waiting["reason"]?.stringValue?.contains("no space is left") == true, "\(waiting)")
        #expect(waiting["reason"]?.stringValue?.contains("free some") == true)
        let heard = try #require(try client.call("status.get")["position"]?.numberValue)
        disk.makeRoom()
        try client.player("playing")
        #expect(try client.call("status.get")["position"]?.numberValue ?? 0 >= heard)
    }

    @Test func aSettingThatFindsNoRoomStaysAsItWas() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "2m")
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        try client.call("settings.set", ["key": "playback.rebuffer", "value": "5"])
        disk.fill()
        let refusal = try #require(throws: DaemonConnection.CallFailed.self) {
            try client.call("settings.set", ["key": "playback.rebuffer", "value": "7"])
        }
        #expect(refusal.code == 8 && refusal.what.contains("No space left"), "\(refusal)")
        #expect(try client.call("settings.get", ["key": "playback.rebuffer"])["value"] == "5")
        disk.makeRoom()
        try client.call("settings.set", ["key": "playback.rebuffer", "value": "7"])
        daemon.kill()
        let next = try RunningDaemon(in: scratch)
        #expect(try next.connect().call("settings.get", ["key": "playback.rebuffer"])["value"] == "7")
    }

    @Test func aDaemonThatFindsNoRoomSaysSo() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "64k")
        disk.fill()
        let result = try Programs.run(
            "podcastd", RunningDaemon.places(scratch) + ["--socket", scratch.path + "/s", "--output", "null"])
        #expect(result.status == 74, "\(result)")
        #expect(result.errors.contains("the disk is full"))
        disk.makeRoom()
    }

    @Test func aFolderThatIsReadOnlyIsNamed() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "2m")
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        let result = try Programs.run(
            "podcastd", RunningDaemon.places(scratch) + ["--socket", scratch.path + "/s", "--output", "null"])
        #expect(result.status == 73)
        #expect(result.errors.contains("cannot write to \(disk.path)"))
        #expect(result.errors.contains("Read-only file system"))
    }
}
