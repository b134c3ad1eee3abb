internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// The TCP source of a snapserver, `source = tcp://0.0.0.0:4953/?name=podcasts` in snapserver.conf, or of a compatible server.
    static let snapcast = OutputKind(
        name: "snapcast", parameter: .required("HOST[:PORT]"), options: [SnapcastSink.buffer, SnapcastSink.control],
        canonical: { SnapcastSink.address($0) == nil ? nil : $0 }, isClientAddable: { _ in true },
        inspect: { SnapcastSink.condition(of: $0) },
        makeSink: { try SnapcastSink($0, clock: $1.clock, folder: $1.folder) })
}

/// A snapserver, which plays in all rooms in sync. The sound is written shortly before the server reads it, at the server's fixed
/// format. What the server still has at a pause or a seek is muted until the server has played it.
final class SnapcastSink: Sink {
    static let buffer = OutputOption(
        name: "buffer", kind: .integer(100...2000, step: 50, unit: "ms"), standard: "1000",
        help: "The server's buffer in milliseconds, as in snapserver.conf: the time after which it plays.")
    static let control = OutputOption(
        name: "control", kind: .integer(0...65_535), standard: "1705",
        help: "The server's control port, which mutes its rooms when the sound is to stop at once; 0 for none.")

    private struct State {
        var end: PipeEnd?
        /// What the server has not read.
        var queue: PacedBuffer
        /// When the last frame has been heard. After the server ran out of data, it plays the next frames later.
        var silence = Instant.distantPast
    }

    /// The server reads this much later than is written; the sink thread wakes up twice in that time.
    private static let lead = Duration.milliseconds(300)
    /// The server's clock may be faster than ours, and it must not run dry; a full socket sets the pace in the end.
    private static let speed = 1.0002
    /// Silence between sound that is not heard and sound that is, because a client follows its volume some hundredths of a second late.
    private static let margin = Duration.milliseconds(150)
    /// Silence after the end, because servers and clients play whole pieces only.
    private static let ending = Duration.milliseconds(150)
    private static let patience = Duration.seconds(3)

    private let specification: OutputSpecification
    private let address: HostAddress
    private let format: PCMFormat
    private let serverBuffer: Duration
    private let clock: any OutputClock
    private let wakeUp: EventDescriptor
    private let rooms: SnapserverControl?
    private let confined: ThreadConfined<State>

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
        format = PCMFormat(
            rate: specification.rate ?? 48_000, channels: specification.channels ?? 2,
            type: specification.type ?? .int16)
        serverBuffer = .milliseconds(specification.number(Self.buffer))
        let port = UInt16(clamping: specification.number(Self.control))
        rooms =
            port == 0
            ? nil
            : SnapserverControl(host: address.host, port: port, source: address.port, clock: clock, folder: folder)
        wakeUp = try EventDescriptor()
        confined = ThreadConfined(
            State(
                queue: PacedBuffer(
                    rate: Int(Double(format.rate) * Self.speed),
                    capacity: Int(PacedBuffer.frames(in: Self.lead, rate: format.rate)))))
    }

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        if confined.state.end != nil { return format }
        do throws(UnreachableHost) {
            let socket = try InternetConnection.open(
                to: address.host, port: address.port, until: clock.now + Self.patience)
            InternetConnection.limitSendBuffer(of: socket.raw, bytes: format.frameSize * format.rate / 50)
            confined.state.end = PipeEnd(socket, frameSize: format.frameSize)
        } catch {
            throw SinkError(
                "cannot connect to the snapserver at \(address.host) port \(address.port) (\(error)); start it, with "
                    + "'source = tcp://0.0.0.0:\(address.port)/?name=podcasts' in snapserver.conf", isTemporary: true)
        }
        rooms?.restore()
        return format
    }

    /// Waits until half of the lead is free.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let end = confined.state.end else { throw SinkError("\(specification.name) is closed") }
        let offered = frames.count / format.frameSize
        while true {
            let now = clock.now
            let queue = confined.state.queue
            let needed = min(offered, queue.capacity / 2)
            let count = min(offered, queue.room(at: now))
            guard count >= needed else {
                clock.wait(readable: wakeUp.raw, until: queue.instant(whenRoomFor: needed))
                if wakeUp.clear() { return 0 }
                continue
            }
            let taken = try send(UnsafeRawBufferPointer(rebasing: frames[..<(count * format.frameSize)]), end)
            if taken > 0 {
                deliver(taken / format.frameSize, at: now)
                return taken
            }
            let limit = now + Self.patience
            clock.wait(readable: wakeUp.raw, -1, writable: end.raw, until: limit)
            if wakeUp.clear() { return 0 }
            if clock.now >= limit {
                throw SinkError(
                    "\(specification.name) accepts no more sound; restart the snapserver", isTemporary: true)
            }
        }
    }

    private func deliver(_ frames: Int, at now: Instant) {
        confined.state.queue.deliver(frames, at: now)
        confined.state.silence =
            now + serverBuffer
            + PacedBuffer.duration(of: Int64(confined.state.queue.latency(at: now)), rate: format.rate)
    }

    private func send(_ frames: UnsafeRawBufferPointer, _ end: PipeEnd) throws(SinkError) -> Int {
        try mapError(of: end.write(frames)) { (error: SystemError) in
            SinkError(
                "the snapserver at \(address.host) closed the connection (\(error.reason)); podcastd connects again",
                isTemporary: true)
        }
    }

    var latencies: ClosedRange<Duration> { serverBuffer...(serverBuffer + Self.lead / 2) }
    var latency: Int { Int(PacedBuffer.frames(in: max(.zero, confined.state.silence - clock.now), rate: format.rate)) }

    func drain() throws(SinkError) {
        if confined.state.silence > clock.now { writeSilence(Self.ending) }
        while confined.state.silence > clock.now {
            clock.wait(readable: wakeUp.raw, until: confined.state.silence)
            if wakeUp.clear() { return }
        }
    }

    /// What the server has is not heard; the next frames follow it.
    func drop() {
        let now = clock.now
        let end = confined.state.silence
        confined.state.silence = now
        guard end > now, let rooms else { return }
        rooms.turnDown(until: end)
        writeSilence(Self.margin)
    }

    /// Writes silence that does not count as sound. A connection that fails shows it at the next write.
    private func writeSilence(_ time: Duration) {
        let silence = [UInt8](
            repeating: 0, count: Int(PacedBuffer.frames(in: time, rate: format.rate)) * format.frameSize)
        let sent = silence.withUnsafeBytes { (try? confined.state.end?.write($0)) ?? 0 } / format.frameSize
        confined.state.queue.deliver(sent, at: clock.now)
    }

    /// The server cannot hold what it has.
    func pause() -> Bool { false }
    func resume() {}

    /// Keeps the rooms muted until the server has nothing to play.
    func close() {
        drop()
        confined.state.end = nil
        rooms?.finish()
    }

    func interrupt() { wakeUp.signal() }

    static func condition(of specification: OutputSpecification) -> OutputCondition {
        guard let address = Self.address(specification.parameter) else { return .unusable("it is not a host") }
        let port = UInt16(clamping: specification.number(control))
        guard port > 0 else { return .usable }
        do throws(UnreachableHost) {
            if try SnapserverControl.hasStream(host: address.host, port: port, source: address.port) { return .usable }
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
