public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let outputs = CommandSection(
        "outputs",
        [
            ListOutputs.self, EnableOutput.self, DisableOutput.self, PlayOnOutput.self, SetOutputVolume.self,
            SetOutputDelay.self, AddOutput.self, RemoveOutput.self, FindOutputs.self,
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
        parameters.requireOutput(&name)
    }
}

public struct DisableOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.disable", "Disable an output.", .control, verb: "output disable")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireOutput(&name)
    }
}

public struct PlayOnOutput: Command {
    public var name = ""

    public static let form = CommandForm<Self, OutputReply>(
        Self(), "outputs.only", "Play on this output and on no other one.", .control, verb: "output only")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireOutput(&name)
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
        parameters.requireOutput(&name)
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
        parameters.requireOutput(&name)
        parameters.require(
            "delay", &delay, help: "A time of at most a second with its unit: `80ms` or `0.5s`; `-80ms` is earlier."
        )
    }
}

extension ParameterExchange {
    fileprivate mutating func requireOutput(_ name: inout String) {
        require("name", &name, .string.offering(.output), help: "The output's name, or that of a group.")
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
                "Its kind and device: `pulse` or `pulse:DEVICE`, `alsa:DEVICE`, `snapcast:HOST`, `upnp:NAME`, `icecast:HOST/MOUNT`, "
                + "`http` for browsers and radios, or `null` for no sound. Kinds that start programs or write files come from podcastd.conf."
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

/// Looks for devices that outputs could use.
public struct FindOutputs: Command {
    public static let form = CommandForm<Self, FoundOutputsReply>(
        Self(), "outputs.find",
        "Look for sinks of the sound server, sound cards, UPnP renderers and snapservers, for about 3 seconds.", .admin,
        isLong: true)
}

public struct FoundOutputsReply: ReplyObject {
    public static let objectName = "object"
    public var found: [FoundOutput] = []
    public var failures: [String] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("found", &found, "The devices.")
        members.declare("failures", &failures, "Why a kind of device could not be looked for, each in one line.")
    }
}

public struct FoundOutput: ReplyObject {
    public var title = ""
    public var name = ""
    public var specification = ""
    public var output: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("title", &title, "The device's name for people.")
        members.declare("name", &name, "A name for its output.")
        members.declare("specification", &specification, "For `outputs.add`: `upnp:Living Room`.")
        members.declareIfAny("output", &output, "The output that uses the device already.")
    }
}

public typealias OutputReply = OutputState

extension OutputPhase: WireScalar {}

extension OutputSetup: ReplyObject {
    public init() { self.init("") }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "Its name.")
        var given = specification.nonEmpty
        members.declareIfAny("specification", &given, "Its kind, device and options: `alsa:default`.")
        specification = given ?? ""
        members.declare("enabled", &isEnabled, "Whether it is enabled.")
        members.declare("volume", &volume, "Its volume in percent, beside that of all.")
        members.declare("delay", &delay, "Milliseconds by which it is heard later than the others.")
        volume = min(max(volume, 0), 100)
        delay = min(max(delay, Self.delays.lowerBound), Self.delays.upperBound)
    }
}

extension OutputState: RowReply {
    public static let objectName = "Output"
    public static let rowsMember = "outputs"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        var kind = kind
        setup.declareMembers(&members)
        members.declare("kind", &kind, "Its kind: `alsa`.")
        members.declare("state", &phase, "idle (also while it is disabled), opening, ready or failed.")
        members.declare(
            "format", &format, "While its device is open, frames per second, sample type and channels: `48000:s16:2`.")
        members.declare(
            "atSpeedOne", &isAtSpeedOne, "Whether it plays at speed 1, whatever the speed is: a player in the network.")
        members.declare("reason", &reason, "Why it does not play although it should.")
    }
}

public typealias OutputListReply = ListReply<OutputReply>
