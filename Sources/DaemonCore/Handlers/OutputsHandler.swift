internal import AudioOutput
internal import ControlLanguage
internal import ControlProtocol
internal import WireMapping

/// Answers `outputs`.
struct OutputsHandler: CommandHandler {
    let outputs: OutputSwitch
    let changes: ChangeBoard

    var answers: [AnsweredCommand] {
        OutputsSection.commands.answered(by: .atOnce(list), .atOnce(enable), .atOnce(disable))
    }

    private func list(_ request: ListOutputs) -> OutputListReply { OutputListReply(outputs.replies) }

    private func enable(_ request: EnableOutput) throws(ControlError) -> OutputReply {
        try turn(request.name, on: true)
    }

    private func disable(_ request: DisableOutput) throws(ControlError) -> OutputReply {
        try turn(request.name, on: false)
    }

    private func turn(_ name: String, on: Bool) throws(ControlError) -> OutputReply {
        guard let output = outputs.set(name, on: on) else {
            throw ControlError(.notFound, "unknown output \(name)", hint: "podcastctl outputs lists them")
        }
        changes.changed(.outputs)
        return OutputReply(output)
    }
}
