@testable import AudioOutput
import Glibc
import MachineSupport
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The distribution's snapserver, whose client writes what it plays to a file.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SnapcastSinkTests {
    private let server: Snapserver
    private let sink: any Sink

    init() throws {
        server = try Snapserver(buffer: 1_000)
        sink = try SinkFactory().makeSink(OutputSpecification(parsing: server.output))
    }

    @Test func whatIsDroppedIsSilentSoonAndTheNextSoundIsWhole() throws {
        var sound = CountedSound()
        try expectEqual(sink.open(CountedSound.format), CountedSound.format)
        try sound.write(20_000, to: sink)
        let begin = try server.awaitSound { $0.last.map { $0.upperBound > 4_000 } ?? false }
        expectEqual(begin[0].lowerBound, 1)
        sink.drop()
        expectEqual(sink.latency, 0)
        // What was dropped would be heard for another 0.3 s.
        let before = try #require(begin.last?.upperBound)
        sound = CountedSound()
        try sound.write(20_000, to: sink)
        try sink.drain()
        let heard = try server.awaitSound { $0.count > 1 && $0.last?.upperBound == 20_001 }
        // The client's volume may be back some milliseconds late.
        #expect(try #require(heard.last).lowerBound < 1_000, "heard \(heard)")
        let dropped = try #require(heard.dropLast().last?.upperBound)
        #expect(dropped - before < 12_000, "\(dropped - before) frames were heard after the drop")
        try expectEqual(server.volume(), 100)
    }

    @Test func aServerThatIsNotThereAndOneThatEndsAreNamed() throws {
        let missing = try SinkFactory().makeSink(OutputSpecification(parsing: "snapcast:127.0.0.1:1"))
        let error = try #require(throws: SinkError.self) { try missing.open(CountedSound.format) }
        #expect(error.isTemporary)
        expectContains(error.message, "source = tcp://0.0.0.0:1/?name=podcasts")
        _ = try sink.open(CountedSound.format)
        server.kill()
        let ended = try #require(throws: SinkError.self) {
            try write([UInt8](repeating: 1, count: 4 * 480_000), to: sink)
        }
        #expect(ended.isTemporary)
        expectContains(ended.message, "podcastd connects again")
    }

    @Test(arguments: [
        ("attic", "attic", 4953), ("attic:5000", "attic", 5000), ("[::1]", "::1", 4953),
        ("[fe80::1]:99", "fe80::1", 99),
        ("192.168.1.7:1", "192.168.1.7", 1),
    ])
    func anAddressIsRead(text: String, host: String, port: UInt16) throws {
        let address = try #require(SnapcastSink.Address(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: ["", ":1", "attic:0", "attic:65536", "attic:x", "a b", "[]", "attic:"])
    func whatIsNoAddressIsRefused(text: String) { #expect(SnapcastSink.Address(text) == nil) }

    @Test func doctorNamesAServerWithoutTheStream() throws {
        expectEqual(OutputInspector.condition(of: try OutputSpecification(parsing: server.output)), .usable)
        let other = try OutputSpecification(parsing: "snapcast:127.0.0.1:1?control=\(server.controlPort)")
        guard case .unusable(_, let cause, let fix) = OutputInspector.condition(of: other) else {
            Issue.record("a source that does not exist is usable")
            return
        }
        expectContains(cause, "no tcp source on port 1")
        expectContains(fix, "snapserver.conf")
    }
}

/// A snapserver with a client, on separate ports.
final class Snapserver {
    let controlPort: UInt16
    private let folder: TemporaryFolder
    private let sourcePort: UInt16
    private let server: ChildProcess
    private let client: ChildProcess

    /// - Parameter buffer: in milliseconds.
    init(buffer: Int) throws {
        folder = try TemporaryFolder()
        let ports = try (0..<3).map { _ in try LoopbackListener.unusedPort() }
        (sourcePort, controlPort) = (ports[0], ports[1])
        let environment = ["HOME=\(folder.path)", "PATH=/usr/bin:/bin"]
        server = try ChildProcess(
            Launch(
                try RequiredTool.snapserver.path(),
                [
                    "--config", "/dev/null", "--server.datadir=\(folder.path)", "--http.enabled=false",
                    "--tcp.bind_to_address=127.0.0.1", "--tcp.port=\(controlPort)",
                    "--stream.bind_to_address=127.0.0.1", "--stream.port=\(ports[2])", "--stream.codec=pcm",
                    "--stream.buffer=\(buffer)", "--stream.source=tcp://127.0.0.1:\(sourcePort)/?name=podcasts",
                ], environment: environment))
        client = try ChildProcess(
            Launch(
                try RequiredTool.snapclient.path(),
                [
                    "--host", "127.0.0.1", "--port", "\(ports[2])", "--hostID", "room",
                    "--player", "file:filename=\(folder.file("heard"))",
                ], environment: environment))
        let deadline = Instant.now + .seconds(120)
        while (try? volume()) != 100 { try #require(.now < deadline, "no client of snapserver") }
    }

    deinit {
        _ = client.terminate(grace: .seconds(2))
        _ = server.terminate(grace: .seconds(2))
    }

    var output: String { "snapcast:127.0.0.1:\(sourcePort)?control=\(controlPort)" }

    func kill() {
        server.signal(SIGKILL)
        _ = server.wait()
    }

    /// The client's volume, as the server's control port says it.
    func volume() throws -> Int64? {
        var connection = try SnapserverConnection("127.0.0.1", controlPort, until: .now + .seconds(60))
        return connection.clients(ofSource: sourcePort).first?.volume
    }

    /// Waits until the client has played what is wanted.
    func awaitSound(_ isDone: ([Range<Int>]) -> Bool) throws -> [Range<Int>] {
        let deadline = Instant.now + .seconds(120)
        while true {
            let heard = CountedSound.ranges(in: (try? folder.bytes("heard")) ?? [])
            if isDone(heard) { return heard }
            try #require(.now < deadline, "heard \(heard)")
        }
    }
}
