public import MediaPorts
internal import Synchronization
public import SystemCalls

/// Pulls decoded frames and gives them to one sink, on a thread of its own.
///
/// Threads: the sink thread begins with the first command that needs it and ends once the sink was closed after its
/// delay; events are told by a second thread with the same lifetime, so a handler that is slow holds no sound up. An
/// idle renderer has neither thread. Every method may be called from any thread and returns at once, but `shutDown`.
///
/// Pause and the gain outlast `play`; `stop` ends a pause.
public final class Renderer: AudioRendering {
    private let settings: RendererSettings
    private let mailbox: RendererMailbox
    private let board = PlayheadBoard()
    private let loop: ThreadConfined<RenderLoop>
    private let threads = Mutex(Threads())
    private let handler = Handler()

    private struct Threads {
        var sink: DedicatedThread?
        var events: DedicatedThread?
    }

    /// Who is told; shared with the event thread, which may outlive the renderer by an event.
    private final class Handler: Sendable {
        /// A bare closure in a `Mutex` would be wrapped anew by each access, without end.
        private struct Ear: Sendable {
            var hear: @Sendable (RendererEvent) -> Void
        }

        private let ear = Mutex(Ear { _ in })

        func connect(_ hear: @escaping @Sendable (RendererEvent) -> Void) { ear.withLock { $0.hear = hear } }

        func tell(_ event: RendererEvent) { ear.withLock { $0.hear }(event) }
    }

    /// A renderer at rest.
    ///
    /// - Parameters:
    ///   - sink: where the sound goes; opened when there is something to hear. Nil waits for `setSink`.
    ///   - clock: time and waiting of the sink thread; the same that a simulated or paced sink has.
    ///   - settings: periods and delays.
    /// - Throws: `SystemError` when the process has no descriptors left.
    public init(
        sink: (any Sink)?, clock: any OutputClock = MonotonicClock(), settings: RendererSettings = RendererSettings()
    ) throws(SystemError) {
        self.settings = settings
        mailbox = try RendererMailbox(sink: sink, closeDelay: settings.closeDelay)
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

    /// Plays from a source; see `AudioRendering`.
    public func play(_ source: any PCMSource, generation: UInt32, prebuffer: Double, rebuffer: Double) {
        post { orders in
            orders.load = RendererMailbox.Load(
                source: source, generation: generation, prebuffer: prebuffer, rebuffer: rebuffer)
            orders.generation = nil
        }
    }

    /// Another generation of the same source; frames of the old one are dropped, also those with the sink.
    public func switchGeneration(_ generation: UInt32) {
        post { orders in
            if orders.load != nil {
                orders.load?.generation = generation
            } else if !orders.stops {
                orders.generation = generation
            }
        }
    }

    /// Holds the sound where it is, or lets it go on from there: no frame is lost or heard twice.
    public func setPaused(_ paused: Bool) {
        post { $0.isPaused = paused }
    }

    /// Silence; the source is let go, a pause is over, the sink is closed after its delay.
    public func stop() {
        post { orders in
            orders.stops = true
            orders.load = nil
            orders.generation = nil
            orders.isPaused = nil
        }
    }

    /// Linear gain, spread over a few milliseconds. It is heard within a tenth of a second from sinks that give frames
    /// back, and from others after what they hold.
    public func setGain(_ gain: Float) {
        mailbox.gain = gain.isFinite ? max(0, gain) : 1
        mailbox.nudge()
    }

    /// Seconds after which a paused or stopped sink is closed, from now on; a rest that has begun counts.
    public func setCloseDelay(_ seconds: Double) {
        if mailbox.closeDelay == seconds { return }
        mailbox.closeDelay = seconds
        mailbox.nudge()
    }

    /// Another sink from now on; what the old one had not played is heard from the new one. Nil holds the sound where
    /// it is until there is a sink again.
    public func setSink(_ sink: (any Sink)?) {
        post { $0.sink = .some(sink) }
    }

    /// What is audible now, as it was shown last: at each period, and at every start and stop of the sound. Between
    /// these, position goes on at `speed` from `instant`.
    public var playhead: Playhead { board.playhead }

    /// Whether the sink thread exists; an idle renderer has none.
    public var hasThread: Bool { mailbox.isRunning }

    /// Who is told of events, from the renderer's event thread.
    public func observe(_ handler: (@Sendable (RendererEvent) -> Void)?) {
        self.handler.connect(handler ?? { _ in })
    }

    /// Stops and closes the sink, soon. The renderer cannot be used afterwards; `shutDown` waits for its end.
    public func beginShutDown() { post { $0.isShutdown = true } }

    /// Stops, closes the sink, and waits until both threads have ended; must not be called by an event handler. The
    /// renderer cannot be used afterwards.
    public func shutDown() {
        beginShutDown()
        let last = threads.withLock { threads in
            defer { threads = Threads() }
            return threads
        }
        last.sink?.join()
        last.events?.join()
    }

    private func post(_ edit: (inout RendererMailbox.Orders) -> Void) {
        do throws(SystemError) {
            try mailbox.post(edit) { () throws(SystemError) in try startThreads() }
        } catch {
            handler.tell(.sinkFailed(SinkError("the sound thread cannot start: \(error)", isTemporary: false)))
        }
    }

    /// Called under the mailbox's lock. Each thread waits for its predecessor, which is on its last steps.
    private func startThreads() throws(SystemError) {
        let queue = try EventQueue()
        let (handler, loop) = (handler, loop)
        try threads.withLock { (threads) throws(SystemError) in
            let (lastSink, lastEvents) = (threads.sink, threads.events)
            let events = try DedicatedThread(name: "sound events") {
                lastEvents?.join()
                Self.relay(queue, to: handler)
            }
            threads.events = events
            do throws(SystemError) {
                threads.sink = try DedicatedThread(name: "sound") {
                    lastSink?.join()
                    loop.state.events = queue
                    loop.state.run()
                }
            } catch {
                threads.sink = lastSink
                _ = queue.put(.end)
                throw error
            }
        }
    }

    private static func relay(_ queue: EventQueue, to handler: Handler) {
        while true {
            waitForDescriptors(readable: queue.bell.raw, until: .max)
            queue.bell.clear()
            while let message = queue.take() {
                switch message {
                case .event(let event): handler.tell(event)
                case .end: return
                }
            }
        }
    }
}
