internal import ControlLanguage
internal import ControlProtocol

/// Answers `status.get`. The connection answers the other commands of the section.
struct StatusHandler: CommandHandler {
    let status: StatusBoard

    var answers: [AnsweredCommand] {
        StatusSection.commands.answered(by: .atOnce(get), .ofConnection, .ofConnection)
    }

    private func get(_ request: GetStatus) -> StatusReply { status.status }
}
