internal import AudioOutput
internal import ControlLanguage
internal import ControlProtocol
internal import SavedSession
internal import SerialThreads
internal import WireMapping

/// Answers `outputs`.
struct OutputsHandler: CommandHandler {
    let decisions: DecisionThread
    let outputs: OutputSwitch
    let session: SessionFile
    let changes: ChangeBoard

    var answers: [AnsweredCommand] {
        OutputsSection.commands.answered(by: .atOnce(list), decisions.answer(enable), decisions.answer(disable))
    }

    private func list(_ request: ListOutputs) -> OutputListReply { OutputListReply(outputs.replies) }

    private func enable(_ request: EnableOutput) async throws -> OutputReply {
        try await turn(request.name, on: true)
    }

    private func disable(_ request: DisableOutput) async throws -> OutputReply {
        try await turn(request.name, on: false)
    }

    private func turn(_ name: String, on: Bool) async throws -> OutputReply {
        guard let output = outputs.set(name, on: on) else {
            throw ControlError(.notFound, "no output matches '\(name)'", hint: "podcastctl outputs lists them")
        }
        changes.changed(.outputs)
        try? await session.keep { session in
            session.disabledOutputs.removeAll { $0 == name }
            if !on { session.disabledOutputs.append(name) }
        }
        return OutputReply(output)
    }
}
