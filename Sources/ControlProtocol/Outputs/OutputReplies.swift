public import ControlLanguage

public struct OutputReply: ReplyObject {
    public var name = ""
    public var specification = ""
    public var isEnabled = false

    public init() {}

    public init(name: String, specification: String, isEnabled: Bool) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
    }

    public static let objectName = "Output"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "Its name.")
        members.declare("specification", &specification, "Its specification: `alsa:default`.")
        members.declare("enabled", &isEnabled, "Whether it is enabled.")
    }
}

public struct OutputListReply: ReplyObject {
    public var outputs: [OutputReply] = []

    public init() {}
    public init(_ outputs: [OutputReply]) { self.outputs = outputs }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("outputs", &outputs) }
}
