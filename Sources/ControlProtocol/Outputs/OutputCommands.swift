public import ControlLanguage

extension CommandSection {
    public static let outputs = CommandSection(
        "outputs", [ListOutputs.self, EnableOutput.self, DisableOutput.self])
}

public struct ListOutputs: Command {
    public static let form = CommandForm<OutputListReply>(
        "outputs.list", "List the outputs.", result: "`outputs`: `Output` objects", .read,
        commandLine: CommandLineForm(["outputs"], group: "System"))
    public init() {}
}

/// Switches an output on.
public struct EnableOutput: Command {
    public var name = ""

    public static let form = CommandForm<OutputReply>(
        "outputs.enable", "Enable an output.", result: "an `Output` object", .control,
        commandLine: CommandLineForm(["output", "enable"], group: "System"))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: "The output's name.")
    }
}

/// Switches an output off.
public struct DisableOutput: Command {
    public var name = ""

    public static let form = CommandForm<OutputReply>(
        "outputs.disable", "Disable an output.", result: "an `Output` object", .control,
        commandLine: CommandLineForm(["output", "disable"], group: "System"))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: "The output's name.")
    }
}
