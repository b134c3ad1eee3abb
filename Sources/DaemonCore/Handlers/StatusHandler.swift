internal import ControlLanguage
internal import ControlProtocol
internal import WireMapping

/// Answers `status.get`; watching belongs to the connection.
struct StatusHandler: CommandHandler {
    let status: StatusBoard

    var answers: [AnsweredCommand] {
        StatusSection.commands.answered(by: .atOnce(get), .ofConnection, .ofConnection)
    }

    private func get(_ request: GetStatus) -> StatusReply { status.status }
}
