internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol

extension Announce: PlaybackVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        // Nothing but a file or a URL is announced.
        if !command.what.contains("://") { return try finish(try HandedFile.call(command, command.what, view), view) }
        return try finish(try view.wireAnswer(to: command, isLong: isLong), view)
    }
}
