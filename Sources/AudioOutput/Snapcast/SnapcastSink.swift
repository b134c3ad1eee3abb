internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// The TCP source of a snapserver, `source = tcp://0.0.0.0:4953/?name=podcasts` in snapserver.conf, or of a compatible server.
    static let snapcast = OutputKind(
        name: "snapcast", parameter: .required("HOST[:PORT]"), options: [SnapcastSink.buffer, SnapcastSink.control],
        canonical: { SnapcastSink.address($0) == nil ? nil : $0 }, isClientAddable: { _ in true },
        isSameDevice: { SnapcastSink.address($0.parameter) == SnapcastSink.address($1.parameter) },
        inspect: { SnapcastSink.condition(of: $0) }, find: { () throws(SinkError) in SnapserverSearch.devices() },
        recover: { SnapserverControl.restoreAll(in: $0) },
        makeSink: { try SnapcastSink($0, clock: $1.clock, folder: $1.folder) })
}

/// A snapserver, which plays in all rooms in sync. The sound is written shortly before the server reads it, at the server's fixed
/// format. What the server still has at a pause or a seek is muted until the server has played it.
final class SnapcastSink: PacedSink {
    static let buffer = OutputOption(
        name: "buffer", kind: .integer(100...2000, step: 50, unit: "ms"), standard: "1000",
        help: "The server's buffer in milliseconds, as in snapserver.conf: the time after which it plays.")
    static let control = OutputOption(
        name: "control", kind: .integer(0...65_535), standard: "1705",
        help: "The server's control port, which mutes its rooms when the sound is to stop at once; 0 for none.")

    private final class State {
        var end: PipeEnd?
        /// What the server has not read.
        var queue: PacedBuffer
        /// When the last frame has been heard. After the server ran out of data, it plays the next frames later.
        var silence = Instant.distantPast

        init(_ queue: PacedBuffer) { self.queue = queue }
    }

    /// The server reads this much later than is written; the sink thread wakes up twice in that time.
    private static let lead = Duration.milliseconds(300)
    /// The server's clock may be faster than ours, and it must not run dry; a full socket sets the pace in the end.
    private static let speed = 1.0002
    /// After this time even a server that has read late has nothing to play, unless there is more sound.
    private static let longestLateness = Duration.seconds(2)
    /// Silence between sound that is not heard and sound that is, because a client follows its volume some hundredths of a second late.
    private static let margin = Duration.milliseconds(150)
    /// Silence after the end, because servers and clients play whole pieces only.
    private static let ending = Duration.milliseconds(150)
    private static let patience = Duration.seconds(3)

    private let specification: OutputSpecification
    private let address: HostAddress
    private let format: PCMFormat
    private let serverBuffer: Duration
    let clock: any OutputClock
    let wakeUp: EventDescriptor
    private let rooms: SnapserverControl?
    private let confined: ThreadConfined<State>
    private var state: State { confined.state }

    static func address(_ text: String) -> HostAddress? {
        // A host contains no `?`; the text after one is a misspelt option.
        text.contains("?") ? nil : HostAddress(text, defaultPort: 4953)
    }

