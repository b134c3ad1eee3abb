internal import ALSA
public import MediaPorts
internal import Synchronization
internal import SystemCalls

/// A sound device by way of libasound.
///
/// It is written without waiting, and the sink thread sleeps by the clock until there is room for half the buffer: that
/// holds for every device and plugin, whatever they do with descriptors and interrupts, and wakes five times in four
/// seconds.
public final class ALSASink: Sink {
    private struct State {
        var device: PlaybackDevice?
        var configuration: ALSAConfiguration?
        var format: PCMFormat?
        /// A device that was there once and is not now was unplugged.
        var wasOpen = false
    }

    private static let bufferMicroseconds = 1_800_000
    private static let periodMicroseconds = 900_000

    /// What `outputs` shows.
    public let name: String
    /// A device plays no faster than time goes.
    public var isPaced: Bool { true }

    /// Counted at each recovery.
    public var underruns: Int { underrunCount.load(ordering: .relaxed) }

    private let underrunCount = Atomic(0)
    private let deviceName: String
    private let fixed: (rate: Int?, channels: Int?, type: SampleType?)
    private let clock: any OutputClock
    private let bell: EventDescriptor
    private let confined = ThreadConfined(State())

    /// A sink on a device; opens nothing yet.
    ///
    /// - Parameters:
    ///   - device: ALSA's name of it; nil is `default`.
    ///   - rate: a rate that it is held to.
    ///   - channels: a number of channels that it is held to.
    ///   - type: the sample type that is tried first.
    ///   - clock: tells when to look for room again.
    /// - Throws: `SystemError` when the process has no descriptors left.
    public init(
        device: String?, rate: Int? = nil, channels: Int? = nil, type: SampleType? = nil,
        clock: any OutputClock = MonotonicClock()
    ) throws {
        deviceName = device ?? "default"
        name = "alsa:\(deviceName)"
        fixed = (rate, channels, type)
        self.clock = clock
        bell = try EventDescriptor()
    }

