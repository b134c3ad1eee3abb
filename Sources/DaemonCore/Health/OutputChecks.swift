internal import AudioOutput
internal import Reporting

enum OutputChecks {
    /// Judges the configured output.
    ///
    /// - Parameters:
    ///   - isInUse: whether this daemon may have the output open now.
    ///   - condition: opens the device for a moment.
    static func output(
        _ specification: OutputSpecification, isInUse: Bool, _ condition: (OutputSpecification) -> OutputCondition
    ) -> Finding {
        let output = specification.name
        let note = specification.kind.note.map { "; \($0)" } ?? ""
        // Opening the device a second time would report it as in use.
        if isInUse { return .ok("\(output) is in use by podcastd\(note)") }
        return switch condition(specification) {
        case .usable: .ok("\(output) is available\(note)")
        case .unusable(_, let cause, let fix): .problem("\(output): \(cause)", fix: fix)
        }
    }

    /// Judges the sound cards.
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
        return .ok("\(found.count) found, for example \(first)\(inUse)")
    }
}
