public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let outputs = CommandSection(
        "outputs", [ListOutputs.self, EnableOutput.self, DisableOutput.self])
}

public struct ListOutputs: Command {
    public static let form = CommandForm<OutputListReply>(
        "outputs.list", "List the outputs.", .read, verb: "outputs")
    public init() {}
}

public struct EnableOutput: Command {
    public var name = ""

    public static let form = CommandForm<OutputReply>(
        "outputs.enable", "Enable an output.", .control, verb: "output enable")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: "The output's name.")
    }
}

public struct DisableOutput: Command {
    public var name = ""

    public static let form = CommandForm<OutputReply>(
        "outputs.disable", "Disable an output.", .control, verb: "output disable")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: "The output's name.")
    }
}

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
