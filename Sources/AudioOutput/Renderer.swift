public import MediaPorts
public import PodcastModel
internal import SerialThreads
internal import Synchronization
public import SystemCalls

/// Reads decoded frames and writes them to one sink, on its own thread.
///
/// Threads: the sink thread starts with the first command that needs it and ends when the sink was closed after the suspend
/// delay. A second thread with the same lifetime calls the event handler, so a slow handler does not delay sound. An idle
/// renderer has neither thread. Every method except `shutDown` returns at once and may be called from any thread.
///
/// Pause and gain survive `play`; `stop` ends a pause.
public final class Renderer: AudioRendering {
    private let settings: RendererSettings
    private let mailbox: RendererMailbox
    private let board = PlayheadBoard()
    private let clock: any OutputClock
    private let loop: ThreadConfined<RenderLoop>
    private let threads = Mutex<(sink: DedicatedThread?, events: DedicatedThread?)>((nil, nil))
    /// Shared with the event thread, which may outlive the renderer by one event.
    private let handler = Listener<RendererEvent>()

    /// Creates an idle renderer.
    /// - Parameters:
    ///   - sink: the sink, which is opened when there is something to play. Nil waits for `setSink`.
    ///   - clock: time and waiting of the sink thread; use the same clock for a simulated or paced sink.
    /// - Throws: `SystemError` if the process has no descriptors left.
    public init(
        sink: (any Sink)?, clock: any OutputClock = SystemOutputClock(), settings: RendererSettings = RendererSettings()
    ) throws(SystemError) {
        self.settings = settings
        self.clock = clock
        mailbox = try RendererMailbox(sink: sink)
        loop = ThreadConfined(
            RenderLoop(settings: settings, clock: clock, mailbox: mailbox, board: board, events: try EventQueue()))
    }

    deinit {
        post { $0.isShutdown = true }
        threads.withLock { threads in
            threads.sink?.detach()
            threads.events?.detach()
        }
    }

    public func play(_ source: any PCMSource, generation: UInt32, prebuffer: Duration, rebuffer: Duration) {
        post { commands in
            commands.course = .load(
                RendererMailbox.Load(
                    source: source, generation: generation, prebuffer: prebuffer, rebuffer: rebuffer))
        }
    }

    /// Discards frames of the old generation, including those in the sink.
    public func switchGeneration(_ generation: UInt32) {
        post { commands in
            if case .load(var load) = commands.course {
                load.generation = generation
                commands.course = .load(load)
            } else if !commands.stops {
                commands.course = .turn(generation)
            }
        }
    }

    /// Continues with another generation; see `AudioRendering`. It is heard 0.1 s after it was decoded, and without a gap if the sink
    /// can remove frames.
    public func continueWithGeneration(_ generation: UInt32) {
        post { commands in
            switch commands.course {
            case .load(var load):
                load.generation = generation
                commands.course = .load(load)
            case .turn: commands.course = .turn(generation)
            case .join, nil: if !commands.stops { commands.course = .join(generation) }
            }
        }
    }

    /// Pauses or resumes; no frame is lost or heard twice.
    public func setPaused(_ paused: Bool) { post { $0.isPaused = paused } }

    public func stop() {
        post { commands in
            commands.stops = true
            commands.course = nil
            commands.isPaused = nil
        }
    }

    /// Changed gradually over a few milliseconds. A new gain is heard within a tenth of a second if the sink can remove frames,
    ///  otherwise after the frames in the sink.
    public func setGain(_ gain: Float) { post(thread: .never) { $0.gain = gain.isFinite ? max(0, gain) : 1 } }

    /// Writes the frames in the sink again, as far as the sink can remove them: an output of a group was changed.
    func writeAgain() { post(thread: .never) { $0.writesAgain = true } }

    /// A paused or stopped sink is closed after this time; nil for never. It also applies to a pause that has begun.
    public func setCloseDelay(_ delay: Duration?) { post(thread: .never) { $0.closeDelay = .some(delay) } }

    /// A group of outputs for `setSink`.
    func makeGroup() -> OutputGroup { OutputGroup(clock: clock, settings: settings) }

