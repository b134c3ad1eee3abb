internal import CPulse
internal import Glibc
public import MediaPorts
internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// A connection to a PulseAudio server, or to PipeWire's, with one playback stream. Calls do not wait for the server; look again when
/// `changes` is readable. Any thread. Disconnects in `deinit`, which must not be on libpulse's own thread.
///
/// Unchecked because the pointers are libpulse's: every use of the pointers is under the lock of libpulse's thread.
@safe public final class PulseStream: @unchecked Sendable {
    /// How the desktop's mixer shows the stream.
    public struct Appearance: Sendable {
        var application: String
        var icon: String
        var role: String
        public init(application: String, icon: String, role: String) {
            self.application = application
            self.icon = icon
            self.role = role
        }
    }

    private static let deviceBuffer = Duration.milliseconds(60)

    private let pulse: pulse_functions
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private var stream: OpaquePointer?
    private var bytesPerSecond: Int64 = 1
    /// The delay while the stream is corked.
    private var heldDelay: Duration?
    private let signals: PulseSignals

    /// Begins to connect.
    /// - Parameters:
    ///   - server: as in PULSE_SERVER; nil for the user's own.
    ///   - changes: signalled when a state has changed, or when there is room.
    ///   - volumeChanged: is given the volume in percent when the desktop's mixer changed the volume, on libpulse's thread; must not block.
    public init(
        server: String?, _ appearance: Appearance, changes: EventDescriptor,
        volumeChanged: @escaping @Sendable (Int) -> Void
    ) throws(PulseError) {
        let pulse = try PulseLibrary.functions()
        guard let loop = unsafe pulse.threaded_mainloop_new() else {
            throw PulseError(.other, "start libpulse's thread", "out of memory")
        }
        let properties = unsafe pulse.proplist_new()
        defer { unsafe pulse.proplist_free(properties) }
        _ = unsafe pulse.proplist_sets(properties, "application.name", appearance.application)
        _ = unsafe pulse.proplist_sets(properties, "application.icon_name", appearance.icon)
        _ = unsafe pulse.proplist_sets(properties, "media.role", appearance.role)
        let context = unsafe pulse.context_new_with_proplist(
            pulse.threaded_mainloop_get_api(loop), appearance.application, properties)
        guard let context = unsafe context else {
            unsafe pulse.threaded_mainloop_free(loop)
            throw PulseError(.other, "connect to PulseAudio", "out of memory")
        }
        self.pulse = pulse
        unsafe self.loop = loop
        unsafe self.context = context
        signals = PulseSignals(pulse, changes, volumeChanged)
        let object = unsafe self.object
        unsafe pulse.context_set_state_callback(
            context, { unsafe PulseSignals.at($1).changes.signal() }, object)
        unsafe pulse.context_set_subscribe_callback(
            context, { context, _, index, object in unsafe PulseSignals.at(object).changed(context, index) }, object)
        let began = unsafe pulse.context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
        let started = began < 0 ? began : unsafe pulse.threaded_mainloop_start(loop)
        guard began >= 0 else { throw failure("connect to PulseAudio") }
        guard started >= 0 else { throw PulseError(.other, "start libpulse's thread", "no more threads") }
    }

    deinit {
        unsafe pulse.threaded_mainloop_stop(loop)
        closeStream()
        unsafe pulse.context_disconnect(context)
        unsafe pulse.context_unref(context)
        unsafe pulse.threaded_mainloop_free(loop)
    }

    /// Whether the server has accepted the connection.
    public var isConnected: Bool {
        get throws(PulseError) {
            try locked { () throws(PulseError) in
                switch unsafe pulse.context_get_state(context) {
                case PA_CONTEXT_READY: true
                case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: throw failure("connect to PulseAudio")
                default: false
                }
            }
        }
    }

    /// Asks the server for its sinks; `sinks` has them when `changes` has been signalled.
    public func beginListing() throws(PulseError) {
        try locked { () throws(PulseError) in
            let operation = unsafe pulse.context_get_sink_info_list(
                context, { unsafe PulseSignals.at($3).list($1, end: $2) }, object)
            guard unsafe finish(operation) else { throw failure("list the sinks of PulseAudio") }
        }
    }

