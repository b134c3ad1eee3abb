@testable import AudioOutput
import Glibc
import MachineSupport
import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// The distribution's snapserver, whose client writes what it plays to a file.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SnapcastSinkTests {
    private let folder: TemporaryFolder
    private let server: Snapserver
    private let clock = HeldClock()
    private let sink: any Sink

    init() throws {
        folder = try TemporaryFolder()
        server = try Snapserver(in: folder.path, buffer: 2_000)
        let deadline = Instant.now + .seconds(120)
        while (try? server.volume()) != 100 { try #require(.now < deadline, "no client of snapserver") }
        sink = try SinkFactory(clock: clock).makeSink(OutputSpecification(parsing: server.output))
    }

    @Test func whatIsDroppedIsSilentSoonAndTheNextSoundIsWhole() throws {
        var sound = CountedSound()
        try expectEqual(sink.open(CountedSound.format), CountedSound.format)
        try sound.write(80_000, to: sink)
        let begin = try server.awaitSound { $0.last.map { $0.upperBound > 4_000 } ?? false }
        // A client without a processor leaves out its first frames.
        #expect(begin[0].lowerBound < 24_000)
        sink.drop()
        expectEqual(sink.latency, 0)
        // Without the drop, the client would play the sound to its end, for another 1.5 s.
        let before = try #require(begin.last?.upperBound)
        sound = CountedSound()
        try sound.write(80_000, to: sink)
        try sink.drain()
        let heard = try server.awaitSound { $0.count > 1 && $0.last.map { $0.upperBound > 76_000 } ?? false }
        // On a busy machine the client applies its volume late and skips frames.
        #expect(try #require(heard.last).lowerBound < 48_000, "heard \(heard)")
        let dropped = try #require(heard.first { $0.lowerBound <= before && before <= $0.upperBound }?.upperBound)
        #expect(dropped < 76_000, "\(dropped - before) frames were heard after the drop")
        try awaitVolume(100)
    }

    @Test(arguments: [("false", 33, 33), ("true", 0, 100)])
    func whatIsSetWhileTheRoomIsTurnedDownStays(_ isMuted: String, percent: Int, expected: Int64) throws {
        try turnDown(sink)
        try server.call(
            "Client.SetVolume", #"{"id":"room","volume":{"muted":\#(isMuted),"percent":\#(percent)}}"#)
        clock.goOn()
        sink.close()
        sink.settle(until: .now + .seconds(60))
        var connection = try SnapserverConnection("127.0.0.1", server.controlPort, until: .now + .seconds(60))
        let room = try #require(connection.clients(ofSource: server.sourcePort)?.first)
        #expect(room.volume == expected && "\(room.isMuted)" == isMuted)
    }

    @Test func aRoomHasItsVolumeAgainAfterAServerThatEndedMeanwhile() throws {
        try turnDown(sink)
        server.kill(SIGTERM)
        clock.goOn()
        sink.close()
        sink.settle(until: .now + .seconds(60))
        try server.startAgain()
        try awaitVolume(0)
        _ = try sink.open(CountedSound.format)
        try awaitVolume(100)
    }

    @Test(arguments: [true, false])
    func aRoomHasItsVolumeAgainAfterAProgramThatWasKilledMeanwhile(isOutputStillThere: Bool) throws {
        let factory = SinkFactory(clock: clock, folder: folder.path)
        let killed = try factory.makeSink(OutputSpecification(parsing: server.output))
        try turnDown(killed)
        let record = try #require(try StoredFile.names(in: folder.path).first { $0.hasPrefix("snapserver-volumes-") })
        let bytes = try StoredFile.contents(of: "\(folder.path)/\(record)", limit: 1_000)
        clock.goOn()
        killed.close()
        killed.settle(until: .now + .seconds(60))
        #expect(try !StoredFile.names(in: folder.path).contains(record))
        // As the killed program left it.
        try StoredFile.replace("\(folder.path)/\(record)", with: bytes, isDurable: false)
        try server.call("Client.SetVolume", #"{"id":"room","volume":{"muted":false,"percent":0}}"#)
        if isOutputStillThere {
            // Opened while the volumes are given back.
            _ = try factory.makeSink(OutputSpecification(parsing: server.output)).open(CountedSound.format)
        } else {
            factory.recover()
        }
        try awaitVolume(100)
        let deadline = Instant.now + .seconds(60)
        while try StoredFile.names(in: folder.path).contains(record) { try #require(.now < deadline) }
    }

    /// Drops sound that the server has, and waits until the room is turned down, as long as the clock is held.
    private func turnDown(_ sink: any Sink) throws {
        _ = try sink.open(CountedSound.format)
        var sound = CountedSound()
        try sound.write(20_000, to: sink)
        clock.hold()
        sink.drop()
        try awaitVolume(0)
    }

    private func awaitVolume(_ volume: Int64) throws {
        let deadline = Instant.now + .seconds(120)
        while (try? server.volume()) != volume { try #require(.now < deadline, "the volume is not \(volume)") }
    }

    @Test func aServerThatHasReadEverythingPlaysWhatFollowsAfterItsBuffer() throws {
        var sound = CountedSound()
        _ = try sink.open(CountedSound.format)
        clock.hold()
        try sound.write(2_400, to: sink)
        // The queue of 50 ms is empty, and its sound is heard for some time.
        clock.advance(.milliseconds(500))
        expectEqual(sink.latency, 96_000)
        clock.advance(.milliseconds(1_600))
        expectEqual(sink.latency, 0)
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

    @Test func aServerThatReadsNothingIsGivenUp() throws {
        let listener = try LoopbackListener()
        let deaf = try SinkFactory().makeSink(
            OutputSpecification(parsing: "snapcast:127.0.0.1:\(listener.port)?control=0"))
        _ = try deaf.open(CountedSound.format)
        let error = try #require(throws: SinkError.self) {
            for _ in 0..<100 { try write([UInt8](repeating: 1, count: 4 * 48_000), to: deaf) }
        }
        #expect(error.isTemporary)
        expectContains(error.message, "accepts no more sound; restart the snapserver")
    }

    @Test(arguments: [
        ("attic", "attic", 4953), ("attic:5000", "attic", 5000), ("[::1]", "::1", 4953),
        ("[fe80::1]:99", "fe80::1", 99),
        ("192.168.1.7:1", "192.168.1.7", 1),
    ])
    func anAddressIsRead(text: String, host: String, port: UInt16) throws {
        let address = try #require(SnapcastSink.address(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: [
        "", ":1", "attic:0", "attic:65536", "attic:x", "a b", "[]", "attic:", "attic?bufer=200", "-attic",
        "127.0.0.1/../../x:1",
        "a@b", "a$b", "é/b",
    ])
    func whatIsNoAddressIsRefused(text: String) { #expect(SnapcastSink.address(text) == nil) }

    @Test func doctorNamesAServerWithoutTheStream() throws {
        expectEqual(try OutputSpecification(parsing: server.output).condition, .usable)
        let other = try OutputSpecification(parsing: "snapcast:127.0.0.1:1?control=\(server.controlPort)")
        guard case .unusable(_, let cause, let fix) = other.condition else {
            Issue.record("a source that does not exist is usable")
            return
        }
        expectContains(cause, "no tcp source on port 1")
        expectContains(fix, "snapserver.conf")
    }
}

extension Snapserver {
    /// The client's volume, as the server's control port says it.
    fileprivate func volume() throws -> Int64? {
        var connection = try SnapserverConnection("127.0.0.1", controlPort, until: .now + .seconds(60))
        return connection.clients(ofSource: sourcePort)?.first?.volume
    }

    /// Waits until the client has played what is wanted.
    fileprivate func awaitSound(_ isDone: ([Range<Int>]) -> Bool) throws -> [Range<Int>] {
        let deadline = Instant.now + .seconds(120)
        while true {
            let heard = CountedSound.ranges(in: self.heard())
            if isDone(heard) { return heard }
            try #require(.now < deadline, "heard \(heard)")
        }
    }
}

/// The system's clock, which can stand still.
private final class HeldClock: OutputClock {
    private let held = Mutex<Instant?>(nil)
    var now: Instant { held.withLock { $0 } ?? .now }

    func hold() { held.withLock { $0 = .now } }
    func advance(_ time: Duration) { held.withLock { $0 = $0.map { $0 + time } } }
    func goOn() { held.withLock { $0 = nil } }

    func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant) {
        let soon = Instant.now + .milliseconds(20)
        waitForDescriptors(readable: first, second, writable: writable, until: min(deadline, soon))
    }
}
