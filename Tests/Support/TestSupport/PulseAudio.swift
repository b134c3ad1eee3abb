import Foundation
import PodcastModel
import SystemCalls
import Testing

/// A separate PulseAudio server with a sink that consumes sound in real time. It does not affect other servers:
/// its folders are its own, and nothing but its socket leads to it.
package final class PulseAudio {
    /// ALSA's plugin for PulseAudio, in a folder for each kind of processor.
    private static func requirePlugin() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
        let isInstalled = folders.contains {
            access("/usr/lib/\($0)/alsa-lib/libasound_module_pcm_pulse.so", R_OK) == 0
        }
        if !isInstalled { throw RequiredTool.missing("ALSA's plugin for PulseAudio", "libasound2-plugins") }
    }

    private let folder: Scratch
    private let rate: Int
    private var process: ChildProcess
    private var recorder: ChildProcess?

    /// Starts a server and waits until it answers.
    /// - Parameter rate: of its device, in frames per second.
    package init(rate: Int = 44_100) throws {
        folder = try Scratch()
        self.rate = rate
        process = try Self.start(folder, rate)
    }

    deinit {
        _ = recorder?.terminate(grace: .seconds(2))
        _ = process.terminate(grace: .seconds(2))
    }

    package var address: String { "unix:\(folder.path)/native" }

    /// What a program needs in its environment to find it.
    package var environment: [String] { ["PULSE_SERVER=\(address)", "XDG_RUNTIME_DIR=\(folder.path)"] }

    /// Records what the device plays from now on, and waits until there is some of it.
    package func record() throws {
        let file = folder.path + "/heard"
        recorder = try ChildProcess(
            Launch(
                try RequiredTool.parec.path(),
                ["-d", "room.monitor", "--raw", "--format=s16le", "--rate=\(rate)", "--channels=2", file],
                environment: environment + ["HOME=\(folder.path)"]))
        while recording.isEmpty { try #require(recorder?.exitStatus() == nil, "parec ended") }
    }

    package var recording: [UInt8] { [UInt8]((try? Data(contentsOf: URL(filePath: folder.path + "/heard"))) ?? Data()) }

    /// What pactl prints.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        let output = try CollectedOutput.of(
            Launch(try RequiredTool.pactl.path(), arguments, environment: environment + ["HOME=\(folder.path)"]),
            limit: 1 << 20, timeout: .seconds(60))
        return String(decoding: output.output, as: UTF8.self)
    }

    /// The server is gone from one moment to the next, like a card that is pulled out.
    package func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Another server at the same place.
    package func startAgain() throws { process = try Self.start(folder, rate) }

    private static func start(_ folder: Scratch, _ rate: Int) throws -> ChildProcess {
        try requirePlugin()
        let socket = folder.path + "/native"
        unlink(socket)
        let process = try ChildProcess(
            Launch(
                try RequiredTool.pulseaudio.path(),
                [
                    "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                    // With rewinding it renders two seconds of silence ahead, and begins that late.
                    "-L", "module-null-sink sink_name=room rate=\(rate) norewinds=1",
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

    private static func answers(_ path: String) -> Bool { (try? LocalSocket.connect(to: path)) != nil }
}
