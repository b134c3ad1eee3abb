internal import CALSA
public import MediaPorts

extension SampleType {
    fileprivate var native: snd_pcm_format_t {
        switch self {
        case .int16: SND_PCM_FORMAT_S16
        case .int32: SND_PCM_FORMAT_S32
        case .float32: SND_PCM_FORMAT_FLOAT
        }
    }
}

/// The configuration negotiated with a device.
public struct ALSAConfiguration: Equatable, Sendable {
    public var format: PCMFormat
    public var bufferFrames: Int
    public var canPause: Bool
}

/// An open playback PCM of libasound; one thread at a time. Calls do not block. Closed by `deinit`.
@safe public final class PlaybackDevice {
    private let handle: OpaquePointer

    /// Opens a device; fails at once if another program uses it: snd_pcm_open(3).
    ///
    /// Conversions of rate, channels and sample type by ALSA's plugins are disabled for the opened device itself
    /// (`hw:`); `default` and `plughw:` convert as usual.
    /// - Parameter name: a name in ALSA's configuration: `default`, `hw:1`, `plughw:CARD=Device`.
    /// - Throws: `ALSAError`, with the kinds missing, busy or forbidden.
    public init(opening name: String) throws(ALSAError) {
        // Set before each open, because other code in this process could set its own handler.
        shim_alsa_silence()
        var opened: OpaquePointer?
        let result = unsafe snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        try ALSAError.check("open \(name)", result)
        guard let opened = unsafe opened else { throw ALSAError(code: ENODEV, call: "open \(name)") }
        unsafe handle = opened
    }

    deinit { unsafe snd_pcm_close(handle) }

    /// Negotiates the format that is nearest to the wanted one. Prepares the device. May be called again after `drop`.
    public func configure(
        _ wanted: PCMFormat, buffer: Duration, period: Duration
    ) throws(ALSAError) -> ALSAConfiguration {
        var allocated: OpaquePointer?
        unsafe snd_pcm_hw_params_malloc(&allocated)
        guard let parameters = unsafe allocated else { throw ALSAError(code: ENOMEM, call: "snd_pcm_hw_params") }
        defer { unsafe snd_pcm_hw_params_free(parameters) }

        // A configured device must release its buffer first.
        unsafe snd_pcm_hw_free(handle)
        try ALSAError.check("snd_pcm_hw_params_any", unsafe snd_pcm_hw_params_any(handle, parameters))
        try ALSAError.check(
            "interleaved access",
            unsafe snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        // 16 bit last: the other types keep the precision of the wanted one.
        let types = [wanted.type, .int32, .float32, .int16].filter { type in
            unsafe snd_pcm_hw_params_test_format(handle, parameters, type.native) == 0
        }
        guard let type = types.first else { throw ALSAError(code: EINVAL, call: "no known sample format") }
        try ALSAError.check("sample format", unsafe snd_pcm_hw_params_set_format(handle, parameters, type.native))
        var channelCount = UInt32(wanted.channels)
        try ALSAError.check("channels", unsafe snd_pcm_hw_params_set_channels_near(handle, parameters, &channelCount))
        var frameRate = UInt32(wanted.rate)
        try ALSAError.check("rate", unsafe snd_pcm_hw_params_set_rate_near(handle, parameters, &frameRate, nil))
        var buffer = UInt32(buffer / .microseconds(1))
        try ALSAError.check(
            "buffer time", unsafe snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, nil))
        var period = UInt32(period / .microseconds(1))
        try ALSAError.check(
            "period time", unsafe snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil))
        try ALSAError.check("snd_pcm_hw_params", unsafe snd_pcm_hw_params(handle, parameters))

