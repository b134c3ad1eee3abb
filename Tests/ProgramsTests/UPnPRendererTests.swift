import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The distribution's gmediarender, podcastd and the episodes' host in one separate network.
@Suite(.ownThread, .enabled(if: geteuid() == 0, "only root can make a network namespace"), .timeLimit(.minutes(10)))
struct UPnPRendererTests {
    private static let address = "10.9.9.1"

    private let scratch: Scratch
    private let audio: [UInt8]
    private let daemon: RunningDaemon
    private let host: ChildProcess
    private let renderer: ChildProcess
    private let client: DaemonConnection

    init() throws {
        try RequiredTool.ip.path()
        scratch = try Scratch()
        let folder = scratch.path
        audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 3).joined())
        let setUp = """
            set -e; PATH=/usr/sbin:/usr/bin:/sbin:/bin
            ip link set lo up; ip link add upnp0 type veth peer name upnp1; ip addr add \(Self.address)/24 dev upnp0
            ip link set upnp0 up; ip link set upnp1 up; ip route add 224.0.0.0/4 dev upnp0
            """
        daemon = try RunningDaemon(in: scratch, shell: setUp, launcher: ["/usr/bin/unshare", "--net"])
        for name in ["first", "second"] { try Data(audio).write(to: URL(filePath: "\(scratch.path)/\(name).mp3")) }
        let items = ["first", "second"].map {
            "<item><title>\($0)</title><guid>\($0)</guid><enclosure url=\"\($0).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        _ = try scratch.file(
            "feed.xml", "<rss version=\"2.0\"><channel><title>Show</title>\(items.joined())</channel></rss>")
        let config = try scratch.file(
            "nginx.conf",
            """
            daemon off; pid \(scratch.path)/pid; error_log stderr; events {} worker_processes 1; user root;
            http { log_format sent '$uri $body_bytes_sent'; access_log \(scratch.path)/sent sent;
            \(["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }.joined())
            types { audio/mpeg mp3; } server { listen \(Self.address):8080; root \(scratch.path); } }
            """)
        host = try Self.start(daemon, RequiredTool.nginx.path(), ["-c", config, "-e", "stderr"], scratch)
        renderer = try Self.startRenderer(daemon, scratch)
        client = try daemon.connect(watching: .player, .outputs)
        try Self.wait("the host") {
            let reply = try? client.call(Subscribe { $0.urls = ["http://\(Self.address):8080/feed.xml"] })
            return reply?.rows.first?.feed != nil
        }
        try client.call(AddOutput { ($0.name, $0.specification) = ("living", "upnp:living room") })
        try client.call(PlayOnOutput { $0.name = "living" })
    }

    private static func inNetwork(_ daemon: RunningDaemon, _ program: String, _ arguments: [String], _ scratch: Scratch)
        -> Launch
    {
        Launch(
            "/usr/bin/nsenter", ["--net=/proc/\(daemon.process.processID)/ns/net", program] + arguments,
            environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"])
    }

    private static func start(
        _ daemon: RunningDaemon, _ program: String, _ arguments: [String], _ scratch: Scratch
    ) throws -> ChildProcess {
        try ChildProcess(inNetwork(daemon, program, arguments, scratch))
    }

    private static func startRenderer(_ daemon: RunningDaemon, _ scratch: Scratch) throws -> ChildProcess {
        try start(
            daemon, RequiredTool.gmediarender.path(),
            [
                "-f", "Living Room", "-I", "upnp0", "-p", "49494", "--gstout-audiopipe", "fakesink sync=true",
                "--logfile", scratch.path + "/renderer.log",
            ], scratch)
    }

    /// Programs of the daemon that have ended and were not reaped.
    private var defunct: [String] {
        get throws {
            let own = String(daemon.process.processID)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap {
                try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8)
            }.filter { stat in
                let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.count > 1 && fields[0] == "Z" && fields[1] == own
            }
        }
    }

    /// Tries until something is so.
    private static func wait(_ what: String, or state: () throws -> String = { "" }, _ isSo: () throws -> Bool) throws {
        let deadline = Instant.now + .seconds(120)
        while try !isSo() {
            if .now < deadline { continue }
            let state = try state()
            try #require(Bool(false), "waited in vain for \(what): \(state)")
        }
    }

    private func wait(_ what: String, _ isSo: () throws -> Bool) throws {
        try Self.wait(what, or: { try state }, isSo)
    }

    /// What daemon and renderer do.
    private var state: String {
        get throws {
            let (player, outputs) = (try client.call(GetStatus()).player, try client.call(ListOutputs()).rows)
            let renderer = try transport("GetTransportInfo") + transport("GetPositionInfo")
            let log = try String(contentsOfFile: scratch.path + "/renderer.log", encoding: .utf8).split(separator: "\n")
            return "\(player) \(outputs) \(renderer) \(log.suffix(60).joined(separator: "\n"))"
        }
    }

    // MARK: the renderer

    /// Calls an action of the renderer as a remote control does, and returns its answer.
    @discardableResult
    private func call(_ service: String, _ path: String, _ action: String, _ arguments: String = "") throws -> String {
        let type = "urn:schemas-upnp-org:service:\(service):1"
        let body =
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><u:\(action) xmlns:u=\"\(type)\">"
            + "<InstanceID>0</InstanceID>\(arguments)</u:\(action)></s:Body></s:Envelope>"
        let headers = ["-H", "Content-Type: text/xml", "-H", "SOAPAction: \"\(type)#\(action)\""]
        return try Programs.run(
            Self.inNetwork(
                daemon, RequiredTool.curl.path(),
                ["-s", "--max-time", "10"] + headers
                    + ["--data", body, "http://\(Self.address):49494/upnp/control/\(path)"], scratch)
        ).output
    }

    @discardableResult
    private func transport(_ action: String, _ arguments: String = "") throws -> String {
        try call("AVTransport", "rendertransport1", action, arguments)
    }

    /// Calls an action as often as the renderer, on a busy machine, does not answer in time.
    private func order(_ action: String, _ arguments: String = "") throws {
        try wait("the answer to \(action)") { try transport(action, arguments).contains("\(action)Response") }
    }

    private func volume(_ action: String, _ arguments: String = "") throws -> String {
        try call("RenderingControl", "rendercontrol1", action, "<Channel>Master</Channel>" + arguments)
    }

    private func waitForPlayer(_ state: PlayerReply.State) throws {
        try wait("\(state) in podcastd") { try client.call(GetStatus()).player.state == state }
    }

    private func play(_ title: String) throws {
        try client.call(Play { $0.what = title })
        try waitForPlayer(.playing)
    }

    private func waitForState(_ state: String) throws {
        try wait(state) { try transport("GetTransportInfo").contains(">\(state)<") }
    }

    private func rendererSeconds() throws -> Int {
        let text = try transport("GetPositionInfo")
        guard let match = text.firstMatch(of: /<RelTime>(\d+):(\d+):(\d+)/) else { return 0 }
        return (Int(match.1) ?? 0) * 3600 + (Int(match.2) ?? 0) * 60 + (Int(match.3) ?? 0)
    }

    private func expectInStep(beyond seconds: Int) throws {
        try wait("second \(seconds)") { try rendererSeconds() > seconds }
        try wait("the daemon in step") {
            let here = try client.call(GetStatus()).player.position?.seconds ?? 0
            let there = try rendererSeconds()
            return abs(here - Double(there) - 0.5) < 1.2
        }
    }

    // MARK: tests

    @Test func theRendererAndTheDaemonDoTheSame() throws {
        try play("first")
        try waitForState("PLAYING")
        try expectInStep(beyond: 2)
        try client.call(Pause())
        try waitForState("PAUSED_PLAYBACK")
        try client.call(TogglePlayback())
        try waitForState("PLAYING")
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 60)) })
        try expectInStep(beyond: 61)
        try client.call(SetOutputVolume { ($0.name, $0.volume) = ("living", 40) })
        try wait("volume 40") { try volume("GetVolume").contains(">40<") }

        try order("Pause")
        try waitForPlayer(.paused)
        try order("Play", "<Speed>1</Speed>")
        try waitForPlayer(.playing)
        try order("Seek", "<Unit>REL_TIME</Unit><Target>0:01:30</Target>")
        try wait("second 90") { try client.call(GetStatus()).player.position ?? .zero > MediaTime(seconds: 89) }
        _ = try volume("SetVolume", "<DesiredVolume>70</DesiredVolume>")
        try wait("volume 70") { try client.call(ListOutputs()).rows.contains { $0.volume == 70 } }

        try client.call(Play { $0.what = "second" })
        try wait("the next episode") {
            try transport("GetPositionInfo").contains("second") && transport("GetTransportInfo").contains(">PLAYING<")
        }
        try client.call(DisableOutput { $0.name = "living" })
        try waitForState("STOPPED")
        try wait("the end of podcast-output") { try defunct.isEmpty }

        // Overlaps with what is on disk show that a file has not changed.
        let sent = try String(contentsOf: URL(filePath: scratch.path + "/sent"), encoding: .utf8)
        let first = sent.split(separator: "\n").filter { $0.hasPrefix("/first.mp3 ") }
        let bytes = first.compactMap { Int($0.split(separator: " ").last ?? "") }.reduce(0, +)
        #expect(bytes <= audio.count + first.count * 4096, "\(sent)")
    }

    @Test func anEpisodeBeginsWhereItWasPausedAndTheNextFollowsItsEnd() throws {
        try client.call(Play { ($0.what, $0.position) = ("first", .absolute(MediaTime(seconds: 110))) })
        try client.call(AddToQueue { $0.what = ["second"] })
        try expectInStep(beyond: 112)
        try wait("the next episode") { try client.call(GetStatus()).player.episode?.title == "second" }
        try expectInStep(beyond: 1)
    }

    @Test func anUnknownRendererIsReportedWithThoseThatWereFound() throws {
        try client.call(AddOutput { ($0.name, $0.specification) = ("attic", "upnp:Attic") })
        try client.call(PlayOnOutput { $0.name = "attic" })
        try client.call(Play { $0.what = "first" })
        var reasons: Set<String> = []
        try wait("the reason") {
            try reasons.formUnion(client.call(ListOutputs()).rows.compactMap(\.reason))
            return reasons.contains { $0.contains("found: 'Living Room'") }
        }
        #expect(!reasons.contains { $0.contains("loads the episode") })
        let listed = try Programs.run(
            Self.inNetwork(daemon, Programs.path("podcast-output"), ["renderers"], scratch))
        expectContains(listed.output, "Living Room\tuuid:")
    }

    @Test func theSoundMovesFromAnotherOutputWithoutAJump() throws {
        try client.call(PlayOnOutput { $0.name = "null" })
        try client.call(Play { ($0.what, $0.position) = ("first", .absolute(MediaTime(seconds: 20))) })
        try waitForPlayer(.playing)
        try client.call(EnableOutput { $0.name = "living" })
        try waitForState("PLAYING")
        try wait("second 22") { try rendererSeconds() > 22 }
        try client.call(PlayOnOutput { $0.name = "living" })
        try expectInStep(beyond: 26)
        try client.call(Pause())
        // A renderer that has just run out of bytes is stopped instead.
        try wait("the pause") { try !transport("GetTransportInfo").contains(">PLAYING<") }
        let paused = try rendererSeconds()
        func position() throws -> Double { try client.call(GetStatus()).player.position?.seconds ?? 0 }
        // A renderer that pauses late is followed two seconds later.
        try wait("the daemon at the pause") { try abs(position() - Double(paused)) < 2.5 }
        try client.call(TogglePlayback())
        #expect(try abs(position() - Double(paused)) < 2.5)
        try expectInStep(beyond: paused + 3)
    }

    @Test func aRendererThatWasRestartedHasTheVolumeOfTheOutput() throws {
        try play("first")
        try waitForState("PLAYING")
        try client.call(SetOutputVolume { ($0.name, $0.volume) = ("living", 40) })
        try wait("volume 40") { try volume("GetVolume").contains(">40<") }
        renderer.signal(SIGKILL)
        try wait("the loss") { try client.call(ListOutputs()).rows.contains { $0.phase == .failed } }
        let restarted = try Self.startRenderer(daemon, scratch)
        try waitForState("PLAYING")
        try wait("volume 40 again") { try volume("GetVolume").contains(">40<") }
        try expectEqual(client.call(ListOutputs()).rows.last?.volume, 40)
        restarted.signal(SIGKILL)
    }

    @Test func speedHasNoEffectAndIsSaid() throws {
        try play("first")
        try waitForState("PLAYING")
        try expectContains(daemon.ctl("speed", "1.5").output, "speed 1.5; the output plays at speed 1")
        try expectContains(daemon.ctl("outputs").output, "plays at speed 1")
        try expectInStep(beyond: 5)
        try expectContains(daemon.ctl("status").output, "speed 1.5 (the output plays at 1), 1:")
        let player = try client.call(GetStatus()).player
        let (position, duration) = (try #require(player.position), try #require(player.duration))
        #expect(abs((try #require(player.remaining)).seconds - (duration - position).seconds) < 0.1)
        try client.call(EnableOutput { $0.name = "null" })
        try expectEqual(client.call(GetStatus()).player.heardSpeed, nil)
    }
}
