public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let outputs = CommandSection(
        "outputs",
        [
            ListOutputs.self, EnableOutput.self, DisableOutput.self, PlayOnOutput.self, SetOutputVolume.self,
            SetOutputDelay.self, AddOutput.self, RemoveOutput.self,
        ])
}

public struct ListOutputs: Command {
    public static let form = CommandForm<Self, OutputListReply>(
        Self(), "outputs.list", "List the outputs.", .read, verb: "outputs")
}

public struct EnableOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.enable", "Enable an output.", .control, verb: "output enable")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
    }
}

public struct DisableOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.disable", "Disable an output.", .control, verb: "output disable")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
    }
}

public struct PlayOnOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.only", "Play on this output and on no other one.", .control, verb: "output only")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
    }
}

public struct SetOutputVolume: Command {
    public var name = ""
    public var volume: Int?
    public var change: Int?

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.volume", "Set or change the volume of an output, beside that of all.", .control,
        verb: "output volume")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
        parameters.declare("volume", &volume, .integer(0...100), help: "Percent.")
        parameters.declare(
            "change", &change, .integer(-100...100),
            help: "Percent to add, or subtract if negative; not together with `volume`.")
    }
}

public struct SetOutputDelay: Command {
    public var name = ""
    public var delay = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.delay", "Play an output later than the others, or earlier.", .control, verb: "output delay")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
        parameters.require(
            "delay", &delay, help: "A time of at most a second with its unit: `80ms` or `0.5s`; `-80ms` is earlier."
        )
    }
}

public struct AddOutput: Command {
    public var name = ""
    public var specification = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.add", "Add an output.", .admin, verb: "output add")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, help: "A name for it.")
        parameters.require(
            "specification", &specification,
            help:
                "Its kind, and a device if it has one: `alsa:hw:1`. Kinds that start programs or write files come from podcastd.conf."
        )
    }
}

public struct RemoveOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.remove", "Remove an output that was added.", .admin, verb: "output remove")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, .string.offering(.output), help: "The output's name.")
    }
}

public typealias OutputReply = OutputState

extension OutputPhase: WireScalar {}

extension OutputState: RowReply {
    public static let objectName = "Output"
    public static let rowsMember = "outputs"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        var kind = kind
        members.require("name", &name, "Its name.")
        members.declare("kind", &kind, "Its kind: `alsa`.")
        members.declare("specification", &specification, "Its kind, device and options: `alsa:default`.")
        members.declare("enabled", &isEnabled, "Whether it is enabled.")
        members.declare("state", &phase, "idle (also while it is disabled), opening, ready or failed.")
        members.declare("volume", &volume, "Its volume in percent, beside that of all.")
        members.declare("delay", &delay, "Milliseconds by which it is heard later than the others.")
        members.declare(
            "format", &format, "While its device is open, frames per second, sample type and channels: `48000:s16:2`.")
        members.declare(
            "atSpeedOne", &isAtSpeedOne, "Whether it plays at speed 1, whatever the speed is: a player in the network.")
        members.declare("reason", &reason, "Why it does not play although it should.")
    }
}

public typealias OutputListReply = ListReply<OutputReply>
