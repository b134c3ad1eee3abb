public import ControlLanguage
public import PodcastModel

public typealias OutputReply = OutputState

extension OutputState: ReplyObject {
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