    /// The server's sinks by their names, with their descriptions; nil until the server has listed all.
    public var sinks: [(name: String, description: String)]? {
        signals.sinks.withLock { $0.isComplete ? $0.found : nil }
    }

    /// Begins to open a stream, in place of an open one.
    /// - Parameters:
    ///   - device: a sink of the server, on which the stream stays; nil for the server's choice, which the desktop's mixer may change.
    ///   - volume: in percent.
    public func open(
        _ format: PCMFormat, device: String?, name: String, buffer: Duration, volume: Int
    ) throws(PulseError) {
        try locked { () throws(PulseError) in
            closeStream()
            var sample = pa_sample_spec(
                format: format.type.native, rate: UInt32(format.rate), channels: UInt8(format.channels))
            var map = pa_channel_map()
            _ = unsafe pulse.channel_map_init_extend(&map, UInt32(format.channels), PA_CHANNEL_MAP_WAVEEX)
            let stream = unsafe pulse.stream_new_with_proplist(context, name, &sample, &map, nil)
            guard let stream = unsafe stream else { throw failure("open a stream of \(format)") }
            unsafe self.stream = stream
            bytesPerSecond = Int64(format.frameSize * format.rate)
            signals.isDrained.store(false, ordering: .relaxed)
            let object = unsafe self.object
            unsafe pulse.stream_set_state_callback(
                stream, { unsafe PulseSignals.at($1).changes.signal() }, object)
            unsafe pulse.stream_set_write_callback(
                stream, { unsafe PulseSignals.at($2).changes.signal() }, object)
            unsafe pulse.stream_set_latency_update_callback(
                stream, { unsafe PulseSignals.at($1).timed($0) }, object)
            unsafe pulse.stream_set_underflow_callback(
                stream, { unsafe PulseSignals.at($1).ranDry() }, object)
            let frame = UInt32(format.frameSize)
            let length = frame * UInt32(buffer.inSeconds * Double(format.rate))
            // Playback begins with the first frame. The server gives its device half of what is left of the buffer without twice
            // `minreq`: as little as it can, because a device with a long buffer knows its latency late.
            let request = frame * UInt32((buffer - Self.deviceBuffer * 2).inSeconds / 2 * Double(format.rate))
            var attributes = pa_buffer_attr(
                maxlength: .max, tlength: length, prebuf: frame, minreq: request, fragsize: .max)
            var level = pa_cvolume()
            _ = unsafe pulse.cvolume_set(&level, UInt32(format.channels), Self.native(volume))
            var flags = PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue
            // The server would move the stream of a device that is removed to the device of another room.
            if device != nil { flags |= PA_STREAM_DONT_MOVE.rawValue }
            let result = unsafe pulse.stream_connect_playback(
                stream, device, &attributes, pa_stream_flags_t(flags), &level, nil)
            guard result >= 0 else { throw failure("open a stream of \(format)") }
        }
    }

    /// Whether the server has opened the stream.
    public var isOpen: Bool {
        get throws(PulseError) {
            try locked { () throws(PulseError) in
                switch unsafe pulse.stream_get_state(stream) {
                case PA_STREAM_READY: return true
                case PA_STREAM_FAILED, PA_STREAM_TERMINATED: throw failure("play with PulseAudio")
                default: return false
                }
            }
        }
    }

