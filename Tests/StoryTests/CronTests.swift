import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Programs as cron starts them, which sets HOME and little else.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct CronTests {
    /// A daemon with a rule for an episode that is published afterwards, with its feed.
    private func daemonWithNews() throws -> (RunningDaemon, DaemonConnection) {
        let server = try LoopbackServer()
        let audio = [UInt8](repeating: 0, count: 100)
        let first = try PublishedFeed(episodes: [("Old news", audio)], on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: first.feed.url)
        try client.call(AddRule { $0.rule = "title:breaking then queue" })
        daemon.companions = [
            try PublishedFeed(episodes: [("Old news", audio), ("Breaking news", audio)], on: server)
        ]
        try client.watch([.queue])
        return (daemon, client)
    }

    private func expectNewsInQueue(_ client: DaemonConnection) throws {
        if try client.call(GetStatus()).queue.length == 0 { try client.queue { $0.length == 1 } }
        try expectEqual(client.call(ListQueue()).entries.first?.episode?.episode.title, "Breaking news")
    }

    @Test func rulesApplyToARefreshByCronAlthoughTheDaemonListensElsewhere() throws {
        let (daemon, client) = try daemonWithNews()
        let words = ["-i", "HOME=\(daemon.scratch.path)", Programs.path("podcast-refresh"), "--force", "--data-dir"]
        try expectOutcome(
            Programs.run(Launch("/usr/bin/env", words + [daemon.scratch.path + "/data"], environment: [])), 0)
        try expectNewsInQueue(client)
        let shown = try #require(try client.call(ListFeeds()).rows.first?.feed)
        expectEqual(shown.unplayedCount, 2)
    }

    /// As if podcast-refresh had been killed between its last commit and its report.
    @Test func rulesApplyToARefreshWhoseReportWasLost() throws {
        let (daemon, client) = try daemonWithNews()
        let places = ["--data-dir", daemon.scratch.path + "/data", "--socket", daemon.scratch.path + "/nobody-listens"]
        try expectOutcome(Programs.run("podcast-refresh", places + ["--force"]), 0)
        try expectNewsInQueue(client)
    }

    /// Runs a program as user `nobody` where /run is empty.
    private static func launch(_ folder: String, _ arguments: [String], environment: [String] = []) -> Launch {
        let script = """
            mount --make-rprivate / && mount -t tmpfs none /run &&
            exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
            """
        return Launch(
            "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script, "sh"] + arguments,
            environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(folder)", "TMPDIR=\(folder)"] + environment)
    }

    @Test(.enabled(if: FirstUseTests.isPossible, "needs root and mount namespaces"))
    func withoutARuntimeDirectoryDaemonAndClientsMeetInAPrivateFolder() throws {
        let scratch = try Scratch()
        expectEqual(chmod(scratch.path, 0o777), 0)
        let folder = scratch.path + "/podcastd-65534"
        let notifications = try Notifications(path: scratch.path + "/notify")
        expectEqual(chmod(scratch.path + "/notify", 0o666), 0)
        let log = scratch.path + "/log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let errors = try FileHandle(forWritingTo: URL(filePath: log))
        var launch = Self.launch(
            scratch.path, [Programs.path("podcastd"), "--output", "null"],
            environment: ["NOTIFY_SOCKET=\(notifications.path)"])
        launch.descriptors = [DescriptorMapping(errors.fileDescriptor, to: STDERR_FILENO)]

        // Another user's folder of that name is not used.
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try expectOutcome(Programs.run(launch), 73, errors: "no private folder for the control socket")
        try FileManager.default.removeItem(atPath: folder)

        let daemon = try ChildProcess(launch)
        defer { _ = daemon.terminate(grace: .seconds(5)) }
        try #require(notifications.wait(for: "READY=1"))
        try expectEqual(FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int, 0o700)
        try expectContains(String(contentsOfFile: log, encoding: .utf8), "the control socket is in \(folder)")
        try expectOutcome(Programs.run(Self.launch(scratch.path, [Programs.path("podcastctl"), "feeds"])), 0)
    }
}
