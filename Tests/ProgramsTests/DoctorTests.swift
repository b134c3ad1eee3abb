import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct DoctorTests {
    private struct Check {
        var outcome: String
        var finding: String
        var fix: String?
    }

    /// What doctor says of a daemon, by check.
    private func doctor(
        _ socket: String, environment: [String] = [], attempts: Int = 10
    ) throws -> (status: Int32?, checks: [String: Check]) {
        let result = try Programs.run("podcastctl", ["--socket", socket, "doctor", "--json"], environment: environment)
        expectEqual(result.errors, "")
        var checks: [String: Check] = [:]
        for check in try JSONValue(parsing: result.output).arrayValue ?? [] {
            checks[check["check"]?.stringValue ?? ""] = Check(
                outcome: check["outcome"]?.stringValue ?? "", finding: check["finding"]?.stringValue ?? "",
                fix: check["fix"]?.stringValue)
        }
        // A busy machine may need longer for a check than doctor waits.
        let isLate = ["slow or stuck", " hangs", "answer in time"].contains { result.output.contains($0) }
        if isLate && attempts > 1 { return try doctor(socket, environment: environment, attempts: attempts - 1) }
        return (result.status, checks)
    }

    @Test func aHealthyDaemonPassesItsOwnChecks() throws {
        let published = try PublishedFeed(episodes: [("Only", try fixture("one-and-a-half-seconds.mp3"))])
        let daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        var checks = try doctor(daemon.socketPath).checks
        // A busy machine may not reach its own server within the check's five seconds.
        for _ in 1..<10 where checks["network"]?.outcome != "ok" { checks = try doctor(daemon.socketPath).checks }
        var names = ["daemon", "output", "library", "network", "refresh", "feeds", "settings", "cache"]
        #if !UNSANDBOXED
            // A build that does not confine itself says that it is not for use.
            names.append("decoder")
        #endif
        for name in names {
            expectEqual(checks[name]?.outcome, "ok", "\(name): \(checks[name]?.finding ?? "missing")")
        }
        expectEqual(checks["library space"]?.finding.contains(daemon.scratch.path + "/data"), true)
    }

    /// podcastd alone in its directory, as the package podcastd installs it.
    @Test func namesThePackageOfAnOutputsProgram() throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(
            output: "http", in: scratch,
            shell: "install -D \"$0\" '\(scratch.path)/bin/podcastd'; exec '\(scratch.path)/bin/podcastd' \"$@\"")
        let check = try doctor(daemon.socketPath).checks["output"]
        expectEqual(check?.finding, "http: podcast-web is not installed")
        expectEqual(check?.fix, "install podcastd-web")
        let added = try daemon.ctl("output", "add", "living", "upnp:Living")
        expectEqual(added.status, 75)
        expectEqual(
            added.errors,
            "podcastctl: upnp:Living needs podcast-output, which is not installed\npodcastctl: install podcastd-web\n")
    }

    @Test func aDamagedLibraryIsFoundWhileItIsInUse() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/data/library.db"
        try expectEqual(RunningDaemon(in: scratch).stop(), .exited(0))
        // Who closes the library last brings everything into the file.
        try expectEqual(Programs.run("podcast-refresh", ["--data-dir", scratch.path + "/data", "export"]).status, 0)
        let daemon = try RunningDaemon(in: scratch)
        // The last page is some index that nothing was read from yet.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let size = try file.seekToEnd()
        try #require(size > 8192)
        try file.seek(toOffset: size - 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        let (status, checks) = try doctor(daemon.socketPath)
        expectEqual(status, 69)
        expectEqual(checks["library"]?.outcome, "needs-a-person")
        expectEqual(checks["library"]?.fix?.contains("backup"), true)
    }

    @Test func aMissingOutputIsReported() throws {
        let daemon = try RunningDaemon(output: "alsa:no_such_device")
        let (status, checks) = try doctor(daemon.socketPath)
        expectEqual(status, 69)
        expectEqual(checks["output"]?.outcome, "needs-a-person")
        expectEqual(checks["output"]?.finding.contains("no_such_device"), true)
    }

    @Test func aFIFOThatOtherUsersCannotReadIsReportedAndNotChanged() throws {
        let scratch = try Scratch()
        let fifo = scratch.path + "/sound"
        try #require(mkfifo(fifo, 0o600) == 0)
        let daemon = try RunningDaemon(output: "fifo:\(fifo)", in: scratch)
        try expectEqual(doctor(daemon.socketPath).checks["output"]?.fix, "chmod go+r \(fifo)")
        try #require(chmod(fifo, 0o644) == 0)
        try expectEqual(doctor(daemon.socketPath).checks["output"]?.outcome, "ok")
        try #require(unlink(fifo) == 0)
        try expectEqual(doctor(daemon.socketPath).checks["output"]?.outcome, "ok")
        #expect(!FileManager.default.fileExists(atPath: fifo))
    }

    @Test func aHostThatDoesNotAnswerIsReportedBeforeTheDeadline() throws {
        let scratch = try Scratch()
        let server = try LoopbackServer()
        let published = try PublishedFeed(
            episodes: [("Only", try fixture("one-and-a-half-seconds.mp3"))], on: server)
        let daemon = try RunningDaemon(in: scratch)
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
        let held = server.serve("/", .after(.gate(Gate()), .hangUp))
        defer { withExtendedLifetime(held) {} }
        let (status, checks) = try doctor(daemon.socketPath)
        expectEqual(status, 69)
        expectEqual(checks["network"]?.outcome, "needs-a-person")
        expectEqual(checks["network"]?.finding.contains("127.0.0.1"), true)
    }

    @Test func aSoundServerThatDiedIsReported() throws {
        let server = try PulseAudio()
        let daemon = try RunningDaemon(output: "alsa:pulse", environment: server.environment)
        try expectEqual(doctor(daemon.socketPath, environment: server.environment).checks["output"]?.outcome, "ok")
        server.kill()
        let (status, checks) = try doctor(daemon.socketPath, environment: server.environment)
        expectEqual(status, 69)
        expectEqual(checks["sound server"]?.outcome, "needs-a-person")
        expectEqual(checks["output"]?.outcome, "needs-a-person")
        expectEqual(checks["output"]?.finding.contains("alsa:pulse"), true)
    }
}
