public import ControlLanguage

extension CommandSection {
    /// The daemon's measurements of itself.
    public static let metrics = CommandSection("metrics", [GetMetrics.self])
}

public struct GetMetrics: Command {
    public static let form = CommandForm<MetricListReply>(
        "metrics.get", "Print metrics in OpenMetrics format, for monitoring.",
        result: "`metrics`: `Metric` objects", .read, commandLine: CommandLineForm(["metrics"], group: "System"))
    public init() {}
}
