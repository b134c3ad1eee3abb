internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

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
