internal import ControlProtocol

/// Answers `doctor`. Nothing of it happens on the server's thread or the one that decides.
struct DoctorHandler: CommandHandler {
    let rounds: CheckRounds

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: DoctorCommand.self) {
        case .run?:
            .later { [rounds] completion in
                rounds.run { completion.finish(.success(CheckListReply($0).json)) }
            }
        case nil: .error(.unknownCommand(call.declaration.name))
        }
    }
}
