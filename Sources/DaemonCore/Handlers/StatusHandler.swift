internal import ControlProtocol
internal import WireMapping

/// Answers `status.get`; watching belongs to the connection.
struct StatusHandler: CommandHandler {
    let status: StatusBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: StatusCommand.self) {
        case .get?: .reply(status.status)
        case .subscribe?, .unsubscribe?, nil: .error(.unknownCommand(call.declaration.name))
        }
    }
}
