internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension GetPicture: CommandVerb {
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        let view = try line.connect()
        guard line.isForProgram || view.terminal.width == nil else {
            throw ToolFailure(.usage, "a picture is not printed on a terminal", hint: "redirect it: > cover.jpg")
        }
        return try answer(command, view)
    }

    static func show(_ reply: PictureReply, _ view: View) throws(ToolFailure) {
        guard let bytes = Base64.bytes(of: reply.data) else {
            throw ToolFailure(.protocolFault, "the picture cannot be read")
        }
        try view.output.write(contentsOf: bytes)
    }
}
