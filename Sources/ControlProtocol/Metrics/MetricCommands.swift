public import ControlLanguage

extension CommandSection {
    /// The daemon's measurements of itself.
    public static let metrics = CommandSection(
        "metrics", [GetMetrics.self, GetFigures.self])
}

public struct GetMetrics: Command {
    public static let form = CommandForm<MetricListReply>(
        "metrics.get", "Print metrics in OpenMetrics format, for monitoring.",
        result: "`metrics`: `Metric` objects", .read, commandLine: CommandLineForm(["metrics"], group: "System"))
    public init() {}
}

/// Reads the few metrics that `podcastctl status --stats` shows.
public struct GetFigures: Command {
    public static let form = CommandForm<FiguresReply>(
        "metrics.figures",
        "Show the most important metrics, as `podcastctl status --stats` does.",
        result: "a `Figures` object", .read)
    public init() {}
}
