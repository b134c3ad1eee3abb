internal import JSON
internal import PodcastModel

/// The text format of OpenMetrics 1.0, as monitoring systems read it.
public enum OpenMetrics {
    /// The document of some metrics, to its `# EOF`.
    public static func text(_ metrics: [MetricReply]) -> String {
        var text = ""
        for metric in metrics {
            text += "# TYPE \(metric.name) \(metric.kind)\n"
            if let unit = metric.unit { text += "# UNIT \(metric.name) \(unit)\n" }
            text += "# HELP \(metric.name) \(escaped(metric.help))\n"
            for sample in metric.samples {
                text += metric.name + sample.suffix + labels(sample) + " " + number(sample.value) + "\n"
            }
        }
        return text + "# EOF\n"
    }

    private static func labels(_ sample: MetricSampleReply) -> String {
        guard case .object(let members) = sample.labels, !members.isEmpty else { return "" }
        var text = "{"
        for member in members {
            if text.utf8.count > 1 { text += "," }
            text += "\(member.name)=\"\(escaped(member.value.stringValue ?? member.value.text))\""
        }
        return text + "}"
    }

    /// Whole numbers without a fraction, others as they are read back the same.
    static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
