import Foundation
import PodcastModel
import SystemCalls
import Testing

/// A separate PulseAudio server, or a PipeWire that takes its place, with a sink that consumes sound in real time. It does not
/// affect other servers: its folders are its own, and nothing but its socket leads to it.
package final class PulseAudio {
    package enum Maker: CaseIterable {
        case pulseAudio
        case pipeWire
    }

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
    private let maker: Maker
    /// The server, and the programs that it needs.
    private var processes: [ChildProcess] = []
    private var recorder: ChildProcess?

    /// Starts a server and waits until it answers.
    /// - Parameter rate: of its device, in frames per second.
    package init(_ maker: Maker = .pulseAudio, rate: Int = 44_100) throws {
        folder = try Scratch()
        (self.maker, self.rate) = (maker, rate)
        try startAgain()
    }

    deinit {
        _ = recorder?.terminate(grace: .seconds(2))
        for process in processes.reversed() { _ = process.terminate(grace: .seconds(2)) }
    }

    private var socket: String { folder.path + "/native" }
    package var address: String { "unix:\(socket)" }

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
        for process in processes.reversed() {
            process.signal(SIGKILL)
            _ = process.wait()
        }
        processes = []
    }

    /// Another server at the same place.
    package func startAgain() throws {
        unlink(socket)
        switch maker {
        case .pulseAudio: try startPulseAudio()
        case .pipeWire: try startPipeWire()
        }
    }

    private func startPulseAudio() throws {
        try Self.requirePlugin()
        try start(
            .pulseaudio,
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                // With rewinding it renders two seconds of silence ahead, and begins that late.
                "-L", "module-null-sink sink_name=room rate=\(rate) norewinds=1",
                "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
            ])
        try waitUntil { Self.answers(self.socket) }
    }

    private func startPipeWire() throws {
        try start(
            .dbusDaemon, ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(folder.path)/bus"])
        try waitUntil { Self.answers(self.folder.path + "/bus") }
        try start(.pipewire, [])
        try waitUntil { Self.answers(self.folder.path + "/pipewire-0") }
        try start(.wireplumber, [])
        try start(.pipewirePulse, [])
        try waitUntil { Self.answers(self.socket) }
        _ = try control("load-module", "module-null-sink", "sink_name=room", "rate=\(rate)")
        try waitUntil { try self.control("list", "short", "sinks").contains("room") }
    }

    private func start(_ tool: RequiredTool, _ arguments: [String]) throws {
        let path = folder.path
        processes.append(
            try ChildProcess(
                Launch(
                    try tool.path(), arguments,
                    environment: [
                        "HOME=\(path)", "XDG_RUNTIME_DIR=\(path)", "PULSE_RUNTIME_PATH=\(path)",
                        "DBUS_SESSION_BUS_ADDRESS=unix:path=\(path)/bus", "PATH=/usr/bin:/bin",
                    ])))
    }

    private func waitUntil(_ isReached: () throws -> Bool) throws {
        let deadline = Instant.now + .seconds(180)
        while try !isReached() {
            let server = try #require(processes.last)
            var entries = [PollEntry(server.descriptor)]
            let hasEnded = try waitForAny(&entries, until: .now + .milliseconds(20))
            try #require(!hasEnded && .now < deadline, "the sound server did not start")
        }
    }

    private static func answers(_ path: String) -> Bool { (try? LocalSocket.connect(to: path)) != nil }
}
