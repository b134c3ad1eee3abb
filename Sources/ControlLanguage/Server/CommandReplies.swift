public import JSON

public struct CommandListReply: ReplyObject {
    /// All commands, in the manual's order.
    public var commands: [CommandReply] = []

    public init() {}
    public init(_ commands: [CommandReply]) { self.commands = commands }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("commands", &commands) }
}

/// A command that the server knows.
public struct CommandReply: ReplyObject {
    /// `section.verb`.
    public var name = ""
    /// The part of the daemon that answers the command.
    var section: String?
    var help = ""
    /// Parameters in command-line order.
    public var parameters: [ParameterReply] = []
    var result = ""
    public var permission = CommandDeclaration.Permission.read
    /// True if replies to later commands may overtake the reply to this command.
    public var isLong = false
    /// The verb of `podcastctl`; nil if `podcastctl` has no verb for the command.
    public var commandLine: String?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        members.declare("section", &section)
        members.declare("help", &help)
        members.declare("parameters", &parameters)
        members.declare("result", &result)
        members.declare("permission", &permission)
        members.declare("long", &isLong)
        members.declareIfAny("commandLine", &commandLine)
    }
}

/// A parameter of a command.
public struct ParameterReply: ReplyObject {
    /// The parameter's name in `params`.
    public var name = ""
    public var type = TypeReply()
    public var isRequired = false
    /// Value of a missing parameter.
    var defaultValue: JSONValue?
    var help = ""

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        type.declareMembers(&members)
        members.declare("required", &isRequired)
        members.declareIfAny("default", &defaultValue)
        members.declare("help", &help)
    }
}

/// A parameter's type and its bounds, if any.
public struct TypeReply: ReplyObject {
    /// string, choice, integer, number, time, flag, what, list or object.
    public var name = ""
    public var maximumBytes: Int?
    public var choices: [String] = []
    public var minimum: JSONValue?
    public var maximum: JSONValue?
    /// For a setting: usual distance between two values.
    public var step: JSONValue?
    public var unit: String?
    /// The element type of a list, as the only element; empty for other types.
    public var elements: [TypeReply] = []
    var maximumCount: Int?

    public static let objectName = "Type"
    public init() {}
    public init(_ name: String) { self.name = name }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("type", &name)
        members.declareIfAny("maximumBytes", &maximumBytes)
        members.declareIfAny("choices", &choices)
        members.declareIfAny("minimum", &minimum)
        members.declareIfAny("maximum", &maximum)
        var element = elements.first
        members.declareIfAny("of", &element)
        elements = element.map { [$0] } ?? []
        members.declareIfAny("maximumCount", &maximumCount)
    }
}
