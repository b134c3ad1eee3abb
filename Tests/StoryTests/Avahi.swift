import Foundation
import Glibc
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The distribution's Avahi with its own system bus.
final class Avahi {
    let bus: String
    private var processes: [ChildProcess] = []

    init(in scratch: Scratch) throws {
        bus = "unix:path=\(scratch.path)/system-bus"
        let config = try scratch.file(
            "dbus.conf",
            """
            <busconfig><type>system</type><listen>\(bus)</listen><auth>EXTERNAL</auth><policy context="default">
            <allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy></busconfig>
            """)
        processes.append(
            try ChildProcess(
                Launch(try RequiredTool.dbusDaemon.path(), ["--config-file=\(config)", "--nofork", "--nopidfile"])))
        let deadline = Instant.now + .seconds(30)
        while !FileManager.default.fileExists(atPath: scratch.path + "/system-bus") {
            try #require(.now < deadline, "dbus-daemon did not start")
            try waitForExit(of: processes[0], atMost: .milliseconds(20))
        }
        let settings = try scratch.file("avahi.conf", "[server]\nuse-ipv6=no\nenable-dbus=yes\nallow-interfaces=lo\n")
        let avahi =
            "\(try RequiredTool.avahiDaemon.path()) -f \(settings) --no-drop-root --no-chroot --no-rlimits --no-proc-title"
        // The daemon's folder in /run has the number of the only process that may run; that of this test has a folder of its own.
        let isRoot = geteuid() == 0
        processes.append(
            try ChildProcess(
                Launch(
                    isRoot ? "/usr/bin/unshare" : "/bin/sh",
                    (isRoot ? ["--mount", "/bin/sh"] : [])
                        + ["-c", (isRoot ? "mount -t tmpfs tmpfs /run && " : "") + "exec \(avahi)"],
                    environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(bus)", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"])))
        try waitForName(until: deadline)
    }

    deinit { for process in processes.reversed() { _ = process.terminate(grace: .seconds(2)) } }

    /// Waits until Avahi answers.
    private func waitForName(until deadline: Instant) throws {
        let call = [
            "call", "--address", bus, "--dest", "org.freedesktop.Avahi", "--object-path", "/", "--method",
            "org.freedesktop.Avahi.Server.GetState",
        ]
        while try !Programs.run(Launch(try RequiredTool.gdbus.path(), call)).output.contains("(2,)") {
            try #require(.now < deadline, "avahi-daemon did not start")
            try waitForExit(of: processes[1], atMost: .milliseconds(50))
        }
    }

    private func waitForExit(of process: ChildProcess, atMost limit: Duration) throws {
        var entries = [PollEntry(process.descriptor)]
        try #require(try !waitForAny(&entries, until: .now + limit), "a program of the test has ended")
    }
}
