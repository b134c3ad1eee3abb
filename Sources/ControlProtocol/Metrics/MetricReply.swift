public import ControlLanguage
public import JSON

/// A metric with its samples.
public struct MetricReply: ReplyObject {
    public var name = ""
    public var kind = ""
    public var unit: String?
    public var help = ""
    public var samples: [MetricSampleReply] = []

    public init() {}

    public static let objectName = "Metric"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "The family's name; METRICS.md lists them.")
        members.declare("kind", &kind, "`counter`, `gauge`, `histogram` or `info`.")
        members.declare("unit", &unit, "`seconds` or `bytes`; null for plain numbers.")
        members.declare("help", &help, "One line of help.")
        members.declare("samples", &samples, "`suffix` of the name, `labels` (an object), and `value`.")
    }
}

/// One figure of a metric.
public struct MetricSampleReply: ReplyObject {
    /// What follows the family's name: `_total`, `_bucket`.
    public var suffix = ""
    /// An object of texts that tell it from the others.
    public var labels: JSONValue = .object([])
    public var value = 0.0

    public init() {}

    public init(_ value: Double, suffix: String = "", labels: [JSONValue.Member] = []) {
        self.value = value
        self.suffix = suffix
        self.labels = .object(labels)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("suffix", &suffix)
        members.declare("labels", &labels)
        members.declare("value", &value, isRequired: true)
    }
}

public struct MetricListReply: ReplyObject {
    public var metrics: [MetricReply] = []

    public init() {}
    public init(_ metrics: [MetricReply]) { self.metrics = metrics }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("metrics", &metrics) }
}
