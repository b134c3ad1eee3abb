import Foundation
import MediaPorts
import Playback
import PodcastModel
import Synchronization

/// Time that a test moves from one due call to the next; the calls are made where the test says.
final class Timeline: TimerClock {
    private struct State {
        var now = Instant(nanoseconds: 0)
        var lastID = 0
        var due: [(id: Int, time: Instant, action: @Sendable () -> Void)] = []
    }
    private struct Timer: ScheduledTimer {
        let id: Int
        let timeline: Timeline
        func cancel() { timeline.state.withLock { state in state.due.removeAll { $0.id == id } } }
    }

    private let state = Mutex(State())
    private let perform: @Sendable (@escaping @Sendable () -> Void) async -> Void

    init(_ perform: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void) { self.perform = perform }

    var now: Instant { state.withLock { $0.now } }

    /// The time of day, for the library.
    var time: Timestamp { Timestamp(seconds: 1_767_225_600 + now.nanoseconds / 1_000_000_000) }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        state.withLock { state in
            state.lastID += 1
            state.due.append((state.lastID, state.now + delay, action))
            return Timer(id: state.lastID, timeline: self)
        }
    }

    /// Advances the time; returns when every call that was due has ended.
    func advance(by nanoseconds: Int64) async {
        let end = now + .nanoseconds(nanoseconds)
        while let action = next(before: end) { await perform(action) }
        state.withLock { $0.now = end }
    }

    private func next(before end: Instant) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let index = state.due.indices.min(by: { state.due[$0].time < state.due[$1].time }),
                state.due[index].time <= end
            else { return nil }
            let next = state.due.remove(at: index)
            state.now = max(state.now, next.time)
            return next.action
        }
    }
}

/// Media, decoder and output of an endless show, without sound: everything is available at once, and the position being heard
/// is computed from the time.
final class ArithmeticSound: MediaOpening, DecoderStarting, AudioRendering {
    private struct State {
        var head = Playhead(generation: 0, position: .zero, instant: Instant(nanoseconds: 0), speed: 0)
        /// Where generations begin that were not given to the output yet.
        var beginnings: [UInt32: MediaTime] = [:]
        var isPaused = false
        var handler: (@Sendable (RendererEvent) -> Void)?
    }

    private let timeline: Timeline
    private let state = Mutex(State())

    init(_ timeline: Timeline) { self.timeline = timeline }

    var playhead: Playhead { state.withLock { $0.head } }

    func open(_ url: String) throws(MediaFailure) -> any ByteSource { SilentSource() }

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        state.withLock { $0.beginnings[generation] = time }
        events(
            .opened(
                StreamInfo(
                    container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .int16))))
        return SilentSession(self, events)
    }

    func play(_ source: any PCMSource, generation: UInt32, prebuffer: Duration, rebuffer: Duration) {
        begin(generation)
    }

    // The decoder's seek follows at once and says where.
    func switchGeneration(_ generation: UInt32) {}
    func continueWithGeneration(_ generation: UInt32) {}

    fileprivate func begin(_ generation: UInt32, at time: MediaTime? = nil) {
        let now = timeline.now
        let handler = state.withLock { state in
            let begin = time ?? state.beginnings[generation] ?? .zero
            state.head = Playhead(
                generation: generation, position: begin, instant: now, speed: state.isPaused ? 0 : 1)
            state.beginnings = [:]
            return state.handler
        }
        handler?(.started(generation: generation))
    }

    func setPaused(_ paused: Bool) { setSpeed(paused ? 0 : 1) { $0.isPaused = paused } }
    func stop() { setSpeed(0) { $0.isPaused = false } }
    func setGain(_ gain: Float) {}
    func observe(_ handler: (@Sendable (RendererEvent) -> Void)?) { state.withLock { $0.handler = handler } }

    private func setSpeed(_ speed: Double, _ change: (inout State) -> Void) {
        let now = timeline.now
        state.withLock { state in
            change(&state)
            let elapsed = Double((now - state.head.instant).nanoseconds) * state.head.speed
            state.head.position = state.head.position + MediaTime(nanoseconds: Int64(elapsed))
            state.head.instant = now
            state.head.speed = speed
        }
    }
}

private final class SilentSource: ByteSource {
    var descriptor: Int32 { -1 }
    var snapshot: ByteSourceSnapshot { ByteSourceSnapshot(phase: .complete) }
    func want(from offset: Int64) {}
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {}
    func suspend() {}
    func close() {}
}

private final class SilentSession: DecoderSession, PCMSource {
    private let sound: ArithmeticSound
    private let events: @Sendable (DecoderEvent) -> Void

    init(_ sound: ArithmeticSound, _ events: @escaping @Sendable (DecoderEvent) -> Void) {
        self.sound = sound
        self.events = events
    }

    var pcm: any PCMSource { self }
    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        events(.positioned(generation: generation, at: time))
        sound.begin(generation, at: time)
    }
    func stop() {}

    func nextChunk() -> PCMChunk? { nil }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    var readinessDescriptor: Int32 { -1 }
    func prepareToWait() -> Bool { true }
    var bufferedSeconds: Double { 10 }
    var isFilled: Bool { false }
}
