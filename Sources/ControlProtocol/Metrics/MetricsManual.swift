/// docs/METRICS.md, made from the declarations.
public enum MetricsManual {
    /// The document; ends with a line break.
    public static var markdown: String {
        var text = introduction
        for metric in Metric.allCases {
            let declaration = metric.declaration
            let label = declaration.label.map { "`\($0.name)`: \($0.help)" } ?? ""
            text += "| `\(declaration.name)` | \(declaration.kind.rawValue) | \(label) | \(declaration.help) |\n"
        }
        return text
    }

    private static let introduction = """
        # Metrics

        This page is made from the declarations in `Sources/ControlProtocol/Metrics`; a test fails when the two differ.

        `podcastctl metrics` prints them as OpenMetrics text, for a collector of text files or any scraper that runs a command;
        `podcastctl metrics --json` and the command `metrics.get` give the same figures as objects. Counters and histograms begin
        at 0 when the daemon starts. Samples of a counter end in `_total`, of a histogram in `_bucket`, `_count` and `_sum`, of an
        info in `_info`. Names end in their unit.

        | name | kind | label | |
        |---|---|---|---|

        """
}
