import ChildProcess
import Foundation
import Glibc
import JSON
import LoopbackServer
import SystemCalls
import Testing

@Suite(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted by root alone"), .timeLimit(.minutes(10)))
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

    @Test func onAFullDiskPauseSeekAndStopSayWhatWasDoneAndWhatWasNotSaved() throws {
        let listening = try Listening()
        let (disk, client) = (listening.disk, listening.client)
        disk.fill()
        _ = try listening.editUntilRefused()
        // A position changes few bytes, which may fit in a page that the library has already; not in every one.
        func refusal(_ method: String, _ params: JSONValue = [:]) throws -> DaemonConnection.CallFailed? {
            do {
                try client.call(method, params)
                return nil
            } catch let failure as DaemonConnection.CallFailed {
                return failure
            }
        }
        let moved = try #require(try refusal("playback.seek", ["time": 20]))
        #expect(moved.code == 8)
        #expect(moved.what.hasPrefix("moved to 0:20"), "\(moved)")
        #expect(moved.what.contains("the position could not be saved"), "\(moved)")
        let paused = try #require(try refusal("playback.pause"))
        #expect(paused.code == 8 && paused.what.hasPrefix("paused; the position could not be saved: "), "\(paused)")
        #expect(paused.what.contains("the disk is full"))
        #expect(try client.call("status.get")["state"] == "paused")
        let tool = try Programs.run("podcastctl", ["--socket", listening.daemon.socketPath, "stop"])
        #expect(tool.status == 74)
        #expect(tool.errors.contains("stopped; the position could not be saved: the disk is full"), "\(tool.errors)")
        #expect(tool.errors.contains("make room"))
        #expect(try client.call("status.get")["state"] == "stopped")
        disk.makeRoom()
        try client.call("playback.play")
        try client.player("playing")
        try client.call("playback.pause")
    }

    @Test func aFullCacheIsSaidWhilePlayingGoesOnAndTakesAllWhenThereIsRoom() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/cache", "1m")
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Long", audio)])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        try client.call("feeds.subscribe", ["urls": [.string(published.feed.url)]])
        try client.call("status.subscribe", ["parts": ["player"]])
        // Room for some seconds of it.
        disk.fill(leaving: 24 << 10)
        try client.call("playback.play", ["what": "Long"])
        let told = try client.event("player") { $0["error"]?.stringValue?.contains("no space is left") == true }
        #expect(told["error"]?.stringValue?.contains("free some") == true, "\(told)")
        try client.player("playing")
        // Far behind what the disk took.
        try client.call("playback.seek", ["time": "0:30"])
        try client.player("playing")
        let heard = try #require(try client.call("status.get")["position"]?.numberValue)
        #expect(heard >= 29)

        disk.makeRoom()
        try client.event("player") { $0["error"]?.stringValue == nil && $0["state"] == "playing" }
        try client.call("playback.seek", ["time": "0:20"])
        try client.player("playing")
        #expect(published.media[0].requests.count == 1)
        #expect(daemon.stop() == .exited(0))
        let bytes = try FileManager.default.contentsOfDirectory(atPath: disk.path).filter { $0.hasSuffix(".bytes") }
        #expect(try Data(contentsOf: URL(filePath: disk.path + "/" + bytes[0])) == Data(audio))
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
