internal import CALSA
internal import Glibc

/// The mixer of a card. One thread at a time. Closed by `deinit`.
@safe public final class CardMixer {
    private let handle: OpaquePointer

    public init(of device: PlaybackDevice) throws(ALSAError) {
        let name = device.control
        var opened: OpaquePointer?
        try ALSAError.check("open mixer", unsafe snd_mixer_open(&opened, 0))
        guard let opened = unsafe opened else { throw ALSAError(code: ENOMEM, call: "open mixer") }
        unsafe handle = opened
        try ALSAError.check("open mixer \(name)", unsafe snd_mixer_attach(handle, name))
        try ALSAError.check("snd_mixer_selem_register", unsafe snd_mixer_selem_register(handle, nil, nil))
        try ALSAError.check("load mixer \(name)", unsafe snd_mixer_load(handle))
    }

    deinit { unsafe snd_mixer_close(handle) }

    /// Names of the simple elements with a playback volume.
    public var names: [String] { unsafe elements.keys.sorted() }

    /// Not stored, because `update` frees elements that the card no longer has.
    private var elements: [String: OpaquePointer] {
        var (found, next) = unsafe ([String: OpaquePointer](), snd_mixer_first_elem(handle))
        while let element = unsafe next {
            let hasVolume = unsafe snd_mixer_selem_has_playback_volume(element) == 1
            if hasVolume { unsafe found[String(cString: snd_mixer_selem_get_name(element))] = element }
            unsafe next = snd_mixer_elem_next(element)
        }
        return unsafe found
    }

    /// The volume of an element in percent, 0 if muted; nil if the card does not have the element.
    public func volume(of name: String) -> Int? {
        guard let element = unsafe elements[name] else { return nil }
        let scale = unsafe VolumeScale(element)
        let read = unsafe scale.isDecibels ? snd_mixer_selem_get_playback_dB : snd_mixer_selem_get_playback_volume
        var (value, isOn): (Int, Int32) = (0, 1)
        _ = unsafe read(element, SND_MIXER_SCHN_FRONT_LEFT, &value)
        unsafe snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &isOn)
        return isOn == 0 ? 0 : scale.percent(value)
    }

    /// Sets the volume of an element in percent, for all channels; mutes at 0 if the element can.
    public func setVolume(_ percent: Int, of name: String) throws(ALSAError) {
        guard let element = unsafe elements[name] else { return }
        let scale = unsafe VolumeScale(element)
        let result =
            unsafe scale.isDecibels
            ? snd_mixer_selem_set_playback_dB_all(element, scale.value(percent), 0)
            : snd_mixer_selem_set_playback_volume_all(element, scale.value(percent))
        try ALSAError.check("set \(name)", result)
        unsafe snd_mixer_selem_set_playback_switch_all(element, percent > 0 ? 1 : 0)
    }

    /// For poll(2): readable when another program has changed something, or the card is gone.
    public var descriptors: [Int32] {
        var polled = [pollfd](repeating: pollfd(), count: 8)
        return polled[..<max(0, Int(unsafe snd_mixer_poll_descriptors(handle, &polled, 8)))].map(\.fd)
    }

    /// Reads what other programs have changed; fails if the card is gone.
    public func update() throws(ALSAError) {
        try ALSAError.check("snd_mixer_handle_events", unsafe snd_mixer_handle_events(handle))
    }
}

/// What the values of an element mean in percent. Decibels follow the cube, as in alsamixer: equal steps sound equally large.
private struct VolumeScale {
    /// In hundredths of a decibel, or in steps of unknown size.
    private var (low, high) = (0, 0)
    let isDecibels: Bool

    init(_ element: OpaquePointer) {
        unsafe isDecibels = snd_mixer_selem_get_playback_dB_range(element, &low, &high) == 0 && low < high
        if !isDecibels { unsafe snd_mixer_selem_get_playback_volume_range(element, &low, &high) }
    }

    /// A value as a share of the highest.
    private func share(_ value: Int) -> Double {
        isDecibels ? pow(10, Double(value - high) / 6000) : Double(value - low) / Double(max(1, high - low))
    }

    func percent(_ value: Int) -> Int { Int(((share(value) - share(low)) / (1 - share(low)) * 100).rounded()) }

    func value(_ percent: Int) -> Int {
        let share = share(low) + Double(percent) / 100 * (1 - share(low))
        let above = isDecibels ? 6000 * log10(max(share, 1e-9)) + Double(high - low) : share * Double(high - low)
        return low + max(0, Int(above.rounded()))
    }
}
