public import JSON

public struct CommandListReply: ReplyObject {
    /// All commands, in the order of the manual.
    public var commands: [CommandReply] = []

    public init() {}
    public init(_ commands: [CommandReply]) { self.commands = commands }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("commands", &commands) }
}

/// A command that the server knows.
public struct CommandReply: ReplyObject {
    /// `section.verb`.
    public var name = ""
    /// The part of the daemon that answers.
    public var section: String?
    public var help = ""
    /// Parameters in the order in which a command line takes them.
    public var parameters: [ParameterReply] = []
    /// What comes back, in a line of words and member names.
    public var result = ""
    /// Who may call it.
    public var permission = CommandDeclaration.Permission.read
    /// Whether answers to later commands may overtake its own.
    public var isLong = false
    /// The words by which `podcastctl` spells it; nil when it has no verb of its own.
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
    /// Its name in `params`.
    public var name = ""
    /// What its value must be like.
    public var type = TypeReply()
    /// Whether a call without it is refused.
    public var isRequired = false
    /// What a call without it means.
    public var defaultValue: JSONValue?
    public var help = ""

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        type.declareMembers(&members)
        members.declare("required", &isRequired)
        members.declareIfAny("default", &defaultValue)
        members.declare("help", &help)
    }
}

/// A parameter's type and its bounds, as far as it has any.
public struct TypeReply: ReplyObject {
    /// string, choice, integer, number, time, flag, what, list or object.
    public var name = ""
    public var maximumBytes: Int?
    /// The words to choose from.
    public var choices: [String] = []
    public var minimum: JSONValue?
    public var maximum: JSONValue?
    /// Of a setting: the usual distance between two numbers.
    public var step: JSONValue?
    /// Of a setting: the unit of the setting's numbers.
    public var unit: String?
    /// The type of a list's elements: one, or none for what is no list.
    public var elements: [TypeReply] = []
    public var maximumCount: Int?

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
