internal import AudioOutput
internal import ControlProtocol
internal import WireMapping

/// Answers `outputs`.
struct OutputsHandler: CommandHandler {
    let outputs: OutputSwitch
    let changes: ChangeBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: OutputsCommand.self) {
        case .list?: return .reply(OutputListReply(outputs.replies))
        case .enable?: return switched(call.parameters, on: true)
        case .disable?: return switched(call.parameters, on: false)
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func switched(_ parameters: Parameters, on: Bool) -> CommandAnswer {
        let name = parameters.text(required: "name")
        guard let answer = outputs.set(name, on: on) else {
            return .error(
                ControlError(.notFound, "no output is called \(name)", hint: "podcastctl outputs lists them"))
        }
        changes.changed(.outputs)
        return .reply(OutputReply(answer))
    }
}
