internal import AudioOutput
internal import Reporting

/// Whether the configured output and the sound cards can be used.
struct OutputChecks {
    /// Devices that are checked at most.
    private static let maximumDevices = 16

    let inspector: any OutputInspecting
    /// The configured output.
    let specification: OutputSpecification
    /// Whether this daemon may have the output open now.
    let isInUse: Bool

    /// Whether the configured output could be used now.
    var output: Finding {
        let output = specification.name
        let note = specification.kind.note.map { "; \($0)" } ?? ""
        // Opening the device a second time would report it as in use.
        if isInUse { return .ok("\(output) is in use by podcastd\(note)") }
        return switch inspector.condition(of: specification) {
        case .usable: .ok("\(output) is available\(note)")
        case .unusable(_, let cause, let fix): .problem("\(output): \(cause)", fix: fix)
        }
    }

    /// The sound cards, and which of them other programs use.
    var devices: Finding {
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
