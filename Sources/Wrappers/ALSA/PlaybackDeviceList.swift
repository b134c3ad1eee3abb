internal import CALSA
internal import Glibc

/// A device in ALSA's configuration.
public struct PlaybackDeviceHint: Equatable, Sendable {
    /// For `PlaybackDevice(opening:)`.
    public var name: String
    var description: String

    /// All playback devices: snd_device_name_hint(3). Reads ALSA's configuration and queries the cards; slow.
    public static func all() -> [PlaybackDeviceHint] {
        shim_alsa_silence()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let hints = unsafe hints else { return [] }
        defer { unsafe snd_device_name_free_hint(hints) }
        var devices: [PlaybackDeviceHint] = []
        var index = 0
        while let hint = unsafe hints[index] {
            index += 1
            guard let name = unsafe text(of: hint, "NAME"), unsafe text(of: hint, "IOID") != "Input" else { continue }
            let description = unsafe text(of: hint, "DESC") ?? ""
            devices.append(
                PlaybackDeviceHint(
                    name: name, description: description.split(separator: "\n").joined(separator: ", ")))
        }
        return devices
    }

    private static func text(of hint: UnsafeRawPointer, _ key: String) -> String? {
        guard let value = unsafe snd_device_name_get_hint(hint, key) else { return nil }
        defer { unsafe free(value) }
        return unsafe String(cString: value)
    }
}
