public import JSON

/// A sink.
public struct OutputReply: ReplyObject {
    /// Its name.
    public var name: String
    /// What it is, without secrets: `alsa:default`.
    public var specification: String
    /// Whether it is switched on.
    public var isEnabled: Bool

    /// An output.
    public init(name: String, specification: String, isEnabled: Bool) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
    }

    /// Its name in the manual.
    public static let objectName = "Output"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("name", "text", "Its name."),
            .init("specification", "text", "What it is: `alsa:default`."),
            .init("enabled", "true or false", "Whether it is switched on."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        ["name": .string(name), "specification": .string(specification), "enabled": .bool(isEnabled)]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue else { return nil }
        self.init(
            name: name, specification: json["specification"]?.stringValue ?? "",
            isEnabled: json["enabled"]?.boolValue ?? false)
    }
}

/// A setting.
public struct SettingReply: ReplyObject {
    /// Its name.
    public var key: String
    /// What it is now.
    public var value: String
    /// What it is unless set.
    public var defaultValue: String
    /// Where the value comes from: default, config, settings or command line.
    public var origin: String
    /// Whether a change needs a restart.
    public var needsRestart: Bool
    /// Whether `settings.set` may change it; what can start programs or write files comes from the config alone.
    public var isClientSettable: Bool
    /// What it does.
    public var help: String

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
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("key", "text", "Its name."),
            .init("value", "text", "What it is now."),
            .init("default", "text", "What it is unless set."),
            .init("origin", "text", "Where the value comes from: default, config, settings or command line."),
            .init("needsRestart", "true or false", "Whether a change waits for a restart."),
            .init("isClientSettable", "true or false", "Whether `settings.set` may change it."),
            .init("help", "text", "What it does."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "key": .string(key), "value": .string(value), "default": .string(defaultValue), "origin": .string(origin),
            "needsRestart": .bool(needsRestart), "isClientSettable": .bool(isClientSettable), "help": .string(help),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let key = json["key"]?.stringValue else { return nil }
        self.init(
            key: key, value: json["value"]?.stringValue ?? "", defaultValue: json["default"]?.stringValue ?? "",
            origin: json["origin"]?.stringValue ?? "", needsRestart: json["needsRestart"]?.boolValue ?? false,
            isClientSettable: json["isClientSettable"]?.boolValue ?? false,
            help: json["help"]?.stringValue ?? "")
    }
}
