internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension SetSleepTimer: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetSleepTimer {
        let command = try SetSleepTimer(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        if let when = command.when, SleepRequest(parsing: when, episodes: command.episodes) == nil {
            throw ToolFailure(
                .usage,
                command.episodes == nil || when == "end-of-episode"
                    ? "WHEN is a time up to 24 hours such as 30m, +10m, end-of-episode, end-of-chapter or off, "
                        + "not '\(SafeText.line(when))'"
                    : "EPISODES needs end-of-episode, not '\(SafeText.line(when))'")
        }
        return command
    }

    static func isQuery(_ line: CommandLineUse) -> Bool { line.parsed.positionals.isEmpty }

    static func show(_ reply: SleepReply, _ view: View) throws(ToolFailure) {
        try view.line("sleep timer: \(reply.sleep.map(StatusText.sleep) ?? "off")")
    }
}

extension StatusText {
    /// `29:30 left`, `at the end of the episode`, `after 3 episodes`, `fading out`.
    static func sleep(_ sleep: SleepTimerReply) -> String {
        if sleep.isFading { return "fading out" }
        switch sleep.end {
        case .time: return "\(sleep.remaining ?? .zero) left"
        case .chapter: return "at the end of the chapter"
        case .episode:
            let count = sleep.episodes ?? 1
            return count > 1 ? "after \(count) episodes" : "at the end of the episode"
        }
    }
}
