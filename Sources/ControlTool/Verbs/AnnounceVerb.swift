internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol

extension Announce: PlaybackVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        // Nothing but a file or a URL is announced.
        let answer =
            command.what.contains("://")
            ? try view.wireAnswer(to: command, isLong: isLong) : try HandedFile.call(command, command.what, view)
        if let failure = try StartedSound.message.failure(view, isPatient: false) {
            _ = try line.printForProgram(answer, Reply.members)
            throw failure
        }
        return try finish(answer, view)
    }
}
