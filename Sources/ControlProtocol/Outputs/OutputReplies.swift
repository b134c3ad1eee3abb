public import ControlLanguage
public import PodcastModel

public typealias OutputReply = OutputState

extension OutputState: RowReply {
    public static let objectName = "Output"
    public static let rowsMember = "outputs"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "Its name.")
        members.declare("specification", &specification, "Its specification: `alsa:default`.")
        members.declare("enabled", &isEnabled, "Whether it is enabled.")
    }
}

public typealias OutputListReply = ListReply<OutputReply>
