internal import CALSA
internal import Glibc

extension PlaybackDevice {
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
