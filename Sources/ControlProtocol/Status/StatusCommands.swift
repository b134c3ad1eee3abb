public import ControlLanguage

extension CommandSection {
    public static let status = CommandSection(
        "status", [GetStatus.self, SubscribeStatus.self])
}

public struct GetStatus: Command {
    public static let form = CommandForm<StatusReply>(
        "status.get", "Show what is playing and what the daemon is doing.", .read, verb: "status")
    public init() {}
}
