internal import MediaPorts
internal import PodcastModel
internal import SoundDevices
internal import Synchronization
internal import SystemCalls

extension OutputKind {
    public static let alsa = OutputKind(
        name: "alsa", parameter: .optional("DEVICE", default: "default"), options: [ALSAMixer.option],
        isClientAddable: { isPlain($0) }, inspect: { ALSASink.condition(of: $0) },
        find: { () throws(SinkError) in devices() },
        makeSink: { specification, factory in
            try ALSASink(
                device: specification.parameter, rate: specification.rate, channels: specification.channels,
                type: specification.type, mixer: specification.options[ALSAMixer.option.name], clock: factory.clock)
        })

    private static func devices() -> [FoundDevice] {
        ALSASink.cards.map {
            FoundDevice("sound card \($0.dropFirst("hw:CARD=".count))", OutputSpecification(.alsa, $0))
        }
    }

    /// Whether a name of ALSA means a device or a sound server. Other names start programs or write files (`file:`, `tee:`), or are
    /// configuration themselves.
    private static func isPlain(_ device: String) -> Bool {
        let parts = device.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let plugins = [
            "default", "sysdefault", "front", "hw", "plughw", "dmix", "hdmi", "iec958", "pulse", "pipewire", "jack",
        ]
        let isSurround = parts[0].hasPrefix("surround") && parts[0].dropFirst(8).allSatisfy(\.isNumber)
        return (plugins.contains(String(parts[0])) || isSurround)
            && parts.dropFirst().joined().allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber) || "_=,.-".contains($0)
            }
    }
}

/// A sound device, through libasound.
///
/// Writes without blocking. This works with every device and plugin, whatever they do with descriptors and interrupts, and wakes up
/// five times in four seconds.
final class ALSASink: PacedSink {
    private struct State {
        var device: PlaybackDevice?
        var configuration: ALSAConfiguration?
        var format: PCMFormat?
        /// If the device has been open before, ENODEV means it was unplugged.
        var wasOpen = false
    }

    private static let buffer = Duration.milliseconds(1800)
    private static let period = Duration.milliseconds(900)

    private let name: String
    var underruns: Int { underrunCount.load(ordering: .relaxed) }

    private let underrunCount = Atomic(0)
    private let deviceName: String
    private let fixed: (rate: Int?, channels: Int?, type: SampleType?)
    let clock: any OutputClock
    let wakeUp: EventDescriptor
    private let confined = ThreadConfined(State())
    private let cardMixer: ALSAMixer?
    var mixer: (any SinkMixer)? { cardMixer }

    /// Creates a sink for a device; does not open it yet.
    /// - Parameters:
    ///   - device: the device's name in ALSA.
    ///   - rate: nil to follow the source, as for `channels`.
    ///   - type: the sample type that is tried first.
    ///   - mixer: the element of the card's mixer that sets the volume; nil if the caller changes the samples.
    ///   - clock: wakes the sink thread when there should be room again.
    /// - Throws: `SystemError` if the process has no descriptors left.
    init(
        device: String, rate: Int? = nil, channels: Int? = nil, type: SampleType? = nil,
        mixer: String? = nil, clock: any OutputClock = SystemOutputClock()
    ) throws {
        deviceName = device
        name = "alsa:\(deviceName)"
        fixed = (rate, channels, type)
        self.clock = clock
        wakeUp = try EventDescriptor()
        cardMixer = try mixer.map { try ALSAMixer(element: $0) }
    }

    deinit { cardMixer?.finish() }

