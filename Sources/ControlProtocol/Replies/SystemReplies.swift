/// A sink.
public struct OutputReply: ReplyObject {
    /// Its name.
    public var name = ""
    /// What it is, without secrets: `alsa:default`.
    public var specification = ""
    /// Whether it is switched on.
    public var isEnabled = false

    /// An output of which nothing is known.
    public init() {}

    /// An output.
    public init(name: String, specification: String, isEnabled: Bool) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
    }

    /// Its name in the manual.
    public static let objectName = "Output"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "Its name.")
        members.declare("specification", &specification, "What it is: `alsa:default`.")
        members.declare("enabled", &isEnabled, "Whether it is switched on.")
    }
}

/// What `outputs.list` answers.
public struct OutputListReply: ReplyObject {
    /// All sinks.
    public var outputs: [OutputReply] = []

    /// An empty list.
    public init() {}
    /// A list.
    public init(_ outputs: [OutputReply]) { self.outputs = outputs }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("outputs", &outputs) }
}

/// A setting.
public struct SettingReply: ReplyObject {
    /// Its name.
    public var key = ""
    /// What it is now.
    public var value = ""
    /// What it is unless set.
    public var defaultValue = ""
    /// Where the value comes from: default, config, settings or command line.
    public var origin = ""
    /// Whether a change needs a restart.
    public var needsRestart = false
    /// Whether `settings.set` may change it; what can start programs or write files comes from the config alone.
    public var isClientSettable = false
    /// What it does.
    public var help = ""

    /// A setting of which nothing is known.
    public init() {}

    /// A setting.
    public init(
        key: String, value: String, defaultValue: String, origin: String, needsRestart: Bool, isClientSettable: Bool,
        help: String
    ) {
        self.key = key
        self.value = value
        self.defaultValue = defaultValue
        self.origin = origin
        self.needsRestart = needsRestart
        self.isClientSettable = isClientSettable
        self.help = help
    }

    /// Its name in the manual.
    public static let objectName = "Setting"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("key", &key, isRequired: true, "Its name.")
        members.declare("value", &value, "What it is now.")
        members.declare("default", &defaultValue, "What it is unless set.")
        members.declare("origin", &origin, "Where the value comes from: default, config, settings or command line.")
        members.declare("needsRestart", &needsRestart, "Whether a change waits for a restart.")
        members.declare("isClientSettable", &isClientSettable, "Whether `settings.set` may change it.")
        members.declare("help", &help, "What it does.")
    }
}

/// What `settings.list` answers.
public struct SettingListReply: ReplyObject {
    /// All settings.
    public var settings: [SettingReply] = []

    /// An empty list.
    public init() {}
    /// A list.
    public init(_ settings: [SettingReply]) { self.settings = settings }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("settings", &settings) }
}

/// What commands answer that have nothing to tell: an empty object.
public struct EmptyReply: ReplyObject {
    /// The object.
    public init() {}
    /// None.
    public mutating func declareMembers(_ members: inout MemberExchange) {}
}
