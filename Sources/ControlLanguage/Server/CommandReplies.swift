internal import JSON
public import PodcastModel

/// All commands, in the manual's order.
public typealias CommandListReply = ListReply<CommandReply>

public struct CommandReply: RowReply {
    public var name = ""
    var section: String?
    var help = ""
    public var parameters: [ParameterDeclaration] = []
    var result = ""
    public var permission = CommandDeclaration.Permission.read
    public var isLong = false
    public var commandLine: String?

    public init() {}

    public init(_ declaration: CommandDeclaration) {
        name = declaration.name
        section = declaration.section
        help = declaration.summary
        parameters = declaration.parameters
        result = declaration.result
        permission = declaration.permission
        isLong = declaration.isLong
        commandLine = declaration.commandLine?.words.joinedText(" ")
    }

    public static let rowsMember = "commands"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "`section.verb`.")
        members.declare("section", &section, "The part of the daemon that answers the command.")
        members.declare("help", &help, "What the command does.")
        members.declare("parameters", &parameters, "Parameters in command-line order.")
        members.declare("result", &result, "The reply, by its name or its members.")
        members.declare("permission", &permission, "read, control or admin.")
        members.declare("long", &isLong, "True if replies to later commands may overtake the reply to this command.")
        members.declareIfAny(
            "commandLine", &commandLine,
            "The verb of `podcastctl`; left out if `podcastctl` has no verb for the command.")
    }
}

/// A parameter, as `server.commands` lists it: without its spelling.
extension ParameterDeclaration: ReplyObject {
    public init() { self.init(name: "", kind: .string, isRequired: false, help: "", spelling: .wireOnly) }

    public static let objectName = "Parameter"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "The parameter's name in `params`.")
        kind.declareMembers(&members)
        members.declare("required", &isRequired, "Whether it must be given.")
        members.declareIfAny("default", &defaultValue, "Value of a missing parameter.")
        members.declare("help", &help, "What it means.")
    }
}

/// A value's type and its bounds, if any.
extension ValueKind: ReplyObject {
    public static let objectName = "Type"
    public init() { self = .string }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("type", &syntax, "Such as string, choice, integer, flag, duration or list.")
        members.declareIfAny("maximumBytes", &maximumBytes, "The longest text in UTF-8 (default: 4096).")
        members.declareIfAny("choices", &choices, "Words to choose from, or instead of a number.")
        members.declareIfAny(
            "minimum", number: &minimum, "The lowest number; of seconds if it is a time, of bytes if it is a size.")
        members.declareIfAny("maximum", number: &maximum, "The highest number.")
        members.declareIfAny("step", number: &step, "The usual distance between two numbers.")
        members.declareIfAny("unit", &unit, "The unit of its numbers: `%`, `x`, `s`, `ms`, `dB` or `LUFS`.")
        var element = elements.first
        members.declareIfAny("of", &element, "The type of a list's elements; a list has at most 1000 of them.")
        elements = element.map { [$0] } ?? []
    }
}

extension ValueKind.Syntax: WireScalar {}

extension MemberExchange {
    /// A number that is written without a fraction if it is whole, and omitted if it is nil.
    fileprivate mutating func declareIfAny(_ name: String, number: inout Double?, _ help: String) {
        var json = number.map { Int64(exactly: $0).map(JSONValue.integer) ?? .number($0) }
        declareIfAny(name, &json, help)
        number = json?.numberValue
    }
}
