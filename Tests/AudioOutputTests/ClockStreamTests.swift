import MediaPorts
import PodcastModel
import TestSupport
import Testing

@testable import AudioOutput

@Suite(.timeLimit(.minutes(10))) struct ClockStreamTests {
    private final class Player: PaceSource {
        var result = Result<Double, SinkError>.success(0)
        func open(_ format: PCMFormat) {}
        func pace() throws(SinkError) -> Double { try result.get() }
    }

    private let format = PCMFormat(rate: 1000, channels: 1, type: .int16)
    private let clock: VirtualClock
    private let player = Player()
    private let stream: ClockStream

    init() throws {
        clock = try VirtualClock()
        stream = ClockStream(player, buffer: .milliseconds(500), clock: clock)
        try stream.open(format)
    }

    /// - Returns: the number of frames that were taken.
    private func write(_ frames: Int) throws -> Int {
        try [UInt8](repeating: 0, count: frames * 2).withUnsafeBytes { try stream.write($0) } / 2
    }

    private var unread: Int { stream.unread / 2 }

    @Test func framesCountAsHeardAtThePaceOfThePlayer() throws {
        try expectEqual(write(2000), 500)
        try expectEqual(write(2000), 0)
        clock.jump(seconds: 10)
        expectEqual(unread, 500)
        player.result = .success(0.5)
        expectEqual(unread, 500)
        clock.jump(seconds: 0.2)
        player.result = .success(2)
        expectEqual(unread, 400)
        clock.jump(seconds: 0.1)
        expectEqual(unread, 200)
        try expectEqual(write(2000), 300)
        clock.jump(seconds: 10)
        expectEqual(unread, 0)
    }

    @Test func aPlayerThatCannotPlayStopsTheSound() throws {
        player.result = .success(1)
        try expectEqual(write(100), 100)
        player.result = .failure(SinkError("it loads the episode", isTemporary: true))
        clock.jump(seconds: 0.05)
        expectEqual(unread, 50)
        clock.jump(seconds: 0.05)
        expectEqual(unread, 50)
        #expect(throws: SinkError("it loads the episode", isTemporary: true)) { try write(100) }
    }

    @Test func droppedFramesAreNotHeard() throws {
        try expectEqual(write(100), 100)
        stream.takeBack(200)
        expectEqual(unread, 0)
    }
}
