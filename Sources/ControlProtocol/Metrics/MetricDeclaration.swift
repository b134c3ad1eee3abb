/// What a metric is, by the words of OpenMetrics 1.0.
public struct MetricDeclaration: Equatable, Sendable {
    /// How its samples behave.
    public enum Kind: String, Sendable {
        /// Rises from 0 at the daemon's start; the sample ends in `_total`.
        case counter
        /// Goes up and down.
        case gauge
        /// Durations counted in buckets; the samples end in `_bucket`, `_count` and `_sum`.
        case histogram
        /// Text about the daemon in labels; the sample ends in `_info`.
        case info
    }

    /// A unit of OpenMetrics; it is the end of the name.
    public enum Unit: String, Sendable {
        case seconds
        case bytes
    }

    /// A label and what it may be.
    public struct Label: Equatable, Sendable {
        public var name: String
        /// Its values, or what they are.
        public var help: String
    }

    /// The family's name, without the sample's ending.
    public var name: String
    /// How its samples behave.
    public var kind: Kind
    /// What it is measured in; nil for numbers of things.
    public var unit: Unit?
    /// The label by which its samples differ.
    public var label: Label?
    public var help: String

    init(
        _ name: String, _ kind: Kind, in unit: Unit? = nil, label: Label? = nil, _ help: String
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.label = label
        self.help = help
    }
}
