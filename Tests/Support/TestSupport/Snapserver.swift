import Foundation
import HTTP
import MachineSupport
import PodcastModel
import SystemCalls
import Testing
package import JSON

/// The distribution's snapserver on separate ports, with clients that write what they play to files.
package final class Snapserver {
    package let controlPort: UInt16
    package let sourcePort: UInt16
    private let folder: String
    private let clientPort: UInt16
    private let source: String
    private let buffer: Int
    private let environment: [String]
    private var server: ChildProcess
    private var clients: [String: ChildProcess] = [:]

    /// - Parameters:
    ///   - source: of the stream `podcasts`, without its query; nil is a TCP source on `sourcePort`.
    ///   - query: what follows the stream's name.
    ///   - buffer: in milliseconds.
    ///   - environment: of the server, and of its control script.
    package init(
        in folder: String, source: String? = nil, query: String = "", buffer: Int, clients names: [String] = ["room"],
        environment: [String] = []
    ) throws {
        self.folder = folder
        self.environment = ["HOME=\(folder)", "PATH=/usr/bin:/bin"] + environment
        let ports = try (0..<3).map { _ in try LoopbackListener.unusedPort() }
        (sourcePort, controlPort, clientPort) = (ports[0], ports[1], ports[2])
        self.source = "\(source ?? "tcp://127.0.0.1:\(ports[0])/")?name=podcasts\(query)"
        self.buffer = buffer
        server = try Self.start(folder, self.source, buffer, controlPort, clientPort, self.environment)
        for name in names { try startClient(name) }
    }

    deinit {
        for process in Array(clients.values) + [server] { _ = process.terminate(grace: .seconds(2)) }
    }

    /// The output of podcastd that plays on its TCP source.
    package var output: String { "snapcast:127.0.0.1:\(sourcePort)?control=\(controlPort)&buffer=\(buffer)" }

    /// - Parameter signal: after SIGTERM the server keeps the volumes of its clients.
    package func kill(_ signal: Int32 = SIGKILL) {
        server.signal(signal)
        _ = server.wait()
    }

    package func startAgain() throws {
        server = try Self.start(folder, source, buffer, controlPort, clientPort, environment)
    }

    package func startClient(_ name: String) throws {
        if let old = clients[name] {
            old.signal(SIGKILL)
            _ = old.wait()
        }
        clients[name] = try Self.start(
            .snapclient, environment,
            [
                "--host", "127.0.0.1", "--port", "\(clientPort)", "--hostID", name, "--player",
                "file:filename=\(folder)/heard-\(name)",
            ])
    }

    /// What a client has played, at 48 kHz in stereo.
    package func heard(_ name: String = "room") -> [UInt8] {
        [UInt8]((try? Data(contentsOf: URL(filePath: folder + "/heard-" + name))) ?? Data())
    }

    /// Calls a method of the server's control port, which its clients' programs use.
    /// - Parameter params: JSON, or nothing.
    @discardableResult
    package func call(_ method: String, _ params: String = "{}") throws -> JSONValue {
        let socket = try InternetConnection.open(to: "127.0.0.1", port: controlPort, until: .now + .seconds(60))
        let line = "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(params)}\r\n"
        _ = try Array(line.utf8).withUnsafeBytes { try writeWithoutSignal(to: socket.raw, $0) }
        var lines = LineBuffer()
        while true {
            while let message = try lines.takeLine({ try JSONValue(parsing: $0) }) {
                // Messages without a number are notifications.
                if message["id"] != nil { return message }
            }
            let hasAnswer = waitForDescriptors(readable: socket.raw, until: .now + .seconds(60))
            try #require(hasAnswer, "no answer to \(method)")
            try socket.readSome(upTo: 64 << 10).withUnsafeBytes { lines.append($0) }
        }
    }

    /// What the server tells its clients of the stream: `playbackStatus`, `metadata`, `position` and more.
    package func properties() throws -> JSONValue? {
        try call("Server.GetStatus")["result"]?["server"]?["streams"]?.arrayValue?.first?["properties"]
    }

    /// Waits until a property of the stream is as wanted.
    package func awaitProperties(_ fit: (JSONValue) -> Bool) throws {
        let deadline = Instant.now + .seconds(180)
        while true {
            let properties = try properties()
            if properties.map(fit) == true { return }
            try #require(.now < deadline, "\(properties?.text ?? "no stream")")
        }
    }

    /// Waits until a client has played one more second, a tenth of which is sound: a client without a processor leaves much out.
    package func expectSound(_ name: String = "room") throws { try expect("sound", name) { $0 > 4_800 } }

    /// Waits until a client has played one more second of silence.
    package func expectSilence(_ name: String = "room") throws { try expect("silence", name) { $0 == 0 } }

    /// Waits until the number of audible frames in one more second of what a client plays is as wanted.
    private func expect(_ what: String, _ name: String, _ fits: (Int) -> Bool) throws {
        let deadline = Instant.now + .seconds(180)
        var end = heard(name).count
        while true {
            let bytes = heard(name)
            if bytes.count < end { end = 0 }
            if bytes.count >= end + 192_000 {
                let second = bytes[end..<end + 192_000]
                let audible = stride(from: second.startIndex, to: second.endIndex, by: 4)
                    .count { second[$0] != 0 || second[$0 + 1] != 0 }
                if fits(audible) { return }
                end += 192_000
            }
            try #require(.now < deadline, "no \(what) was heard in \(name)")
            var entries = [PollEntry(-1)]
            try waitForAny(&entries, until: .now + .milliseconds(20))
        }
    }

    private static func start(
        _ folder: String, _ source: String, _ buffer: Int, _ control: UInt16, _ port: UInt16, _ environment: [String]
    ) throws -> ChildProcess {
        try start(
            .snapserver, environment,
            [
                "--config", "/dev/null", "--server.datadir=\(folder)", "--http.enabled=false",
                "--tcp.bind_to_address=127.0.0.1", "--tcp.port=\(control)", "--stream.bind_to_address=127.0.0.1",
                "--stream.port=\(port)", "--stream.codec=pcm", "--stream.buffer=\(buffer)", "--stream.source=\(source)",
            ])
    }

    private static func start(
        _ tool: RequiredTool, _ environment: [String], _ arguments: [String]
    ) throws -> ChildProcess { try ChildProcess(Launch(try tool.path(), arguments, environment: environment)) }
}
