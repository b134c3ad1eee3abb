internal import DecoderProtocol
internal import PodcastModel
internal import SystemCalls

/// The work of the session thread: waits, turns events into inputs and performs the actions of `Supervision`.
struct SessionLoop {
    private let session: DecoderProcessSession
    private var supervision: Supervision
    private var ends: ProcessEnds?
    private var deadline: (instant: Instant, progress: DecoderProgress, start: ProcessorTimes)?
    private var hasStarted = false
    private var isOver = false
    /// Whether the process closed its end of the socket, which poll(2) then always reports as readable.
    private var isHungUp = false
    private var inputs: [Supervision.Input] = []
    /// Number of messages, and of pieces of stderr, in the current second. A decoder that sends too many is broken.
    private var messages: (since: Instant, count: Int) = (.distantPast, 0)

    /// A decoder with a slow source sends two messages for each piece that arrives, which is far below this limit.
    private static let maximumMessagesPerSecond = 5000

    init(_ session: DecoderProcessSession, _ supervision: Supervision) {
        self.session = session
        self.supervision = supervision
    }

    /// Returns when the session is over and its process reaped.
    mutating func run() {
        perform(supervision.start)
        drainInputs()
        while !isOver {
            waitOnce()
            drainInputs()
        }
        _ = ends?.end()
    }

    private mutating func drainInputs() {
        while !inputs.isEmpty && !isOver {
            for action in supervision.handle(inputs.removeFirst()) { perform(action) }
        }
    }

    private mutating func waitOnce() {
        var entries = [
            PollEntry(isHungUp ? -1 : ends?.socket.raw ?? -1), PollEntry(ends?.process.descriptor ?? -1),
            PollEntry(session.wake.raw), PollEntry(ends?.errorDescriptor ?? -1),
        ]
        do throws(SystemError) {
            try waitForAny(&entries, until: deadline?.instant ?? .distantFuture)
        } catch {
            inputs.append(.invalidData("\(error)"))
            return
        }
        if entries[3].isReady {
            ends?.readErrors()
            if countsTooMany() { inputs.append(.invalidData("in stderr")) }
        }
        if entries[0].isReady { receive() }
        if entries[2].isReady { inputs += session.takeRequests(isWatched: deadline != nil) }
        if entries[1].isReady {
            processEnded()
        } else if let deadline, .now >= deadline.instant {
            deadlineReached(deadline.progress, since: deadline.start)
        }
    }

    /// Extends the deadline by the time in which the process had no processor: a process that waits for a processor is not hung.
    private mutating func deadlineReached(_ progress: DecoderProgress, since start: ProcessorTimes) {
        let times = processorTimes
        var waited = times.waited - start.waited
        // The kernel counts a wait only when the wait ends, and never the time in which a virtual machine has no processor.
        if times.isReady { waited = max(waited, times.now - start.now - (times.ran - start.ran)) }
        if waited > .milliseconds(20) {
            deadline = (.now + waited, progress, times)
        } else {
            deadline = nil
            inputs.append(.deadline(session.check(since: progress)))
        }
    }

    private typealias ProcessorTimes = (now: Instant, ran: Duration, waited: Duration, isReady: Bool)

    private var processorTimes: ProcessorTimes {
        let use = ends?.process.processorUse ?? (.zero, .zero, false)
        return (.now, use.ran, use.waited, use.isReady)
    }

    private mutating func processEnded() {
        guard let ends else { return }
        // The decoder's last message may be the reason.
        receive()
        let end = ends.end()
        self.ends = nil
        inputs.append(.ended(end, extent: session.monitor.extent))
    }

    /// Receives at most 64 messages, so that a decoder that sends endlessly cannot keep the thread from its other work.
    private mutating func receive() {
        guard let ends else { return }
        withUnsafeTemporaryAllocation(byteCount: DecoderMessage.maximumLength, alignment: 8) { buffer in
            for _ in 0..<64 {
                do throws(SystemError) {
                    guard let length = try ends.socket.receive(into: buffer) else { return }
                    if length == 0 {
                        if !isHungUp { inputs.append(.hungUp) }
                        isHungUp = true
                        return
                    }
                    guard length <= buffer.count, !countsTooMany() else { throw SystemError(code: 0, call: "message") }
                    inputs.append(.message(try DecoderMessage(UnsafeRawBufferPointer(rebasing: buffer[..<length]))))
                } catch {
                    inputs.append(.invalidData("in a message"))
                    return
                }
            }
        }
    }

    /// Counts a message or a piece of stderr. Returns whether there were too many in this second.
    private mutating func countsTooMany() -> Bool {
        let now = Instant.now
        if now > messages.since + .seconds(1) { messages = (now, 0) }
        messages.count += 1
        return messages.count > Self.maximumMessagesPerSecond
    }

    private mutating func perform(_ action: Supervision.Action) {
        switch action {
        case .emit(let event): session.emit(event)
        case .send(let message): send(message)
        case .want(let offset, let isAwaited):
            if let source = session.want(offset, isAwaited: isAwaited) { inputs.append(.sourceChanged(source)) }
        case .stopAwaiting: session.stopAwaiting()
        case .setDeadline(let delay): deadline = delay.map { (.now + $0, session.monitor.progress, processorTimes) }
        case .keepDeadline(let delay):
            if deadline == nil { deadline = (.now + delay, session.monitor.progress, processorTimes) }
        case .kill: ends?.kill()
        case .start(let decoder, let time, let generation, let parameters):
            do throws(SystemError) {
                if hasStarted { try session.renewMemory() }
                hasStarted = true
                ends = try session.makeEnds(decoder)
                isHungUp = false
                send(.seek(to: time, generation: generation, parameters))
                inputs.append(.started)
            } catch { inputs.append(.startFailed("\(error)")) }
        case .finish: isOver = true
        }
    }

    private mutating func send(_ message: HostMessage) {
        guard let ends else { return }
        let bytes = message.encoded
        // The pidfd reports a decoder that exited, and the deadline after every message finds one that accepts no messages.
        _ = bytes.withUnsafeBytes { try? ends.socket.send($0) }
    }
}
