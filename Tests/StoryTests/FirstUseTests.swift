import Foundation
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// A user's first commands after the package was installed: /var/lib/podcastd is there and may not be searched, the system's
/// daemon does not run.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FirstUseTests {
    /// Runs podcastctl as user `nobody` where the folders of the system's service are as the package makes them.
    private static func run(
        _ arguments: [String], runtime: String
    ) throws -> Outcome<Int32?> {
        let script = """
            mount --make-rprivate / && mount -t tmpfs none /var/lib && mkdir -m 700 /var/lib/podcastd &&
            mount -t tmpfs none /run && mkdir /run/podcastd &&
            exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
            """
        return try Programs.run(
            Launch(
                "/usr/bin/unshare",
                ["--mount", "/bin/sh", "-c", script, "sh", Programs.path("podcastctl")] + arguments,
                environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent", "XDG_RUNTIME_DIR=\(runtime)"]))
    }

    /// Whether this process may mount in a separate namespace.
    static let isPossible: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch() else { return false }
        return (try? run(["--version"], runtime: scratch.path))?.status == 0
    }()

    @Test(.enabled(if: isPossible, "needs root and mount namespaces"), arguments: ["feeds", "status", "doctor"])
    func theDaemonOfTheUserIsUsed(command: String) throws {
        let scratch = try Scratch()
        let config = try scratch.file("podcastd.conf", "[control]\ndefault = read\n")
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", config])
        let runtime = scratch.path + "/run"
        try FileManager.default.createDirectory(atPath: runtime + "/podcastd", withIntermediateDirectories: true)
        let socket = runtime + "/podcastd/control"
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: daemon.socketPath)
        #expect(chmod(scratch.path, 0o755) == 0 && chmod(daemon.socketPath, 0o666) == 0)
        let run = try Self.run([command], runtime: runtime)
        if command == "doctor" {
            expectContains(run.output, "answers at \(socket)")
        } else {
            expectEqual(run.status, 0, "\(run.errors)")
        }
    }

    @Test(.enabled(if: isPossible, "needs root and mount namespaces"))
    func withoutAnyDaemonTheOneOfTheUserIsNamed() throws {
        let scratch = try Scratch()
        expectEqual(chmod(scratch.path, 0o755), 0)
        try expectOutcome(Self.run(["feeds"], runtime: scratch.path), 69, errors: scratch.path + "/podcastd/control")
    }
}

/// A newcomer's first hour, by the commands that the messages name.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FirstRunTests {
    /// Root has no folder for sockets; other users have one in /run/user or /tmp.
    @Test(.enabled(if: geteuid() == 0))
    func withoutAnyDaemonTheMessageSaysWhereItLooked() throws {
        try expectOutcome(
            Programs.run(
                Launch(
                    Programs.path("podcastctl"), ["status"], environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"])),
            69, errors: "/run/podcastd/control", "if yours runs, set XDG_RUNTIME_DIR as where it was started")
    }

    @Test func withoutASoundDeviceEachStepNamesTheNextCommand() throws {
        let published = try PublishedFeed(title: "First show", episodes: [("One", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        let daemon = try RunningDaemon(output: "alsa:no_such_device", in: scratch)
        func typed(_ arguments: String...) throws -> String {
            let terminal = try PseudoTerminal()
            _ = try terminal.start("podcastctl", ["--socket", daemon.socketPath] + arguments).wait()
            // The terminal stays open here, so its end has to be marked.
            _ = write(terminal.slave, "END", 3)
            return terminal.shown(until: "END")
        }
        let alone = try Programs.run("podcastctl", ["--socket", scratch.path + "/none", "play"])
        expectContains(alone.errors, "run 'podcastd'", "\(alone)")
        let empty = try typed("play")
        #expect(empty.contains("podcastctl find NAME") && empty.contains("podcastctl subscribe URL"), "\(empty)")
        let subscribed = try typed("subscribe", published.feed.url)
        expectContains(subscribed, "podcastctl play f1")
        let played = try typed("play", "--wait", "f1")
        expectContains(played, "podcastctl: no sound device")
        expectContains(played, "--output")
        expectContains(played, "below [output]")
        let doctor = try daemon.ctl("doctor")
        expectContains(doctor.output, "below [output] in podcastd.conf")
    }
}
