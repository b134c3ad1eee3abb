import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct DaemonLifeTests {
    @Test func theLimitOfOpenFilesIsRaisedToTheHardLimit() throws {
        let daemon = try RunningDaemon(shell: "ulimit -Sn 200; ulimit -Hn 3000")
        let limits = try String(contentsOfFile: "/proc/\(daemon.process.processID)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        expectEqual(line.split(separator: " ").dropFirst(3).prefix(2), ["3000", "3000"])
    }

    @Test func aSecondDaemonOnTheSameLibraryFailsAndNamesTheFirst() throws {
        let daemon = try RunningDaemon()
        try expectOutcome(
            Programs.run(
                "podcastd",
                RunningDaemon.places(daemon.scratch) + ["--socket", daemon.scratch.path + "/other", "--output", "null"]),
            69, errors: "\(daemon.process.processID)")
        _ = try daemon.connect().call(GetStatus())
    }

    @Test func aSecondDaemonOnTheSameCacheFailsUntilTheFirstHasExited() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        let arguments = [
            "--data-dir", scratch.path + "/other", "--cache-dir", scratch.path + "/cache", "--socket",
            scratch.path + "/other.socket", "--output", "null",
        ]
        try expectOutcome(
            Programs.run("podcastd", arguments), 69,
            errors: "the episode cache in \(scratch.path)/cache is used by another podcastd", "--cache-dir")
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/other.socket"))
        daemon.kill()
        // A crash leaves no lock behind.
        _ = try RunningDaemon(in: scratch)
    }

    @Test func aServedSocketIsKeptAndAStaleOneReplaced() throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            try expectOutcome(
                Programs.run(
                    "podcastd",
                    [
                        "--data-dir", scratch.path + "/d2", "--cache-dir", scratch.path + "/c2", "--socket",
                        daemon.socketPath,
                    ]), 69, errors: daemon.socketPath)
            daemon.kill()
        }
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/control"))
        let daemon = try RunningDaemon(in: scratch)
        _ = try daemon.connect().call(GetStatus())
    }

    @Test func afterANormalExitTheLibraryFileAloneIsACompleteCopy() throws {
        let published = try PublishedFeed(episodes: [("One", try fixture("forty-seconds.mp3"))])
        let (scratch, copy) = (try Scratch(), try Scratch())
        do {
            let daemon = try RunningDaemon(in: scratch)
            _ = try daemon.connect(subscribing: published.feed.url)
            expectEqual(daemon.stop(), .exited(0))
        }
        let files = try #require(FileManager.default.subpaths(atPath: scratch.path))
        let name = try #require(files.first { $0.hasSuffix("library.db") })
        let target = URL(filePath: copy.path).appending(path: name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: scratch.path).appending(path: name), to: target)
        let daemon = try RunningDaemon(in: copy)
        try expectEqual(daemon.connect().call(ListFeeds()).rows.count, 1)
    }

    @Test func childrenThatIgnoreSignalsAreEndedAndThePositionIsSaved() throws {
        let server = try LoopbackServer()
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))], on: server)
        let scratch = try Scratch()
        let stubborn = "pipe:trap '' TERM; while :; do sleep 1; done"
        let daemon = try RunningDaemon(output: stubborn, in: scratch)
        let client = try daemon.connect(watching: .player, .activities, subscribing: published.feed.url)
        try client.call(Play { $0.what = "Long" })
        try client.call(Seek { $0.time = TimeArgument(parsing: "0:20") })
        // A refresh that waits for its host.
        let held = server.serve("/feed.xml", .after(.gate(Gate()), .hangUp))
        client.begin(RefreshFeeds { $0.isForced = true })
        // The first request was the subscription's.
        #expect(held.waitForRequests(2))
        expectEqual(daemon.stop(), .exited(0))

        let again = try RunningDaemon(in: scratch)
        let saved = try again.connect().call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
        #expect((20..<30).contains(saved))
    }

    @Test func everyWrongLineOfTheConfigFileIsReported() throws {
        let scratch = try Scratch()
        let config = try scratch.file("bad.conf", "[output]\nsink = null\ncolour = red\n[cache]\nsize = huge\n")
        try expectOutcome(
            Programs.run("podcastd", RunningDaemon.places(scratch) + ["--config", config]), 78,
            errors: "bad.conf:3: unknown setting colour in [output]", "bad.conf:5: cache.size must be a size")
    }

    /// A downgrade leaves settings that the older version does not know.
    @Test func anUnknownSettingIsAWarningWithASuggestion() throws {
        let scratch = try Scratch()
        let config = try scratch.file("new.conf", "[playback]\nspeeed = 1\n")
        let log = scratch.path + "/log"
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config], log: log)
        try expectOutcome(daemon.ctl("refresh"), 0)
        try expectContains(
            String(contentsOfFile: log, encoding: .utf8),
            "new.conf:2: unknown setting speeed in [playback]; did you mean playback.speed?")
        let doctor = try daemon.ctl("doctor").output
        expectContains(doctor, "new.conf:2: unknown setting speeed in [playback]; did you mean playback.speed?")
        expectContains(doctor, "fix: correct or remove this line, then kill -HUP")
        try "[playback]\nspeed = 1\n".write(toFile: config, atomically: true, encoding: .utf8)
        daemon.process.signal(SIGHUP)
        #expect(daemon.waitForNotification("READY=1"))
        #expect(try !daemon.ctl("doctor").output.contains("unknown setting"))
    }

    @Test func theDaemonServesTheSocketThatItsClientsLookFor() throws {
        let scratch = try Scratch()
        let socket = scratch.path + "/elsewhere"
        let notifications = try Notifications(path: scratch.path + "/notify-2")
        let process = try ChildProcess(
            Launch(
                Programs.path("podcastd"), RunningDaemon.places(scratch) + ["--output", "null"],
                environment: [
                    "HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "PODCASTD_SOCKET=\(socket)",
                    "NOTIFY_SOCKET=\(notifications.path)",
                ]))
        try #require(notifications.wait(for: "READY=1"))
        try expectOutcome(
            Programs.run("podcastctl", ["status"], environment: ["PODCASTD_SOCKET=\(socket)"]), 0, output: "stopped")
        _ = process.terminate(grace: .seconds(5))
    }

    @Test func theDaemonSignsToItsWatchdogHoweverOftenARefreshEnds() throws {
        let scratch = try Scratch()
        let notifications = try Notifications(path: scratch.path + "/notify-3")
        let daemon = try ChildProcess(
            Launch(
                Programs.path("podcastd"),
                RunningDaemon.places(scratch) + ["--output", "null", "--socket", scratch.path + "/s"],
                environment: [
                    "HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(notifications.path)",
                    "WATCHDOG_USEC=400000",
                ]))
        try #require(notifications.wait(for: "READY=1"))
        let lock = try #require(RunningDaemon.places(scratch).first { $0.hasSuffix("data") }) + "/refresh.lock"
        let refreshes = try ChildProcess(.shell("while kill -0 $PPID; do : >>'\(lock)'; done"))
        #expect(notifications.wait(for: "WATCHDOG=1"))
        for process in [refreshes, daemon] { _ = process.terminate(grace: .seconds(5)) }
    }

    @Test(arguments: [["--nonsense"], ["--log-level", "loud"], ["stray"]])
    func aWrongCommandLineExitsWithUsage(arguments: [String]) throws {
        try expectEqual(Programs.run("podcastd", arguments).status, 64)
    }

    @Test func aWrongOutputIsRefusedBeforeAnyFileIsCreated() throws {
        let scratch = try Scratch()
        try expectOutcome(
            Programs.run(
                "podcastd",
                RunningDaemon.places(scratch) + ["--output", "trumpet:loud", "--socket", scratch.path + "/s"]), 78,
            errors: "trumpet")
    }

    @Test func theDaemonUsesTheSocketOfTheServiceManager() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/activated"
        let listener = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        try #require(listen(listener.raw, 5) == 0)
        let notifications = try Notifications(path: scratch.path + "/notify")
        // The manager's variables name the process that they are for, so a shell fills its own number in.
        let command =
            "LISTEN_PID=$$ exec '\(Programs.path("podcastd"))' --output null --data-dir '\(scratch.path)/d' --cache-dir '\(scratch.path)/c'"
        let process = try ChildProcess(
            Launch(
                "/bin/sh", ["-c", command],
                environment: [
                    "HOME=\(scratch.path)", "PATH=/usr/bin:/bin", "LISTEN_FDS=1", "LISTEN_FDNAMES=control",
                    "NOTIFY_SOCKET=\(notifications.path)",
                ], descriptors: [DescriptorMapping(listener.raw, to: 3)]))
        #expect(notifications.wait(for: "READY=1"))
        _ = try DaemonConnection(path: path).call(GetStatus())
        expectEqual(process.terminate(grace: .seconds(60)), .exited(0))
    }
}
