public import ControlLanguage

public struct SettingReply: ReplyObject {
    public var key = ""
    public var label = ""
    public var value = ""
    public var active = ""
    public var defaultValue = ""
    public var origin = ""
    public var clientValue: String?
    public var needsRestart = false
    public var isWaiting = false
    public var isClientSettable = false
    public var note: String?
    public var help = ""
    /// What a value is like.
    public var type = TypeReply()

    public init() {}

    public static let objectName = "Setting"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("key", &key, isRequired: true, "Its name.")
        members.declare("label", &label, "Its name for people, without the section.")
        members.declare("value", &value, "The configured value.")
        members.declare(
            "active", &active, "The value in effect; differs while a change waits for a restart.")
        members.declare("default", &defaultValue, "The default.")
        members.declare("origin", &origin, "Where `value` comes from: default, config file, client or command line.")
        members.declare("clientValue", &clientValue, "The value set by clients, even if the command line overrides it.")
        members.declare("needsRestart", &needsRestart, "Whether a change needs a restart to take effect.")
        members.declare("isWaiting", &isWaiting, "Whether a change waits for a restart now.")
        members.declare("isClientSettable", &isClientSettable, "Whether `settings.set` may change it.")
        members.declare("note", &note, "When the configured value takes effect, if it is not in effect yet.")
        members.declare("help", &help, "What it does.")
        type.declareSettingMembers(
            &members,
            "text, path, choice, integer, flag (yes or no), duration, size, logLevels, speed or loudness (off, or LUFS)."
        )
    }
}

extension TypeReply {
    /// The members of a setting's type.
    mutating func declareSettingMembers(_ members: inout MemberExchange, _ kinds: String) {
        members.declare("type", &name, kinds)
        members.declareIfAny("choices", &choices, "The words to choose from.")
        members.declareIfAny(
            "minimum", &minimum,
            "The least number; of seconds if it is a time, duration or interval, of bytes if it is a size.")
        members.declareIfAny("maximum", &maximum, "The greatest number.")
        members.declareIfAny("step", &step, "The usual distance between two numbers.")
        members.declareIfAny("unit", &unit, "The unit of its numbers: `%`, `x`, `s`, `ms`, `dB` or `LUFS`.")
    }
}

public struct SettingListReply: ReplyObject {
    public var settings: [SettingReply] = []

    public init() {}
    public init(_ settings: [SettingReply]) { self.settings = settings }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("settings", &settings) }
}
