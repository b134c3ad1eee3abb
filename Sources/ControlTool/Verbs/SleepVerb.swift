internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension SetSleepTimer: CommandVerb {
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetSleepTimer {
        var command = try SetSleepTimer(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        if let when = command.when, SleepRequest.said(when, episodes: command.episodes) == nil {
            throw ToolFailure(
                .usage,
                command.episodes == nil || when == "end-of-episode"
                    ? "WHEN is a number of minutes, a time up to 24 hours such as 1h30m or +10m, a time of day such as 23:30, "
                        + "end-of-episode, end-of-chapter or off, not '\(SafeText.line(when))'"
                    : "EPISODES needs end-of-episode, not '\(SafeText.line(when))'")
        }
        command.when = command.when.map(SleepRequest.sent)
        return command
    }

    static func isQuery(_ line: CommandLineUse) -> Bool { line.parsed.positionals.isEmpty }

    static func show(_ reply: SleepReply, _ view: View) throws(ToolFailure) {
        try view.line("sleep timer: \(reply.sleep.map(StatusText.sleep) ?? "off")")
    }
}