    /// Reports the volume of the open stream to `volumeChanged` from now on.
    public func beginToReportVolume() {
        locked {
            signals.index.store(unsafe pulse.stream_get_index(stream), ordering: .relaxed)
            unsafe finish(pulse.context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil))
        }
    }

    /// Number of bytes that `write` takes now.
    public var room: Int {
        get throws(PulseError) {
            try locked { () throws(PulseError) in
                let room = unsafe pulse.stream_writable_size(stream)
                guard room >= 0 else { throw failure("play with PulseAudio") }
                return room
            }
        }
    }

    /// - Parameter replaced: bytes that were written last and are replaced, as far as they are not played yet.
    public func write(_ bytes: UnsafeRawBufferPointer, replacing replaced: Int) throws(PulseError) {
        try locked { () throws(PulseError) in
            let result = unsafe pulse.stream_write(
                stream, bytes.baseAddress, bytes.count, nil, -Int64(replaced), PA_SEEK_RELATIVE)
            guard result >= 0 else { throw failure("play with PulseAudio") }
        }
    }

    /// The time until the next byte is heard; nil if unknown. Computed from the server's last report, because libpulse's own
    /// estimate needs a second after each start.
    public var delay: Duration? {
        locked {
            if let heldDelay { return heldDelay }
            guard let timing = unsafe pulse.stream_get_timing_info(stream)?.pointee,
                timing.write_index_corrupt == 0, timing.read_index_corrupt == 0
            else { return nil }
            let queued = (timing.write_index - timing.read_index) * 1_000_000 / bytesPerSecond
            let reported = Duration.microseconds(queued + Int64(clamping: timing.sink_usec))
            let age = timing.playing != 0 ? .now - signals.timingInstant : .zero
            return max(.zero, reported - age)
        }
    }

    /// The device's part of the delay, as the server has configured the device; nil if unknown.
    public var deviceDelay: Duration? {
        locked {
            unsafe pulse.stream_get_timing_info(stream).map {
                .microseconds(Int64(clamping: unsafe $0.pointee.configured_sink_usec))
            }
        }
    }

    public func setCorked(_ isCorked: Bool) throws(PulseError) {
        let now = delay
        try locked { () throws(PulseError) in
            heldDelay = isCorked ? now : nil
            let operation = unsafe pulse.stream_cork(stream, isCorked ? 1 : 0, nil, nil)
            guard unsafe finish(operation) else { throw failure("pause PulseAudio") }
        }
    }

    /// Discards what is not played yet.
    public func flush() throws(PulseError) {
        try locked { () throws(PulseError) in
            heldDelay = nil
            guard unsafe finish(pulse.stream_flush(stream, nil, nil)) else {
                throw failure("empty PulseAudio's buffer")
            }
        }
    }

    /// From now on `isDrained` says whether all bytes were played.
    public func beginDraining() throws(PulseError) {
        signals.isDrained.store(false, ordering: .relaxed)
        try locked { () throws(PulseError) in
            let operation = unsafe pulse.stream_drain(
                stream, { unsafe PulseSignals.at($2).drained() }, object)
            guard unsafe finish(operation) else { throw failure("wait for PulseAudio's end") }
        }
    }

    public var isDrained: Bool { signals.isDrained.load(ordering: .relaxed) }

    /// Number of times that the stream had nothing to play.
    public var underruns: Int { signals.underruns.load(ordering: .relaxed) }

    /// - Parameter percent: of the stream's volume, as the desktop's mixer shows it.
    public func setVolume(_ percent: Int) {
        locked {
            let index = signals.index.load(ordering: .relaxed)
            guard index != UInt32.max else { return }
            var level = pa_cvolume()
            _ = unsafe pulse.cvolume_set(&level, 1, Self.native(percent))
            unsafe finish(pulse.context_set_sink_input_volume(context, index, &level, nil, nil))
        }
    }

    /// The pointer that libpulse passes to callbacks.
    private var object: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(signals).toOpaque() }

    // MARK: Under the lock

    private func closeStream() {
        guard let open = unsafe stream else { return }
        _ = unsafe pulse.stream_disconnect(open)
        unsafe pulse.stream_unref(open)
        unsafe stream = nil
        heldDelay = nil
        signals.index.store(.max, ordering: .relaxed)
    }

    /// - Returns: false if libpulse refused the operation.
    @discardableResult
    private func finish(_ operation: OpaquePointer?) -> Bool {
        guard let operation = unsafe operation else { return false }
        unsafe pulse.operation_unref(operation)
        return true
    }

    private func failure(_ call: String) -> PulseError {
        PulseError(pulse, unsafe pulse.context_errno(context), call)
    }

    private func locked<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pulse.threaded_mainloop_lock(loop)
        defer { unsafe pulse.threaded_mainloop_unlock(loop) }
        return try body()
    }

    private static func native(_ percent: Int) -> pa_volume_t { UInt32(percent) * 0x10000 / 100 }
}