    /// Replaces the sink; frames that the old one has not played are played by the new one. Nil pauses until a sink is set.
    /// - Parameter startsThread: whether the sink thread must learn it soon although nothing plays.
    public func setSink(_ sink: (any Sink)?, startsThread: Bool = false) {
        post(thread: startsThread ? .always : .withSource) { $0.sink = .some(sink) }
    }

    /// The position being heard, as published at each period and at each start and stop of the sound. In between, the
    /// position advances at `speed` from `instant`.
    public var playhead: Playhead { board.playhead }

    /// Whether the sink thread is running; an idle renderer has none.
    public var hasThread: Bool { mailbox.isRunning }

    public func observe(_ handler: (@Sendable (RendererEvent) -> Void)?) { self.handler.connect(handler ?? { _ in }) }

    /// Stops and closes the sink, without waiting. The renderer cannot be used afterwards; `shutDown` waits for the end.
    public func beginShutDown() { post { $0.isShutdown = true } }

    /// Stops, closes the sink, and waits until both threads have ended, at most until then. Must not be called by an event handler.
    /// The renderer cannot be used afterwards.
    /// - Returns: false if a sink keeps its thread waiting; then the sink must not be used either.
    @discardableResult
    public func shutDown(until deadline: Instant = .distantFuture) -> Bool {
        beginShutDown()
        let last = threads.withLock { exchange(&$0, with: (nil, nil)) }
        let ended = [last.sink, last.events].compactMap { $0?.join(until: deadline) }
        guard !ended.contains(false) else { return false }
        mailbox.sink?.settle(until: deadline)
        return true
    }

    private func post(
        thread: RendererMailbox.ThreadStart = .withSource, _ edit: (inout RendererMailbox.Commands) -> Void
    ) {
        do throws(SystemError) {
            try mailbox.post(thread: thread, edit) { () throws(SystemError) in try startThreads() }
        } catch {
            handler.emit(.sinkFailed(SinkError("cannot start the audio thread: \(error)", isTemporary: false)))
        }
    }

    /// Called under the mailbox's lock. Each thread waits for its predecessor, which is about to end.
    private func startThreads() throws(SystemError) {
        let queue = try EventQueue()
        let handler = handler
        let loop = loop
        try threads.withLock { (threads) throws(SystemError) in
            let lastSink = threads.sink
            let lastEvents = threads.events
            let events = try DedicatedThread(name: .soundEvents) {
                lastEvents?.join()
                Self.relay(queue, to: handler)
            }
            threads.events = events
            do throws(SystemError) {
                threads.sink = try DedicatedThread(name: .sound) {
                    lastSink?.join()
                    loop.state.events = queue
                    loop.state.run()
                }
            } catch {
                threads.sink = lastSink
                queue.put(.end)
                throw error
            }
        }
    }

    private static func relay(_ queue: EventQueue, to handler: Listener<RendererEvent>) {
        while true {
            waitForDescriptors(readable: queue.wakeUp.raw, until: .distantFuture)
            queue.wakeUp.clear()
            for message in queue.take() {
                switch message {
                case .event(let event): handler.emit(event)
                case .end: return
                }
            }
        }
    }
}

/// Timing of a renderer and its sink.
public struct RendererSettings: Sendable {
    /// Frames of this time are written to the sink at once; the sink thread wakes up about as often.
    var period = Duration.milliseconds(900)
    /// Frames of this time are kept until they are heard; the sink's latency is kept below this. A multiple of the
    /// period, so that no period is split at the end of the ring.
    var capacity = Duration.milliseconds(3600)
    /// A paused or stopped sink is closed after this time, so that other programs can use the device; nil to keep it open.
    public var closeDelay: Duration? = .seconds(10)
    /// Time before the first retry of a failed sink; doubles with each retry.
    var firstRetryDelay = Duration.milliseconds(500)
    /// Maximum time between two retries.
    var maximumRetryDelay = Duration.seconds(10)
    func retryDelay(_ attempt: Int) -> Duration {
        min(maximumRetryDelay, firstRetryDelay * (1 << min(16, max(0, attempt - 1))))
    }
    /// A change of volume is spread over this time.
    var gainRamp = Duration.milliseconds(20)
    /// Length of the audio that stays in a device when the rest is removed for a new volume, to avoid an underrun.
    var gainMargin = Duration.milliseconds(100)

    public init() {}
}
