internal import ControlLanguage
internal import ControlProtocol

/// Answers `status.get`. The connection answers the other commands of the section.
struct StatusHandler: CommandHandler {
    let status: StatusBoard

    var answers: [AnsweredCommand] {
        [.atOnce(get), .ofConnection(SubscribeStatus.self), .ofConnection(UnsubscribeStatus.self)]
    }

    private func get(_ request: GetStatus) -> StatusReply { status.status }
}
