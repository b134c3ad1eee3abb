internal import ControlProtocol
internal import JSON

/// Answers `outputs`.
struct OutputsHandler: CommandHandler {
    let outputs: OutputSwitch
    let status: StatusBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        let name = call.parameters.text("name") ?? ""
        switch call.command(of: OutputsCommand.self) {
        case .list?: return .value(["outputs": outputs.value])
        case .enable?: return switched(name, on: true)
        case .disable?: return switched(name, on: false)
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func switched(_ name: String, on: Bool) -> CommandAnswer {
        guard let answer = outputs.set(name, on: on) else {
            return .error(
                ControlError(.notFound, "no output is called \(name)", hint: "podcastctl outputs lists them"))
        }
        status.changed(.outputs)
        return .value(answer)
    }
}
