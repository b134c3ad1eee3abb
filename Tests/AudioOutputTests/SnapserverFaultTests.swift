@testable import AudioOutput
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A snapserver that reads late, and others that do not answer as they should.
@Suite(.ownThread, .timeLimit(.minutes(3)))
struct SnapserverFaultTests {
    /// Writes on a separate thread, which may wait for the server: the clock waits for each thread that has waited and still lives.
    private func play(_ frames: Int, on sink: any Sink) throws {
        try DedicatedThread(name: .test) { try? write([UInt8](repeating: 1, count: 4 * frames), to: sink) }.join()
    }

    /// Plays 0.2 s on a server and drops the sound; the server has it for 1.2 s, if it reads in time.
    private func drop(on server: ScriptedSnapserver, _ clock: VirtualClock) throws -> any Sink {
        let sink = try SinkFactory(clock: clock).makeSink(OutputSpecification(parsing: server.output))
        _ = try sink.open(CountedSound.format)
        try play(9_600, on: sink)
        sink.drop()
        return sink
    }

    @Test func aRoomStaysTurnedDownInAPauseUntilAServerThatReadsLateHasNothingToPlay() throws {
        let clock = try VirtualClock()
        let server = try ScriptedSnapserver()
        let sink = try drop(on: server, clock)
        #expect(server.awaitVolumes([0]))
        clock.advance(seconds: 2.5)
        expectEqual(server.volumes, [0])
        clock.jump(seconds: 1)
        #expect(server.awaitVolumes([0, 100]))
        withExtendedLifetime(sink) {}
    }

    @Test func aRoomHasItsVolumeWhenTheNextSoundIsHeard() throws {
        let clock = try VirtualClock()
        let server = try ScriptedSnapserver()
        let sink = try drop(on: server, clock)
        #expect(server.awaitVolumes([0]))
        clock.advance(seconds: 1)
        try play(4_800, on: sink)
        // It is heard after one second.
        clock.advance(seconds: 0.8)
        expectEqual(server.volumes, [0])
        clock.jump(seconds: 0.1)
        #expect(server.awaitVolumes([0, 100]))
    }

    @Test func aServerThatFloodsItsControlPortGetsNoMoreThanItsTime() throws {
        let server = try ScriptedSnapserver(.flooding)
        var connection = try SnapserverConnection("127.0.0.1", server.controlPort, until: .now + .milliseconds(300))
        #expect(connection.clients(ofSource: server.sourcePort) == nil)
        let condition = try OutputSpecification(parsing: server.output).condition
        #expect(condition != .usable)
    }

    @Test(arguments: [ScriptedSnapserver.Manner.honest, .flooding, .silent])
    func closingDoesNotWaitForTheServer(_ manner: ScriptedSnapserver.Manner) throws {
        let clock = try VirtualClock()
        let server = try ScriptedSnapserver(manner)
        let sink = try drop(on: server, clock)
        // The clock stands still, so that nothing that waits for the server's buffer ends.
        sink.close()
        if manner == .honest { #expect(server.awaitVolumes([0])) }
        let begin = Instant.now
        clock.jump(seconds: 10)
        sink.settle(until: begin + .seconds(1))
        #expect(.now - begin < .seconds(30))
        if manner == .honest { #expect(server.awaitVolumes([0, 100])) }
    }
}