        var bufferFrames: snd_pcm_uframes_t = 0
        var periodFrames: snd_pcm_uframes_t = 0
        try ALSAError.check("buffer size", unsafe snd_pcm_hw_params_get_buffer_size(parameters, &bufferFrames))
        try ALSAError.check("period size", unsafe snd_pcm_hw_params_get_period_size(parameters, &periodFrames, nil))
        try setSoftware(periodFrames: periodFrames)
        return ALSAConfiguration(
            format: PCMFormat(rate: Int(frameRate), channels: Int(channelCount), type: type),
            bufferFrames: Int(bufferFrames), canPause: unsafe snd_pcm_hw_params_can_pause(parameters) == 1)
    }

    /// Disables automatic start, because sounds shorter than a start threshold would never be played.
    private func setSoftware(periodFrames: snd_pcm_uframes_t) throws(ALSAError) {
        var allocated: OpaquePointer?
        unsafe snd_pcm_sw_params_malloc(&allocated)
        guard let parameters = unsafe allocated else { throw ALSAError(code: ENOMEM, call: "snd_pcm_sw_params") }
        defer { unsafe snd_pcm_sw_params_free(parameters) }
        try ALSAError.check("snd_pcm_sw_params_current", unsafe snd_pcm_sw_params_current(handle, parameters))
        var boundary: snd_pcm_uframes_t = 0
        try ALSAError.check("boundary", unsafe snd_pcm_sw_params_get_boundary(parameters, &boundary))
        try ALSAError.check(
            "start threshold", unsafe snd_pcm_sw_params_set_start_threshold(handle, parameters, boundary))
        try ALSAError.check("wake-up size", unsafe snd_pcm_sw_params_set_avail_min(handle, parameters, periodFrames))
        try ALSAError.check("snd_pcm_sw_params", unsafe snd_pcm_sw_params(handle, parameters))
    }

    /// snd_pcm_writei(3).
    /// - Returns: number of frames written; 0 if there is no room.
    /// - Throws: after an underrun or suspend, or if the device is gone.
    public func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(ALSAError) -> Int {
        let result = unsafe snd_pcm_writei(handle, bytes.baseAddress, snd_pcm_uframes_t(frames))
        return result == -Int(EAGAIN) ? 0 : try ALSAError.check("write", result)
    }

    /// Number of writable frames: snd_pcm_avail(3), which queries the device.
    public func available() throws(ALSAError) -> Int {
        try ALSAError.check("snd_pcm_avail", unsafe snd_pcm_avail(handle))
    }

    /// Frames written and not played yet, including the device's own latency: snd_pcm_delay(3). 0 if unknown.
    public var delay: Int {
        var frames: snd_pcm_sframes_t = 0
        return unsafe snd_pcm_delay(handle, &frames) == 0 ? max(0, frames) : 0
    }

    /// ALSA's control of the device: that of its card, or the one of the same name.
    var control: String {
        var allocated: OpaquePointer?
        unsafe snd_pcm_info_malloc(&allocated)
        defer { unsafe snd_pcm_info_free(allocated) }
        let card = unsafe snd_pcm_info(handle, allocated) == 0 ? snd_pcm_info_get_card(allocated) : -1
        return unsafe card < 0 ? String(cString: snd_pcm_name(handle)) : "hw:\(card)"
    }

    /// True for a card's own buffer, false for a plugin.
    public var isHardware: Bool { unsafe snd_pcm_type(handle) == SND_PCM_TYPE_HW }
    /// True if the device waits for `start`.
    public var isPrepared: Bool { unsafe snd_pcm_state(handle) == SND_PCM_STATE_PREPARED }
    public var isRunning: Bool { unsafe snd_pcm_state(handle) == SND_PCM_STATE_RUNNING }
    public var isDraining: Bool { unsafe snd_pcm_state(handle) == SND_PCM_STATE_DRAINING }

    /// snd_pcm_start(3).
    public func start() throws(ALSAError) { try ALSAError.check("start", unsafe snd_pcm_start(handle)) }

    /// Prepares the device after an underrun, a drop or a drain: snd_pcm_prepare(3).
    public func prepare() throws(ALSAError) { try ALSAError.check("prepare", unsafe snd_pcm_prepare(handle)) }

    /// Starts draining the buffer, without waiting for the end: snd_pcm_drain(3).
    public func beginDraining() throws(ALSAError) {
        let result = unsafe snd_pcm_drain(handle)
        if result != -EAGAIN { try ALSAError.check("drain", result) }
    }

    /// Discards the buffer: snd_pcm_drop(3).
    public func drop() throws(ALSAError) { try ALSAError.check("drop", unsafe snd_pcm_drop(handle)) }

    /// Removes up to this number of the last written frames: snd_pcm_rewind(3).
    ///
    /// Only for a card's own buffer: plugins for servers and mixers move their pointer but still play the old frames.
    /// - Returns: number of frames removed; 0 if not supported.
    public func takeBack(_ frames: Int) -> Int {
        guard isHardware else { return 0 }
        let most = min(frames, unsafe snd_pcm_rewindable(handle))
        return most > 0 ? max(0, unsafe snd_pcm_rewind(handle, snd_pcm_uframes_t(most))) : 0
    }

    /// Keeps the buffer: snd_pcm_pause(3).
    public func setPaused(_ paused: Bool) throws(ALSAError) {
        try ALSAError.check("pause", unsafe snd_pcm_pause(handle, paused ? 1 : 0))
    }

    /// Resumes after a system suspend: snd_pcm_resume(3).
    /// - Returns: false if the device is not ready yet; try again soon.
    /// - Throws: if the device cannot continue; call `prepare` then.
    public func wakeUp() throws(ALSAError) -> Bool {
        let result = unsafe snd_pcm_resume(handle)
        if result == -EAGAIN { return false }
        try ALSAError.check("resume", result)
        return true
    }

    /// Names of the playback devices in ALSA's configuration: snd_device_name_hint(3). Queries the cards; slow.
    public static func names() -> [String] {
        shim_alsa_silence()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let hints = unsafe hints else { return [] }
        defer { unsafe snd_device_name_free_hint(hints) }
        var names: [String] = []
        var index = 0
        while let hint = unsafe hints[index] {
            index += 1
            guard let name = unsafe text(of: hint, "NAME"), unsafe text(of: hint, "IOID") != "Input" else { continue }
            names.append(name)
        }
        return names
    }

    private static func text(of hint: UnsafeRawPointer, _ key: String) -> String? {
        guard let value = unsafe snd_device_name_get_hint(hint, key) else { return nil }
        defer { unsafe free(value) }
        return unsafe String(cString: value)
    }
}
