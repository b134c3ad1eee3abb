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

        `podcastctl metrics` prints metrics in OpenMetrics format, for example for the text file collector of a monitoring system.
        `podcastctl metrics --json` and the command `metrics.get` return the same values as JSON. Counters and histograms start at
        0 with the daemon. As in OpenMetrics, the samples of a counter end in `_total`, those of a histogram in `_bucket`,
        `_count` and `_sum`, and those of an info in `_info`; names end in their unit.

        | name | type | label | meaning |
        |---|---|---|---|

        """
}
