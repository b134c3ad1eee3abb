internal import AudioOutput
internal import ControlLanguage
internal import ControlProtocol
internal import DaemonState
internal import Library
internal import PodcastModel
internal import SerialThreads

extension DaemonParts {
    var outputAnswers: [AnsweredCommand] {
        [.atOnce(list), decisions.answer(enable), decisions.answer(disable)]
    }

    private func list(_ request: ListOutputs) -> OutputListReply { OutputListReply(media.outputs.replies) }

    private func enable(_ request: EnableOutput) async throws -> OutputReply {
        try await turn(request.name, on: true)
    }

    private func disable(_ request: DisableOutput) async throws -> OutputReply {
        try await turn(request.name, on: false)
    }

    private func turn(_ name: String, on: Bool) async throws -> OutputReply {
        let wasOn = media.outputs.replies.first { $0.name == name }?.isEnabled ?? on
        guard let output = await session.turn(name, on: on, of: media.outputs, changes) else {
            throw ControlError(.notFound, "no output matches '\(name)'", hint: "podcastctl outputs lists them")
        }
        let key = FormerSettings.outputPrefix + name
        await settingChanges.record(key, key, from: wasOn ? "on" : "off", to: on ? "on" : "off", as: .set)
        return OutputReply(output)
    }
}
