internal import MediaPorts
internal import PodcastModel
internal import SerialThreads
internal import SoundDevices
internal import Synchronization
internal import SystemCalls

extension OutputKind {
    /// A device of a PulseAudio server, or of PipeWire.
    static let pulse = OutputKind(
        name: "pulse", parameter: .optional("DEVICE", default: ""), options: [PulseSink.server],
        isClientAddable: { _ in true },
        inspect: { PulseSink.condition(of: $0) }, find: { () throws(SinkError) in try PulseSink.devices() },
        makeSink: { try PulseSink($0, clock: $1.clock) })
}

/// A stream of a PulseAudio server. The desktop's mixer shows, moves and mutes the stream; its volume is the output's.
///
/// libpulse talks to the server on its own thread; the sink thread waits for its news and for the clock.
final class PulseSink: PacedSink, SinkMixer {
    static let server = OutputOption(
        name: "server", kind: ValueKind(.string, maximumBytes: 256), standard: "",
        help: "Address of the server, such as unix:/run/user/1000/pulse/native; without it, that of podcastd's user.")

    private final class State {
        var stream: PulseStream?
        var format: PCMFormat?
        /// Frames that were removed, and in whose place silence was written.
        var removed = 0
        /// The latency that was known last, with what was written since, in frames.
        var lastLatency = 0
        var isCorked = false
    }

    /// Long enough that an output to a snapserver, which usually buffers one second, can follow this one.
    private static let buffer = Duration.seconds(3)
    /// The time in which a server should answer.
    private static let patience = Duration.seconds(3)

    private let specification: OutputSpecification
    let clock: any OutputClock
    let wakeUp: EventDescriptor
    private let news: EventDescriptor
    private let confined = ThreadConfined(State())
    private var state: State { confined.state }
    /// The sink thread's stream, for other threads.
    private let shared = Mutex<PulseStream?>(nil)
    private let volume = Atomic(100)
    private let earlierUnderruns = Atomic(0)
    private let listener = Listener<Int>()

    init(_ specification: OutputSpecification, clock: any OutputClock) throws(SystemError) {
        self.specification = specification
        self.clock = clock
        wakeUp = try EventDescriptor()
        news = try EventDescriptor()
    }

    // MARK: The volume

    var mixer: (any SinkMixer)? { self }

    func setVolume(_ percent: Int) {
        guard volume.exchange(percent, ordering: .relaxed) != percent else { return }
        shared.withLock { $0 }?.setVolume(percent)
    }

    func observe(_ changed: @escaping @Sendable (Int) -> Void) { listener.connect(changed) }

    /// The desktop's mixer allows more than 100 %.
    private func volumeChanged(_ percent: Int) {
        let percent = min(100, percent)
        guard volume.exchange(percent, ordering: .relaxed) != percent else { return }
        listener.emit(percent)
    }

    // MARK: Playing