/// Receiver of libpulse's callbacks, on libpulse's thread.
final class PulseSignals: Sendable {
    let changes: EventDescriptor
    /// The stream's number at the server; the maximum without a stream.
    let index = Atomic(UInt32.max)
    let isDrained = Atomic(false)
    let underruns = Atomic(0)
    private let timing = Atomic<Int64>(0)
    let sinks = Mutex((found: [(name: String, description: String)](), isComplete: false))
    private static let mostSinks = 64
    private let volumeChanged: @Sendable (Int) -> Void
    private let pulse: pulse_functions

    init(
        _ pulse: pulse_functions, _ changes: EventDescriptor, _ volumeChanged: @escaping @Sendable (Int) -> Void
    ) {
        self.pulse = pulse
        self.changes = changes
        self.volumeChanged = volumeChanged
    }

    /// - Parameter object: of a `PulseStream`, which lives longer than libpulse's thread.
    static func at(_ object: UnsafeMutableRawPointer?) -> PulseSignals {
        unsafe Unmanaged<PulseSignals>.fromOpaque(object!).takeUnretainedValue()
    }

    /// Something of a stream at the server has changed; libpulse is asked whether the volume has.
    func changed(_ context: OpaquePointer?, _ index: UInt32) {
        guard index == self.index.load(ordering: .relaxed) else { return }
        let object = unsafe Unmanaged.passUnretained(self).toOpaque()
        let operation = unsafe pulse.context_get_sink_input_info(
            context, index,
            { _, information, _, object in
                guard let information = unsafe information else { return }
                unsafe PulseSignals.at(object).read(information)
            }, object)
        if let operation = unsafe operation { unsafe pulse.operation_unref(operation) }
    }

    private func read(_ information: UnsafePointer<pa_sink_input_info>) {
        guard unsafe information.pointee.has_volume != 0 else { return }
        var level = unsafe information.pointee.volume
        let volume = unsafe pulse.cvolume_max(&level)
        volumeChanged(Int((UInt64(volume) * 100 + 0x8000) / 0x10000))
    }

    /// When the server's last report of the stream's timing was true.
    var timingInstant: Instant { Instant(nanoseconds: timing.load(ordering: .relaxed)) }

    /// Takes the instant of a report, whose own time stamp is the calendar's and jumps with it.
    func timed(_ stream: OpaquePointer?) {
        if let report = unsafe pulse.stream_get_timing_info(stream)?.pointee {
            var now = timeval()
            _ = unsafe gettimeofday(&now, nil)
            let age = (now.tv_sec - report.timestamp.tv_sec) * 1_000_000 + now.tv_usec - report.timestamp.tv_usec
            let instant = Instant.now + .microseconds(-max(0, min(1_000_000, age)))
            timing.store(instant.nanoseconds, ordering: .relaxed)
        }
        changes.signal()
    }

    /// - Parameter end: not 0 after the last sink, or after a failure.
    func list(_ sink: UnsafePointer<pa_sink_info>?, end: Int32) {
        sinks.withLock { sinks in
            if let sink = unsafe sink, let name = unsafe sink.pointee.name, sinks.found.count < Self.mostSinks {
                let description = unsafe sink.pointee.description.map { unsafe String(cString: $0) } ?? ""
                sinks.found.append((unsafe String(cString: name), description))
            }
            if end != 0 { sinks.isComplete = true }
        }
        changes.signal()
    }

    func ranDry() { underruns.wrappingAdd(1, ordering: .relaxed) }

    func drained() {
        isDrained.store(true, ordering: .relaxed)
        changes.signal()
    }
}

extension SampleType {
    fileprivate var native: pa_sample_format_t {
        switch self {
        case .int16: PA_SAMPLE_S16LE
        case .int32: PA_SAMPLE_S32LE
        case .float32: PA_SAMPLE_FLOAT32LE
        }
    }
}
