internal import ControlProtocol
internal import Health

/// Answers `doctor`. Nothing of it happens on the server's thread or the one that decides.
struct DoctorHandler: CommandHandler {
    let runner: CheckRunner

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: DoctorCommand.self) {
        case .run?:
            .later { [runner] completion in
                runner.run { findings in
                    completion.finish(.success(CheckListReply(findings.map { CheckReply($0) }).json))
                }
            }
        case nil: .error(.unknownCommand(call.declaration.name))
        }
    }
}
