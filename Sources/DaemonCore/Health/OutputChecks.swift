internal import AudioOutput
internal import PodcastModel
internal import Reporting

enum OutputChecks {
    /// Judges the outputs that are enabled.
    /// - Parameter condition: opens the device for a moment.
    static func outputs(
        _ outputs: [(setup: OutputSetup, phase: OutputPhase)], _ condition: (OutputSpecification) -> OutputCondition
    ) -> Finding {
        let enabled = outputs.filter(\.setup.isEnabled)
        let findings = enabled.map { output(named($0.setup), $0.setup.specification, $0.phase, condition) }
        if findings.isEmpty { return .notice("no output is enabled", fix: "podcastctl output enable NAME") }
        return findings.first { $0.severity == .problem }
            ?? .ok(findings.map(\.text).joined(separator: "; "))
    }

    private static func named(_ setup: OutputSetup) -> String {
        let what = setup.specification.name
        return setup.name == what ? what : "\(setup.name) (\(what))"
    }

    private static func output(
        _ name: String, _ specification: OutputSpecification, _ phase: OutputPhase,
        _ condition: (OutputSpecification) -> OutputCondition
    ) -> Finding {
        let note = specification.kind.note.map { "; \($0)" } ?? ""
        // Opening the device a second time would report it as in use.
        if phase == .ready || phase == .opening { return .ok("\(name) is in use by podcastd\(note)") }
        return switch condition(specification) {
        case .usable: .ok("\(name) is available\(note)")
        case .unusable(_, let cause, let fix): .problem("\(name): \(cause)", fix: fix)
        }
    }

    static func cards(_ found: [(card: String, condition: OutputCondition)]) -> Finding {
        func cards(_ obstacle: OutputCondition.Obstacle) -> [String] {
            found.filter { if case .unusable(obstacle, _, _) = $0.condition { true } else { false } }.map(\.card)
        }
        guard let first = found.first?.card else { return .ok("none") }
        if cards(.forbidden).count == found.count {
            return .notice(
                "podcastd has no permission to use any of \(found.count): \(first)",
                fix: "add podcastd's user to the group audio, then restart podcastd")
        }
        let busy = cards(.inUse)
        let inUse = busy.isEmpty ? "" : "; in use: \(busy.joined(separator: ", "))"
        return .ok("\(found.count) found: \(found.map(\.card).joined(separator: ", "))\(inUse)")
    }
}
