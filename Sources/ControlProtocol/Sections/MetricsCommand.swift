/// The daemon's figures of itself.
public enum MetricsCommand: String, SectionCommands {
    /// Reads all.
    case get
    /// Reads a few.
    case figures

    /// The section.
    public static let section = CommandDeclaration.Section.metrics

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .get:
            declared(
                "Print the daemon's figures of itself as OpenMetrics text, for monitoring.",
                result: "`metrics`: `Metric` objects", .read,
                commandLine: CommandLineForm(["metrics"], group: "System"))
        case .figures:
            declared(
                "Show the few of the metrics that a person looks at first; `podcastctl status --figures` does.",
                result: "a `Figures` object", .read)
        }
    }
}
