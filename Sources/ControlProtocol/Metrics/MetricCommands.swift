public import ControlLanguage
public import JSON

extension CommandSection {
    /// The daemon's measurements of itself.
    public static let metrics = CommandSection("metrics", [GetMetrics.self])
}

public struct GetMetrics: Command {
    public static let form = CommandForm<Self, MetricListReply>(
        Self(), "metrics.get", "Print metrics in OpenMetrics format, for monitoring.", .read, verb: "metrics")
}

public struct MetricReply: RowReply {
    public var name = ""
    public var kind = ""
    public var unit: String?
    public var help = ""
    public var samples: [MetricSampleReply] = []

    public init() {}
    public static let rowsMember = "metrics"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "The family's name; METRICS.md lists them.")
        members.declare("kind", &kind, "`counter`, `gauge` or `info`.")
        members.declare("unit", &unit, "`seconds` or `bytes`; null for plain numbers.")
        members.declare("help", &help, "One line of help.")
        members.declare("samples", &samples, "`suffix` of the name, `labels` (an object), and `value`.")
    }
}

/// A value of a metric, with its labels.
public struct MetricSampleReply: ReplyObject {
    var suffix = ""
    var labels: JSONValue = .object([])
    var value = 0.0

    public init() {}

    public init(_ value: Double, suffix: String = "", labels: [JSONValue.Member] = []) {
        self.value = value
        self.suffix = suffix
        self.labels = .object(labels)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("suffix", &suffix, "What follows the name of the metric, such as `_total`.")
        members.declare("labels", &labels, "An object of texts that tell it from the others.")
        members.require("value", &value)
    }
}

public typealias MetricListReply = ListReply<MetricReply>
