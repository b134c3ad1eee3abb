public import AudioOutput
public import Reporting

/// Whether the configured output and the sound cards can be used.
public struct OutputChecks {
    /// Devices that are checked at most.
    private static let maximumDevices = 16

    private let inspector: any OutputInspecting
    private let specification: OutputSpecification
    private let isInUse: Bool

    /// - Parameters:
    ///   - inspector: checks devices.
    ///   - specification: the configured output.
    ///   - isInUse: whether this daemon may have the output open now.
    public init(inspector: any OutputInspecting, specification: OutputSpecification, isInUse: Bool) {
        self.inspector = inspector
        self.specification = specification
        self.isInUse = isInUse
    }

    /// Whether the configured output could be used now.
    public var output: Finding {
        let output = specification.name
        // Opening the device a second time would report it as busy.
        let readers =
            if case .fifo = specification.kind { "; podcastd plays whether or not a program reads it" } else { "" }
        if isInUse { return .ok("\(output) is in use by podcastd\(readers)") }
        switch inspector.condition(of: specification) {
        case .usable:
            return .ok(output == "null" ? "null: plays silently, as configured" : "\(output) is available\(readers)")
        case .busy:
            return .problem("\(output) is in use by another program", fix: "find it: fuser -v /dev/snd/*")
        case .forbidden(let what):
            let isDevice = output.hasPrefix("alsa:")
            let isPipe = output.hasPrefix("fifo:")
            return .problem(
                "podcastd has no permission to use \(what)",
                fix: isDevice
                    ? "add podcastd's user to the group audio, then restart podcastd"
                    : "give podcastd's user \(isPipe ? "read and " : "")write permission; a unit also needs the folder in ReadWritePaths=: "
                        + "systemctl edit podcastd")
        case .missing:
            if inspector.devices().isEmpty {
                return .problem(
                    "unknown device \(output); this machine has no sound card",
                    fix: "connect one, or play without sound: write 'sink = null' below [output] in podcastd.conf, "
                        + "or start podcastd with --output null")
            }
            return .problem(
                "unknown device \(output)",
                fix: "write 'sink = alsa:DEVICE' below [output] in podcastd.conf, with a device listed by 'aplay -L'")
        case .unreachable:
            return .problem(
                "the sound server of \(output) does not answer",
                fix: "systemctl --user restart pipewire-pulse, or pulseaudio --start")
        case .unreadable(let path):
            return .problem("other users have no permission to read \(path)", fix: "chmod go+r \(path)")
        case .unusable(let words):
            return .problem("\(output): \(words)", fix: "repair it, or set another output.sink in podcastd.conf")
        }
    }

    /// The sound cards, and which of them other programs use.
    public var devices: Finding {
        let found = inspector.devices().prefix(Self.maximumDevices)
        guard !found.isEmpty else { return .ok("none") }
        var busy: [String] = []
        var forbidden: [String] = []
        for device in found {
            switch inspector.condition(of: OutputSpecification(.alsa, device)) {
            case .unusable(.inUse, _, _): busy.append(device)
            case .unusable(.forbidden, _, _): forbidden.append(device)
            case .usable, .unusable(.other, _, _): break
            }
        }
        if forbidden.count == found.count {
            return .notice(
                "podcastd has no permission to use any of \(found.count): \(forbidden[0])",
                fix: "add podcastd's user to the group audio, then restart podcastd")
        }
        let inUse = busy.isEmpty ? "" : "; in use: \(busy.joined(separator: ", "))"
        return .ok("\(found.count) found, for example \(found[0])\(inUse)")
    }
}