    /// Opens the device, or agrees with it anew. Does not wait for one that is busy.
    public func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        do throws(ALSAError) {
            let device: PlaybackDevice
            if let open = confined.state.device {
                device = open
                try device.drop()
            } else {
                device = try PlaybackDevice(opening: deviceName)
                confined.state.device = device
            }
            let configuration = try device.configure(
                rate: fixed.rate ?? wanted.rate, channels: fixed.channels ?? wanted.channels,
                formats: Self.preference(fixed.type ?? wanted.type), bufferMicroseconds: Self.bufferMicroseconds,
                periodMicroseconds: Self.periodMicroseconds)
            let format = PCMFormat(
                rate: configuration.rate, channels: configuration.channels, type: configuration.format.type)
            guard PCMFormat.rates.contains(format.rate), PCMFormat.channelCounts.contains(format.channels) else {
                throw ALSAError.unsupported("\(format)")
            }
            confined.state.configuration = configuration
            confined.state.format = format
            confined.state.wasOpen = true
            return format
        } catch {
            throw explained(error)
        }
    }

    /// Takes what there is room for; waits for room for half the buffer.
    public func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let device = confined.state.device, let configuration = confined.state.configuration,
            let format = confined.state.format
        else { throw SinkError("\(name) is closed") }
        let offered = frames.count / format.frameSize
        let needed = min(offered, max(1, configuration.bufferFrames / 2))
        let limit = clock.now + 3 * Int64(Self.bufferMicroseconds) * 1000
        while true {
            var missing = 0
            do throws(ALSAError) {
                let room = try device.available()
                missing = needed - room
                if missing <= 0 {
                    let taken = try device.write(frames, frames: min(offered, room))
                    if device.isPrepared { try device.start() }
                    if taken > 0 { return taken * format.frameSize }
                }
            } catch {
                guard try recovers(device, from: error) else { return 0 }
            }
            guard clock.now < limit else {
                throw SinkError("\(name) stopped taking sound; unplug it and plug it in again", isTemporary: true)
            }
            clock.wait(
                readable: bell.raw, until: clock.now + Int64(max(1, missing)) * 1_000_000_000 / Int64(format.rate))
            if bell.clear() { return 0 }
        }
    }

    /// Frames in the buffer and in the device.
    public var latency: Int { confined.state.device?.delay ?? 0 }

    /// A sound server tells its delay some tenths of a second after it began; until then the plugin reckons without it.
    public var learnsLatency: Bool { confined.state.device?.isHardware == false }

    /// Lets the device play out what it has.
    public func drain() throws(SinkError) {
        guard let device = confined.state.device, let format = confined.state.format else { return }
        do throws(ALSAError) {
            if !device.isPrepared { try device.beginDraining() }
            while device.isDraining {
                let left = max(Int64(format.rate) / 100, Int64(device.delay))
                clock.wait(readable: bell.raw, until: clock.now + left * 1_000_000_000 / Int64(format.rate))
                if bell.clear() { return }
            }
            try device.prepare()
        } catch {
            // An underrun here is the end of the sound.
            guard try recovers(device, from: error) else { return }
        }
    }

    /// Forgets what was not heard.
    public func drop() {
        guard let device = confined.state.device else { return }
        // A device that cannot drop or prepare says so again when it is written to, where it can be told.
        try? device.drop()
        try? device.prepare()
    }

    /// Takes back frames from the device's own buffer; plugins have handed theirs on.
    public func takeBack(_ frames: Int) -> Int { confined.state.device?.takeBack(frames) ?? 0 }

    /// Holds the device if it can be held while it plays.
    public func pause() -> Bool {
        guard let device = confined.state.device, confined.state.configuration?.canPause == true, device.isRunning
        else { return false }
        return (try? device.setPaused(true)) != nil
    }

    /// Lets a held device go on.
    public func resume() throws(SinkError) {
        guard let device = confined.state.device else { return }
        do throws(ALSAError) {
            try device.setPaused(false)
        } catch {
            _ = try recovers(device, from: error)
        }
    }

    /// Lets the device go, so that others can have it.
    public func close() {
        confined.state.device = nil
        confined.state.configuration = nil
    }

    /// Makes a waiting call return.
    public func interrupt() { bell.signal() }

    /// Brings a device back that ran empty or slept.
    /// - Returns: false when it was interrupted before.
    private func recovers(_ device: PlaybackDevice, from error: ALSAError) throws(SinkError) -> Bool {
        switch error.kind {
        case .underrun: underrunCount.wrappingAdd(1, ordering: .relaxed)
        case .suspended: break
        case .missing, .busy, .forbidden, .gone, .unreachable, .unsupported, .other: throw explained(error)
        }
        do throws(ALSAError) {
            if error.kind == .suspended {
                let limit = clock.now + 5_000_000_000
                while clock.now < limit, (try? device.wakeUp()) == false {
                    clock.wait(readable: bell.raw, until: clock.now + 100_000_000)
                    if bell.clear() { return false }
                }
            }
            if !device.isRunning { try device.prepare() }
            return true
        } catch {
            throw explained(error)
        }
    }

    private func explained(_ error: ALSAError) -> SinkError {
        let text =
            switch error.kind {
            case .busy:
                "\(name) is in use by another program; stop that one, or name a device that mixes, such as alsa:default"
            case .missing where confined.state.wasOpen: "\(name) is gone; plug it in again"
            case .missing: "there is no sound device \(deviceName); \(Self.devicesFound())"
            case .forbidden: "\(name) may not be opened; put this user into the group audio"
            case .gone: "\(name) was unplugged; plug it in again"
            case .unsupported: "\(name) does not take this sound (\(error)); write alsa:plughw:CARD, which converts it"
            case .unreachable: "the sound server of \(name) does not answer; start it"
            case .underrun, .suspended, .other:
                "\(name) failed (\(error)); start its sound server again, or plug its device in again"
            }
        return SinkError(text, isTemporary: isTemporary(error.kind))
    }

    private func isTemporary(_ kind: ALSAError.Kind) -> Bool {
        switch kind {
        case .busy, .gone, .unreachable, .underrun, .suspended, .other: true
        case .missing: confined.state.wasOpen
        case .forbidden, .unsupported: false
        }
    }

    private static func devicesFound() -> String {
        // These exist in every configuration and are no way to hear something.
        let names = PlaybackDeviceHint.all().map(\.name).filter { !["null", "default"].contains($0) }
        guard !names.isEmpty else { return "none was found; connect one, or write fifo:PATH, wav:PATH or null" }
        return "found: \(names.prefix(8).joined(separator: ", ")); write alsa:NAME with one of them"
    }

    private static func preference(_ type: SampleType) -> [ALSASampleFormat] {
        switch type {
        case .int16: [.int16, .int32, .float32]
        case .int32: [.int32, .float32, .int16]
        case .float32: [.float32, .int32, .int16]
        }
    }
}

extension ALSASampleFormat {
    fileprivate var type: SampleType {
        switch self {
        case .int16: .int16
        case .int32: .int32
        case .float32: .float32
        }
    }
}
