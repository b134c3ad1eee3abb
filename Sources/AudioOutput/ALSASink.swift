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
        makeSink: { try ALSASink($0, clock: $1.clock) })

    private static func devices() -> [FoundDevice] {
        OutputSpecification.cards.map {
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

extension OutputSpecification {
    /// ALSA's names of the cards' own devices.
    public static var cards: [String] { PlaybackDevice.names().filter { $0.hasPrefix("hw:") } }
}

/// A sound device, through libasound.
///
/// Writes without blocking. This works with every device and plugin, whatever they do with descriptors and interrupts, and wakes up
/// five times in four seconds.
final class ALSASink: PacedSink {
    private final class State {
        var open: (device: PlaybackDevice, configuration: ALSAConfiguration)?
        /// If the device has been open before, ENODEV means it was unplugged.
        var wasOpen = false
    }

    private static let buffer = Duration.milliseconds(1800)
    private static let period = Duration.milliseconds(900)

    private let specification: OutputSpecification
    private let underrunCount = Atomic(0)
    let clock: any OutputClock
    let wakeUp: EventDescriptor
    private let confined = ThreadConfined(State())
    private var state: State { confined.state }
    private let cardMixer: ALSAMixer?
    var mixer: (any SinkMixer)? { cardMixer }

    /// Creates a sink for a device; does not open it yet.
    /// - Parameter clock: wakes the sink thread when there should be room again.
    /// - Throws: `SystemError` if the process has no descriptors left.
    init(_ specification: OutputSpecification, clock: any OutputClock = SystemOutputClock()) throws {
        self.specification = specification
        self.clock = clock
        wakeUp = try EventDescriptor()
        cardMixer = try specification.options[ALSAMixer.option.name].map { try ALSAMixer(element: $0) }
    }

    private var name: String { specification.name }
    var underruns: Int { underrunCount.load(ordering: .relaxed) }

    deinit { cardMixer?.finish() }

    /// Fails at once if another program uses the device.
    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        let device: PlaybackDevice
        let format: PCMFormat
        do throws(ALSAError) {
            if let open = state.open {
                device = open.device
                try device.drop()
            } else {
                device = try PlaybackDevice(opening: specification.parameter)
            }
            let configuration = try device.configure(
                specification.format(for: wanted), buffer: Self.buffer, period: Self.period)
            format = configuration.format
            guard PCMFormat.rates.contains(format.rate), PCMFormat.channelCounts.contains(format.channels) else {
                throw ALSAError.unsupported("\(format)")
            }
            state.open = (device, configuration)
            state.wasOpen = true
        } catch { throw explained(error) }
        try cardMixer?.open(device, of: name)
        return format
    }

    var timeout: Duration? { Self.buffer * 3 }
    var stalled: SinkError {
        SinkError("\(name) accepts no more audio; unplug it and plug it in again", isTemporary: true)
    }

    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt {
        guard let (device, configuration) = state.open else { throw SinkError("\(name) is closed") }
        let format = configuration.format
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

    var latency: Int { state.open?.device.delay ?? 0 }

    var latencies: ClosedRange<Duration> { .zero...(Self.buffer - .milliseconds(250)) }

    /// A sound server reports its delay some tenths of a second after it started; until then the plugin does not include it.
    var learningTime: Duration { state.open?.device.isHardware == false ? .seconds(1) : .zero }

    func drain() throws(SinkError) {
        guard let (device, configuration) = state.open else { return }
        do throws(ALSAError) {
            if !device.isPrepared { try device.beginDraining() }
            while device.isDraining {
                let left = max(.milliseconds(10), configuration.format.duration(of: device.delay))
                clock.wait(readable: wakeUp.raw, until: clock.now + left)
                if wakeUp.clear() { return }
            }
            try device.prepare()
        } catch {
            // An underrun here means that all frames were played.
            guard try recovers(device, from: error) else { return }
        }
    }

    func drop() {
        guard let device = state.open?.device else { return }
        // A device that cannot drop or prepare fails again at the next write, where the error can be reported.
        try? device.drop()
        try? device.prepare()
    }

    /// Removes frames from the device's own buffer; plugins have already passed theirs on.
    func takeBack(_ frames: Int) -> Int { state.open?.device.takeBack(frames) ?? 0 }

    func pause() -> Bool {
        guard let (device, configuration) = state.open, configuration.canPause, device.isRunning else { return false }
        return (try? device.setPaused(true)) != nil
    }

    func resume() throws(SinkError) {
        guard let device = state.open?.device else { return }
        do throws(ALSAError) { try device.setPaused(false) } catch { _ = try recovers(device, from: error) }
    }

    func close() { state.open = nil }

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
            case .missing where !state.wasOpen, .gone where !state.wasOpen: missing
            case .forbidden: "no permission to open \(name); add this user to the group audio"
            case .missing, .gone: "\(name) was unplugged; plug it in again"
            case .unsupported:
                "\(name) does not support this format (\(error)); use alsa:plughw:CARD, which converts it"
            case .unreachable: "the sound server of \(name) does not answer; start it"
            case .underrun, .suspended, .other:
                "\(name) failed (\(error)); restart its sound server, or plug its device in again"
            }
        let isTemporary =
            switch error.kind {
            case .busy, .gone, .unreachable, .underrun, .suspended, .other: true
            case .missing: state.wasOpen
            case .forbidden, .unsupported: false
            }
        return SinkError(text, isTemporary: isTemporary)
    }

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
                let cards = OutputSpecification.cards
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
        let deviceName = specification.parameter
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
}
