import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import Reporting
import SystemCalls
import TestSupport
import Testing

/// podcastd in a separate network whose name server never answers.
@Suite(.ownThread, .enabled(if: geteuid() == 0, "only root can make a network namespace"), .timeLimit(.minutes(5)))
struct SilentNameServerTests {
    /// Packets to 192.0.2.1 (RFC 5737) are sent to the loopback device, where nothing receives them.
    private func daemon() throws -> RunningDaemon {
        try RequiredTool.ip.path()
        let scratch = try Scratch()
        let file = try scratch.file("resolv.conf", "nameserver 192.0.2.1\noptions timeout:30 attempts:5\n")
        let setUp = """
            set -e; PATH=/usr/sbin:/usr/bin:/sbin:/bin
            ip link set lo up; ip route add 192.0.2.1 dev lo; mount --bind '\(file)' /etc/resolv.conf
            """
        return try RunningDaemon(
            in: scratch, shell: setUp, launcher: ["/usr/bin/unshare", "--net", "--mount"])
    }

    /// Plays a URL whose host's name is looked up from then on.
    private func playHanging(_ client: DaemonConnection) throws {
        try client.watch([.player, .activities])
        try client.call(Play { $0.what = "http://show.example/a.mp3" })
        try client.activities { $0.contains { $0.kind == .loading } }
    }

    @Test func theDaemonExitsDuringANameLookup() throws {
        let daemon = try daemon()
        try playHanging(try daemon.connect())
        // Two seconds are what it may take, the rest is for a busy machine. The look-up takes 150 seconds.
        expectEqual(daemon.process.terminate(grace: .seconds(100)), .exited(0))
    }

    @Test func anotherEpisodeStartsDuringANameLookup() throws {
        let daemon = try daemon()
        let client = try daemon.connect()
        try playHanging(client)
        // Nothing listens there, in that network, which is known at once. The look-up takes minutes, and the client waits
        // for one.
        try client.call(Play { $0.what = "http://127.0.0.1:9/b.mp3" })
        try client.player { $0.reason?.contains("127.0.0.1") == true }
    }
}
