public import ControlLanguage

/// A sink.
public struct OutputReply: ReplyObject {
    /// Its name.
    public var name = ""
    /// What it is, without secrets: `alsa:default`.
    public var specification = ""
    /// Whether it is switched on.
    public var isEnabled = false

    /// An output of which nothing is known.
    public init() {}

    /// An output.
    public init(name: String, specification: String, isEnabled: Bool) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
    }

    /// Its name in the manual.
    public static let objectName = "Output"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "Its name.")
        members.declare("specification", &specification, "What it is: `alsa:default`.")
        members.declare("enabled", &isEnabled, "Whether it is switched on.")
    }
}

/// What `outputs.list` answers.
public struct OutputListReply: ReplyObject {
    /// All sinks.
    public var outputs: [OutputReply] = []

    /// An empty list.
    public init() {}
    /// A list.
    public init(_ outputs: [OutputReply]) { self.outputs = outputs }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("outputs", &outputs) }
}
