/// The status and its parts.
public enum StatusSection {
    /// The commands, in the order of the manual.
    public static let commands = CommandList(GetStatus.self, SubscribeStatus.self, UnsubscribeStatus.self)

    fileprivate static let parts = "Which; all unless given."
}

/// Reads the whole status.
public struct GetStatus: Command {
    /// The command's form.
    public static let form = CommandForm<StatusReply>(
        "status.get", "Show what is playing and what the daemon is doing.", result: "a `Status` object", .read,
        commandLine: CommandLineForm(["status"], group: "System"))
    /// A request.
    public init() {}
}

/// Begins to watch parts.
public struct SubscribeStatus: ConnectionCommand {
    /// Nil for all.
    public var parts: [StatusPart]?

    /// The command's form.
    public static let form = CommandForm<SnapshotReply>(
        "status.subscribe", "Watch parts of the status: the answer is a snapshot, then come `event` notifications.",
        result: "`seq`, and `parts` with the value of each part watched now", .read)
    /// A request.
    public init() {}
    /// Its parameters.
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("parts", &parts, help: StatusSection.parts)
    }
}

/// Stops watching parts.
public struct UnsubscribeStatus: ConnectionCommand {
    /// Nil for all.
    public var parts: [StatusPart]?

    /// The command's form.
    public static let form = CommandForm<WatchedReply>(
        "status.unsubscribe", "Watch parts no more.", result: "`parts`: names of those that are still watched", .read)
    /// A request.
    public init() {}
    /// Its parameters.
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("parts", &parts, help: StatusSection.parts)
    }
}

extension StatusPart: ParameterChoice {
    /// Its name.
    public var word: String { name }
}
