import Foundation
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A separate PulseAudio server with a sink that consumes sound in real time. It does not affect other servers:
/// its folders are its own, and nothing but its socket leads to it.
final class PulseAudio {
    /// ALSA's plugin for PulseAudio, in a folder for each kind of processor.
    private static func requirePlugin() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
        let isInstalled = folders.contains {
            access("/usr/lib/\($0)/alsa-lib/libasound_module_pcm_pulse.so", R_OK) == 0
        }
        if !isInstalled { throw RequiredTool.missing("ALSA's plugin for PulseAudio", "libasound2-plugins") }
    }

    private let folder: Scratch
    private var process: ChildProcess

    /// Starts a server and waits until it answers.
    init() throws {
        folder = try Scratch()
        process = try Self.start(folder)
    }

    deinit { _ = process.terminate(grace: .seconds(2)) }

    /// What a program needs in its environment to find it.
    var environment: [String] { ["PULSE_SERVER=unix:\(folder.path)/native", "XDG_RUNTIME_DIR=\(folder.path)"] }

    /// The server is gone from one moment to the next, like a card that is pulled out.
    func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Another server at the same place.
    func startAgain() throws { process = try Self.start(folder) }

    private static func start(_ folder: Scratch) throws -> ChildProcess {
        try requirePlugin()
        let socket = folder.path + "/native"
        unlink(socket)
        let process = try ChildProcess(
            Launch(
                try RequiredTool.pulseaudio.path(),
                [
                    "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                    // With rewinding it renders two seconds of silence ahead, and begins that late.
                    "-L", "module-null-sink rate=44100 norewinds=1",
                    "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
                ],
                environment: [
                    "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "PULSE_RUNTIME_PATH=\(folder.path)",
                    "PATH=/usr/bin:/bin",
                ]))
        let deadline = Instant.now + .seconds(180)
        while !answers(socket) {
            var entries = [PollEntry(process.descriptor)]
            let hasEnded = try waitForAny(&entries, until: .now + .milliseconds(20))
            try #require(!hasEnded && .now < deadline, "pulseaudio did not start")
        }
        return process
    }

    private static func answers(_ path: String) -> Bool {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        return withUnixAddress(path) { connect(socket, $0, $1) } == 0
    }
}
