internal import AudioOutput
internal import ControlProtocol

/// Whether sound can get out.
struct OutputChecks {
    /// Cards' devices that are looked at; a machine with more has some that work.
    private static let maximumDevices = 16

    let inspector: any OutputInspecting
    /// The configured output.
    let specification: OutputSpecification
    /// Whether this daemon has the output open now, or may have.
    let isInUse: Bool

    /// The configured output, then the cards.
    var all: [CheckReply] { [output, devices] }

    /// Whether the configured output could be used now.
    var output: CheckReply {
        let name = "output"
        let output = specification.name
        // What plays is proof enough, and would be found busy.
        if isInUse { return .ok(name, "\(output) is in use by podcastd") }
        switch inspector.condition(of: specification) {
        case .usable:
            return .ok(name, output == "null" ? "null: nothing is heard, as configured" : "\(output) can be used")
        case .busy:
            return .needsPerson(
                name, "\(output) is in use by another program", fix: "see by which: fuser -v /dev/snd/*")
        case .forbidden(let what):
            let isDevice = output.hasPrefix("alsa:")
            return .needsPerson(
                name, "podcastd may not use \(what)",
                fix: isDevice
                    ? "add podcastd's user to the group audio, then restart podcastd"
                    : "let podcastd's user write it, and see ReadWritePaths= in docs/RUNNING.md")
        case .missing:
            return .needsPerson(name, "there is no device \(output)", fix: "choose one of aplay -L as output.sink")
        case .unreachable:
            return .needsPerson(
                name, "the sound server behind \(output) does not answer",
                fix: "systemctl --user restart pipewire-pulse, or pulseaudio --start")
        case .unreadable(let path):
            return .needsPerson(name, "no other user may read \(path)", fix: "chmod go+r \(path)")
        case .unusable(let words):
            return .needsPerson(
                name, "\(output): \(words)", fix: "mend it, or set another output.sink in podcastd.conf")
        }
    }

    /// Which cards there are, and which are free.
    var devices: CheckReply {
        let name = "sound cards"
        let found = inspector.devices().prefix(Self.maximumDevices)
        guard !found.isEmpty else { return .ok(name, "ALSA knows none") }
        var busy: [String] = []
        var forbidden: [String] = []
        for device in found {
            switch inspector.condition(of: OutputSpecification(.alsa(device: device))) {
            case .busy: busy.append(device)
            case .forbidden: forbidden.append(device)
            case .usable, .missing, .unreachable, .unreadable, .unusable: break
            }
        }
        if forbidden.count == found.count {
            return .notice(
                name, "podcastd may use none of \(found.count): \(forbidden[0])",
                fix: "add podcastd's user to the group audio, then restart podcastd")
        }
        let inUse = busy.isEmpty ? "" : "; in use: \(busy.joined(separator: ", "))"
        return .ok(name, "ALSA knows \(found.count), like \(found[0])\(inUse)")
    }
}