    private var stream: PulseStream? { state.stream }

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        let format = specification.format(for: wanted)
        let level = volume.load(ordering: .relaxed)
        do throws(PulseError) {
            let stream = if let stream { stream } else { try connect() }
            try stream.open(
                format, device: specification.parameter.nonEmpty, name: "Podcasts",
                buffer: Self.buffer, volume: level)
            try wait { () throws(PulseError) in try stream.isOpen && stream.deviceDelay != nil }
            stream.beginToReportVolume()
            // PipeWire gives a new stream the volume that the stream of that name had before.
            volume.store(level, ordering: .relaxed)
            stream.setVolume(level)
        } catch { throw explained(error) }
        state.format = format
        forget()
        return format
    }

    /// Connects to the server, and waits for it.
    private func connect() throws(PulseError) -> PulseStream {
        let server = specification.options[Self.server.name]
        let stream = try PulseStream(
            server: server, .podcastd, changes: news, volumeChanged: { [weak self] in self?.volumeChanged($0) })
        state.stream = stream
        shared.withLock { $0 = stream }
        try wait { () throws(PulseError) in try stream.isConnected }
        return stream
    }

    private func wait(_ isReached: () throws(PulseError) -> Bool) throws(PulseError) {
        let deadline = clock.now + Self.patience
        while try !isReached() {
            guard clock.now < deadline else { throw .noAnswer }
            clock.wait(readable: news.raw, until: deadline)
            news.clear()
        }
    }

    var timeout: Duration? { Self.buffer + Self.patience }
    var stalled: SinkError { explained(.noAnswer) }

    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt {
        guard let stream, let format = state.format else { throw SinkError("\(specification.name) is closed") }
        let whole = format.frames(in: Self.buffer)
        let needed = frames.needed(format, ofBuffer: whole)
        news.clear()
        do throws(PulseError) {
            let free = try stream.room / format.frameSize
            let room = free + state.removed
            guard room >= needed else {
                return .full(until: clock.now + format.duration(of: needed - room), readable: news.raw)
            }
            let part = frames.prefix(room, format)
            // The server may have played some of the silence already.
            let replaced = min(exchange(&state.removed, with: 0), max(0, whole - free))
            try stream.write(part, replacing: replaced * format.frameSize)
            state.lastLatency += part.count / format.frameSize - replaced
            return .took(part.count)
        } catch { throw explained(error) }
    }

    var latency: Int {
        guard let stream, let format = state.format else { return 0 }
        if let delay = stream.delay {
            state.lastLatency = format.frames(in: delay)
        } else if state.lastLatency > 0 {
            // The server has not reported its latency since it dropped its frames or started again.
            state.lastLatency = max(
                state.lastLatency, format.frames(in: stream.deviceDelay ?? .zero))
        }
        return max(0, state.lastLatency - state.removed)
    }

    /// At least the device's part of the buffer. The server asks for frames when nearly half of the buffer is free.
    var latencies: ClosedRange<Duration> { .milliseconds(200)...(Self.buffer / 2 - .milliseconds(200)) }

    /// The server knows the latency when the sound has reached its device.
    var learningTime: Duration { (stream?.deviceDelay ?? .zero) + .milliseconds(150) }

    func drain() throws(SinkError) {
        guard let stream else { return }
        do throws(PulseError) {
            try stream.beginDraining()
            let limit = clock.now + Self.buffer + Self.patience
            while !stream.isDrained, clock.now < limit {
                guard try stream.isOpen else { return }
                clock.wait(readable: wakeUp.raw, news.raw, writable: -1, until: limit)
                news.clear()
                if wakeUp.clear() { return }
            }
        } catch { throw explained(error) }
    }

    func drop() {
        // A stream that cannot be emptied fails at the next write, where the error can be reported.
        try? stream?.flush()
        if state.isCorked { try? stream?.setCorked(false) }
        forget()
    }

    private func forget() {
        state.removed = 0
        state.lastLatency = 0
        state.isCorked = false
    }

    /// Writes silence in place of the frames, which the next ones replace.
    func takeBack(_ frames: Int) -> Int {
        guard let stream, let format = state.format else { return 0 }
        let count = min(frames, latency)
        let removed = state.removed + count
        var replaced = removed * format.frameSize
        var left = count * format.frameSize
        while left > 0 {
            let silence = Silence.bytes(left, format.frameSize)
            guard (try? stream.write(silence, replacing: exchange(&replaced, with: 0))) != nil else { return 0 }
            left -= silence.count
        }
        if count > 0 { state.removed = count }
        return count
    }

    func pause() -> Bool {
        state.isCorked = (try? stream?.setCorked(true)) != nil
        return state.isCorked
    }

    func resume() throws(SinkError) {
        state.isCorked = false
        if let stream { try mapError(of: stream.setCorked(false), explained) }
    }

    func close() {
        shared.withLock { $0 = nil }
        earlierUnderruns.wrappingAdd(stream?.underruns ?? 0, ordering: .relaxed)
        confined.state = State()
    }

    var underruns: Int { earlierUnderruns.load(ordering: .relaxed) + (shared.withLock { $0 }?.underruns ?? 0) }

    // MARK: Failures

    private func explained(_ error: PulseError) -> SinkError {
        let name = specification.name
        let text =
            switch error.kind {
            case .notInstalled: "\(name) needs libpulse (\(error)); install libpulse0"
            case .unreachable: "no PulseAudio or PipeWire answers \(name); \(Self.startServer)"
            case .forbidden: "PulseAudio refuses podcastd's user; \(Self.allowUser)"
            case .ended: "PulseAudio ended the stream of \(name); podcastd connects again"
            case .missing: "PulseAudio has no device \(specification.parameter); use one of 'pactl list short sinks'"
            case .unsupported: "\(name) does not accept this format (\(error)); set its rate, such as pulse?rate=48000"
            case .other: "\(name) failed (\(error)); restart PulseAudio or PipeWire"
            }
        return SinkError(text, isTemporary: error.kind != .notInstalled && error.kind != .unsupported)
    }

    private static let startServer = "start it, or name its address: pulse?server=unix:/run/user/1000/pulse/native"
    private static let allowUser = "run podcastd as the user whose desktop plays, or let the server accept others"

    /// The sinks of the server of podcastd's user.
    static func devices() throws(SinkError) -> [FoundDevice] {
        let sink: PulseSink
        do { sink = try PulseSink(OutputSpecification(.pulse), clock: SystemOutputClock()) } catch {
            throw SinkError("\(error)", isTemporary: true)
        }
        defer { sink.close() }
        do throws(PulseError) {
            let stream = try sink.connect()
            try stream.beginListing()
            try sink.wait { stream.sinks != nil }
            return (stream.sinks ?? []).map { FoundDevice($0.description, OutputSpecification(.pulse, $0.name)) }
        } catch { throw sink.explained(error) }
    }

    /// Connects, but opens no stream.
    static func condition(of specification: OutputSpecification) -> OutputCondition {
        do {
            let sink = try PulseSink(specification, clock: SystemOutputClock())
            defer { sink.close() }
            _ = try mapError(of: sink.connect(), sink.explained)
            return .usable
        } catch let error as SinkError {
            return .unusable(.other, error.message, fix: startServer)
        } catch {
            return .unusable("\(error)")
        }
    }
}

extension PulseStream.Appearance {
    /// The role keeps the desktop from lowering the sound as it lowers announcements.
    fileprivate static let podcastd = Self(application: "podcastd", icon: "multimedia-player", role: "music")
}