    /// - Throws: `SinkError` for an invalid address, `SystemError` without free descriptors.
    init(_ specification: OutputSpecification, clock: any OutputClock, folder: String?) throws {
        guard let address = Self.address(specification.parameter) else {
            throw SinkError("'\(specification.parameter)' is not a host; use snapcast:HOST or snapcast:HOST:PORT")
        }
        self.specification = specification
        self.address = address
        self.clock = clock
        format = specification.format(for: PCMFormat(rate: 48_000, channels: 2, type: .int16))
        serverBuffer = .milliseconds(specification.number(Self.buffer))
        let port = UInt16(clamping: specification.number(Self.control))
        rooms =
            port == 0
            ? nil
            : try SnapserverControl(
                SnapserverAddress(host: address.host, control: port, source: address.port), clock: clock, folder: folder
            )
        wakeUp = try EventDescriptor()
        let queue = PacedBuffer(rate: Int(Double(format.rate) * Self.speed), capacity: format.frames(in: Self.lead))
        confined = ThreadConfined(State(queue))
    }

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        if state.end != nil { return format }
        do throws(UnreachableHost) {
            let socket = try InternetConnection.open(
                to: address.host, port: address.port, until: clock.now + Self.patience)
            InternetConnection.limitSendBuffer(of: socket.raw, bytes: format.frameSize * format.rate / 50)
            state.end = PipeEnd(socket, frameSize: format.frameSize)
        } catch {
            throw SinkError(
                "cannot connect to the snapserver at \(address.host) port \(address.port) (\(error)); start it, with "
                    + "'source = tcp://0.0.0.0:\(address.port)/?name=podcasts' in snapserver.conf", isTemporary: true)
        }
        rooms?.restore()
        return format
    }

    var timeout: Duration? { Self.lead + Self.patience }
    var stalled: SinkError {
        SinkError("\(specification.name) accepts no more sound; restart the snapserver", isTemporary: true)
    }

    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt {
        guard let end = state.end else { throw SinkError("\(specification.name) is closed") }
        let now = clock.now
        let queue = state.queue
        let needed = frames.needed(format, ofBuffer: queue.capacity)
        let room = queue.room(at: now)
        guard room >= needed else { return .full(until: queue.instant(whenRoomFor: needed)) }
        let taken = try send(frames.prefix(room, format), end)
        guard taken > 0 else { return .full(until: .distantFuture, writable: end.raw) }
        // The clients hear the first sound after a silence, however late the server has played the sound before.
        if state.silence <= now {
            rooms?.turnUp(
                at: now + (serverBuffer + format.duration(of: queue.latency(at: now)) - Self.margin))
        }
        state.queue.deliver(taken / format.frameSize, at: now)
        state.silence = now + serverBuffer + format.duration(of: state.queue.latency(at: now))
        return .took(taken)
    }

    private func send(_ frames: UnsafeRawBufferPointer, _ end: PipeEnd) throws(SinkError) -> Int {
        try mapError(of: end.write(frames)) { (error: SystemError) in
            SinkError(
                "the snapserver at \(address.host) closed the connection (\(error.reason)); podcastd connects again",
                isTemporary: true)
        }
    }

    var latencies: ClosedRange<Duration> { serverBuffer...(serverBuffer + Self.lead / 2) }
    /// At least the server's buffer, also when the server has read everything: then it plays the next frames later.
    var latency: Int {
        let now = clock.now
        guard state.silence > now else { return 0 }
        let next = serverBuffer + format.duration(of: state.queue.latency(at: now))
        return format.frames(in: max(state.silence - now, next))
    }

    func drain() throws(SinkError) {
        if state.silence > clock.now { writeSilence(Self.ending) }
        while state.silence > clock.now {
            clock.wait(readable: wakeUp.raw, until: state.silence)
            if wakeUp.clear() { return }
        }
    }

    /// What the server has is not heard; the next frames follow it.
    func drop() {
        let now = clock.now
        let end = state.silence
        state.silence = now
        guard end > now, let rooms else { return }
        rooms.turnDown(until: end + Self.longestLateness)
        writeSilence(Self.margin)
    }

    /// Writes silence that does not count as sound. A connection that fails shows it at the next write.
    private func writeSilence(_ time: Duration) {
        var left = format.frames(in: time) * format.frameSize
        while left > 0 {
            let silence = Silence.bytes(left, format.frameSize)
            let sent = (try? state.end?.write(silence)) ?? 0
            state.queue.deliver(sent / format.frameSize, at: clock.now)
            if sent < silence.count { return }
            left -= sent
        }
    }

    /// The server cannot hold what it has.
    func pause() -> Bool { false }
    func resume() {}

    /// The rooms stay turned down until the server has nothing to play.
    func close() {
        drop()
        state.end = nil
    }

    func settle(until deadline: Instant) { rooms?.settle(until: deadline) }

    static func condition(of specification: OutputSpecification) -> OutputCondition {
        guard let address = Self.address(specification.parameter) else { return .unusable("it is not a host") }
        let port = UInt16(clamping: specification.number(control))
        guard port > 0 else { return .usable }
        do throws(UnreachableHost) {
            let server = SnapserverAddress(host: address.host, control: port, source: address.port)
            if try SnapserverControl.hasStream(server) { return .usable }
            return .unusable(
                .other, "the snapserver has no tcp source on port \(address.port)",
                fix: "write 'source = tcp://0.0.0.0:\(address.port)/?name=podcasts' in snapserver.conf, and restart it")
        } catch {
            return .unusable(
                .other, "the snapserver's control port \(port) does not answer (\(error))",
                fix: "start the snapserver, or give another port: snapcast:\(specification.parameter)?control=PORT")
        }
    }
}