    /// Fails at once if another program uses the device.
    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        let device: PlaybackDevice
        let format: PCMFormat
        do throws(ALSAError) {
            if let open = confined.state.device {
                device = open
                try device.drop()
            } else {
                device = try PlaybackDevice(opening: deviceName)
                confined.state.device = device
            }
            let configuration = try device.configure(
                rate: fixed.rate ?? wanted.rate, channels: fixed.channels ?? wanted.channels,
                formats: Self.preference(fixed.type ?? wanted.type), buffer: Self.buffer, period: Self.period)
            format = PCMFormat(
                rate: configuration.rate, channels: configuration.channels, type: configuration.format.type)
            guard PCMFormat.rates.contains(format.rate), PCMFormat.channelCounts.contains(format.channels) else {
                throw ALSAError.unsupported("\(format)")
            }
            confined.state.configuration = configuration
            confined.state.format = format
            confined.state.wasOpen = true
        } catch { throw explained(error) }
        try cardMixer?.open(device, of: name)
        return format
    }

    var timeout: Duration? { Self.buffer * 3 }
    var stalled: SinkError {
        SinkError("\(name) accepts no more audio; unplug it and plug it in again", isTemporary: true)
    }

    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt {
        guard let device = confined.state.device, let configuration = confined.state.configuration,
            let format = confined.state.format
        else { throw SinkError("\(name) is closed") }
        let needed = frames.needed(format, ofBuffer: configuration.bufferFrames)
        var missing = 0
        do throws(ALSAError) {
            let room = try device.available()
            missing = needed - room
            if missing <= 0 {
                let taken = try device.write(frames, frames: min(frames.count / format.frameSize, room))
                if device.isPrepared { try device.start() }
                if taken > 0 { return .took(taken * format.frameSize) }
            }
        } catch {
            guard try recovers(device, from: error) else { return .interrupted }
        }
        return .full(until: clock.now + format.duration(of: max(1, missing)))
    }

    var latency: Int { confined.state.device?.delay ?? 0 }

    var latencies: ClosedRange<Duration> { .zero...(Self.buffer - .milliseconds(250)) }

    /// A sound server reports its delay some tenths of a second after it started; until then the plugin does not include it.
    var learningTime: Duration { confined.state.device?.isHardware == false ? .seconds(1) : .zero }

    func drain() throws(SinkError) {
        guard let device = confined.state.device, let format = confined.state.format else { return }
        do throws(ALSAError) {
            if !device.isPrepared { try device.beginDraining() }
            while device.isDraining {
                let left = max(format.rate / 100, device.delay)
                clock.wait(readable: wakeUp.raw, until: clock.now + format.duration(of: left))
                if wakeUp.clear() { return }
            }
            try device.prepare()
        } catch {
            // An underrun here means that all frames were played.
            guard try recovers(device, from: error) else { return }
        }
    }

    func drop() {
        guard let device = confined.state.device else { return }
        // A device that cannot drop or prepare fails again at the next write, where the error can be reported.
        try? device.drop()
        try? device.prepare()
    }

    /// Removes frames from the device's own buffer; plugins have already passed theirs on.
    func takeBack(_ frames: Int) -> Int { confined.state.device?.takeBack(frames) ?? 0 }

    func pause() -> Bool {
        guard let device = confined.state.device, confined.state.configuration?.canPause == true, device.isRunning
        else { return false }
        return (try? device.setPaused(true)) != nil
    }

    func resume() throws(SinkError) {
        guard let device = confined.state.device else { return }
        do throws(ALSAError) { try device.setPaused(false) } catch { _ = try recovers(device, from: error) }
    }

    func close() {
        confined.state.device = nil
        confined.state.configuration = nil
    }

    /// Recovers a device after an underrun or a suspend.
    /// - Returns: false if interrupted before that.
    private func recovers(_ device: PlaybackDevice, from error: ALSAError) throws(SinkError) -> Bool {
        switch error.kind {
        case .underrun: underrunCount.wrappingAdd(1, ordering: .relaxed)
        case .suspended: break
        case .missing, .busy, .forbidden, .gone, .unreachable, .unsupported, .other: throw explained(error)
        }
        do throws(ALSAError) {
            if error.kind == .suspended {
                let limit = clock.now + .seconds(5)
                while clock.now < limit, (try? device.wakeUp()) == false {
                    clock.wait(readable: wakeUp.raw, until: clock.now + .milliseconds(100))
                    if wakeUp.clear() { return false }
                }
            }
            if !device.isRunning { try device.prepare() }
            return true
        } catch { throw explained(error) }
    }

    private func explained(_ error: ALSAError) -> SinkError {
        let text =
            switch error.kind {
            case .busy:
                "\(name) is in use by another program; stop it, or use a device that mixes, such as alsa:default"
            case .missing where !confined.state.wasOpen, .gone where !confined.state.wasOpen: missing
            case .forbidden: "no permission to open \(name); add this user to the group audio"
            case .missing, .gone: "\(name) was unplugged; plug it in again"
            case .unsupported:
                "\(name) does not support this format (\(error)); use alsa:plughw:CARD, which converts it"
            case .unreachable: "the sound server of \(name) does not answer; start it"
            case .underrun, .suspended, .other:
                "\(name) failed (\(error)); restart its sound server, or plug its device in again"
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

    /// ALSA's names of the cards' own devices.
    static var cards: [String] { PlaybackDevice.names().filter { $0.hasPrefix("hw:") } }

    static func condition(of specification: OutputSpecification) -> OutputCondition {
        let name = specification.parameter
        let device: PlaybackDevice
        do throws(ALSAError) {
            device = try PlaybackDevice(opening: name)
        } catch {
            switch error.kind {
            case .busy: return .unusable(.inUse, "in use by another program", fix: "find it: fuser -v /dev/snd/*")
            case .forbidden:
                return .unusable(
                    .forbidden, "podcastd has no permission to use \(name)",
                    fix: "add podcastd's user to the group audio, then restart podcastd")
            case .missing, .gone:
                if cards.isEmpty {
                    return .unusable(
                        .other, "unknown device; this machine has no sound card",
                        fix: "connect one, or play without sound: write 'sink = null' below [output] in podcastd.conf, "
                            + "or start podcastd with --output null")
                }
                return .unusable(
                    .other, "unknown device",
                    fix: "write 'sink = alsa:DEVICE' below [output] in podcastd.conf, with one of "
                        + cards.joinedText(", "))
            case .unreachable:
                return .unusable(
                    .other, "the sound server does not answer",
                    fix: "systemctl --user restart pipewire-pulse, or pulseaudio --start")
            case .underrun, .suspended, .unsupported, .other: return .unusable(error.description)
            }
        }
        do throws(SinkError) {
            if let element = specification.options[ALSAMixer.option.name] {
                _ = try ALSAMixer.card(of: device, with: element, specification.name)
            }
            return .usable
        } catch {
            return .unusable(.other, error.message, fix: "change the option mixer of the output")
        }
    }

    private var missing: String {
        // Only names with a card mean a device; the others are ALSA's plugins, of which none produces sound by itself.
        let names = PlaybackDevice.names().filter { $0.contains("CARD=") }
        guard !names.isEmpty else {
            let device = deviceName == "default" ? "found" : "\(deviceName), and no sound card"
            return
                "no sound device \(device); connect one, or play without sound: podcast-play --output null, or for podcastd "
                + "'sink = null' below [output] in podcastd.conf"
        }
        return
            "no sound device \(deviceName); use another: podcast-play --output alsa:NAME, or for podcastd 'sink = alsa:NAME' below "
            + "[output] in podcastd.conf, with one of \(names.prefix(8).joined(separator: ", "))"
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
