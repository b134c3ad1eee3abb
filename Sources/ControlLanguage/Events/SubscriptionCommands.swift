/// Starts watching parts.
public struct SubscribeStatus: ConnectionCommand {
    public var parts: [StatusPart]?

    public static let form = CommandForm<SnapshotReply>(
        "status.subscribe", "Watch parts of the status: the answer is a snapshot, `event` notifications follow.",
        result: "`seq`, and `parts` with the value of each part watched now", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("parts", &parts, help: "Which parts (default: all).")
    }
}

public struct UnsubscribeStatus: ConnectionCommand {
    var parts: [StatusPart]?

    public static let form = CommandForm<WatchedReply>(
        "status.unsubscribe", "Stop watching parts.", result: "`parts`: names of those that are still watched", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("parts", &parts, help: "Which parts (default: all).")
    }
}
