import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Rights of what the programs write.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PrivateFilesTests {
    private static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0o170000
    }

    /// Files and folders below one that others could read or write, with their modes.
    private static func open(below folder: String) throws -> [String] {
        var wrong: [String] = []
        if mode(folder) != 0o700 { wrong.append("\(folder) \(String(mode(folder), radix: 8))") }
        let all = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        for name in all {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder) else { continue }
            let found = mode(folder + "/" + name)
            // The file was renamed meanwhile.
            guard found != 0o170000 else { continue }
            if found != (isFolder.boolValue ? 0o700 : 0o600) { wrong.append("\(name) \(String(found, radix: 8))") }
        }
        return wrong
    }

    /// A command with an empty mask, so that a file has just the rights that its program asks for.
    private static func unmasked(_ name: String, _ arguments: [String]) throws -> Outcome<Int32?> {
        try Programs.run(
            Launch(
                "/bin/sh", ["-c", "umask 0; exec \"$@\"", "sh", Programs.path(name)] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"]))
    }

    @Test func filesOfPodcastRefreshArePrivateWhateverTheUmask() throws {
        let scratch = try Scratch()
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let data = scratch.path + "/data"
        try expectOutcome(Self.unmasked("podcast-refresh", ["--data-dir", data, "add", published.feed.url]), 0)
        try expectEqual(Self.open(below: data), [])
    }

    @Test func filesOfTheDaemonArePrivateAndWrongPermissionsAreCorrectedAtStart() throws {
        let scratch = try Scratch()
        let (data, cache) = (scratch.path + "/data", scratch.path + "/cache")
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect(subscribing: published.feed.url)
            try client.call(SetFeed { ($0.feed, $0.key, $0.value) = ("1", "password", "secret") })
            let settings = try client.call(ListFeedSettings { $0.feed = "1" }).settings
            expectEqual(settings.map(\.key), FeedSetting.allCases.map(\.rawValue))
            expectEqual(settings.first { $0.key == "password" }?.value, "…")
            try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "5") })
            try client.watch([.player])
            try client.play("Long")
            try client.call(BackUpLibrary())
            try expectEqual(Self.open(below: data), [])
            try expectEqual(Self.open(below: cache), [])
            expectEqual(Self.mode(daemon.socketPath), 0o660)
            // A killed daemon leaves the library's WAL and its index.
            daemon.kill()
        }
        for folder in [data, cache] {
            let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            #expect(names.contains { $0.hasSuffix(".db-wal") || $0.hasSuffix(".index") || $0.hasSuffix(".bytes") })
            for name in names { expectEqual(chmod(folder + "/" + name, name == "backups" ? 0o755 : 0o644), 0) }
            expectEqual(chmod(folder, 0o755), 0)
        }
        let daemon = try RunningDaemon(in: scratch)
        _ = try daemon.connect().call(GetStatus())
        let wrong = try Self.open(below: data) + Self.open(below: cache)
        expectEqual(wrong, [])
    }

    @Test func otherFilesInTheFolderKeepTheirPermissions() throws {
        let scratch = try Scratch()
        let data = scratch.path + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let other = try scratch.file("data/letter.txt", "mine")
        expectEqual(chmod(other, 0o644), 0)
        let daemon = try RunningDaemon(in: scratch)
        _ = try daemon.connect().call(GetStatus())
        expectEqual(Self.mode(other), 0o644)
    }

    @Test func outputFilesHaveTheUsualPermissions() throws {
        let scratch = try Scratch()
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let (wave, touched) = (scratch.path + "/sound.wav", scratch.path + "/touched")
        for (output, file) in [("wav:\(wave)", wave), ("pipe:touch \(touched); exec cat > /dev/null", touched)] {
            let daemon = try RunningDaemon(output: output)
            let client = try daemon.connect(subscribing: published.feed.url)
            try client.watch([.player])
            try client.play("Long")
            // The command may start later than the sound, which nothing reports; the suite's time limit ends this.
            while Self.mode(file) == 0o170000 { usleep(10_000) }
            try client.call(Stop())
            expectEqual(daemon.stop(), .exited(0))
            let usual = umask(0o022)
            umask(usual)
            expectEqual(Self.mode(file), (file == wave ? 0o644 : 0o666) & ~usual)
        }
    }
}
