internal import ControlLanguage
internal import ControlProtocol

/// Answers `status.get`. The connection answers the other commands of the section.
extension DaemonParts {
    var statusAnswers: [AnsweredCommand] {
        [.atOnce(get), .ofConnection(SubscribeStatus.self), .ofConnection(UnsubscribeStatus.self)]
    }

    private func get(_ request: GetStatus) -> StatusReply { status.status }
}
