public import ControlLanguage

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
