public import JSON
public import PodcastModel

/// Work in progress.
public struct ActivityReply: ReplyObject {
    /// Its number.
    public var id: UInt64
    /// What sort of work it is.
    public var kind: String
    /// For people.
    public var message: String
    /// What it is about.
    public var subject: String?
    /// How far it is, 0 to 1.
    public var progress: Double?
    /// When it began.
    public var since: Timestamp
    /// The activity it is a part of.
    public var parent: UInt64?

    /// An activity.
    public init(
        id: UInt64, kind: String, message: String, subject: String?, progress: Double?, since: Timestamp,
        parent: UInt64?
    ) {
        self.id = id
        self.kind = kind
        self.message = message
        self.subject = subject
        self.progress = progress
        self.since = since
        self.parent = parent
    }

    /// Its name in the manual.
    public static let objectName = "Activity"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("id", "integer", "Its number."),
            .init("kind", "text", "loading, buffering, seeking, refreshing, subscribing or downloading."),
            .init("message", "text", "For people: `Loading playlist`, `Buffering audio`."),
            .init("subject", "text or null", "What it is about: a title."),
            .init("progress", "number or null", "How far it is, 0 to 1, when that is known."),
            .init("since", "instant", "When it began."),
            .init("parent", "integer or null", "The activity it is a part of."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "id": .integer(Int64(clamping: id)), "kind": .string(kind), "message": .string(message),
            "subject": JSONValue(subject), "progress": JSONValue(progress), "since": JSONValue(since),
            "parent": parent.map { .integer(Int64(clamping: $0)) } ?? .null,
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let message = json["message"]?.stringValue else { return nil }
        self.init(
            id: UInt64(clamping: id), kind: json["kind"]?.stringValue ?? "", message: message,
            subject: json["subject"]?.stringValue, progress: json["progress"]?.numberValue,
            since: json["since"]?.timestamp ?? Timestamp(seconds: 0),
            parent: json["parent"]?.integerValue.map { UInt64(clamping: $0) })
    }
}

/// A sink.
public struct OutputReply: ReplyObject {
    /// Its name.
    public var name: String
    /// What it is, without secrets: `alsa:default`.
    public var spec: String
    /// Whether it is switched on.
    public var isEnabled: Bool
    /// What is wrong with it.
    public var error: String?

    /// An output.
    public init(name: String, spec: String, isEnabled: Bool, error: String? = nil) {
        self.name = name
        self.spec = spec
        self.isEnabled = isEnabled
        self.error = error
    }

    /// Its name in the manual.
    public static let objectName = "Output"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("name", "text", "Its name."),
            .init("spec", "text", "What it is: `alsa:default`."),
            .init("enabled", "true or false", "Whether it is switched on."),
            .init("error", "text or null", "What is wrong with it."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        ["name": .string(name), "spec": .string(spec), "enabled": .bool(isEnabled), "error": JSONValue(error)]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue else { return nil }
        self.init(
            name: name, spec: json["spec"]?.stringValue ?? "", isEnabled: json["enabled"]?.boolValue ?? false,
            error: json["error"]?.stringValue)
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
    /// One line.
    public var help: String

    /// A setting.
    public init(key: String, value: String, defaultValue: String, origin: String, needsRestart: Bool, help: String) {
        self.key = key
        self.value = value
        self.defaultValue = defaultValue
        self.origin = origin
        self.needsRestart = needsRestart
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
            .init("help", "text", "What it does."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "key": .string(key), "value": .string(value), "default": .string(defaultValue), "origin": .string(origin),
            "needsRestart": .bool(needsRestart), "help": .string(help),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let key = json["key"]?.stringValue else { return nil }
        self.init(
            key: key, value: json["value"]?.stringValue ?? "", defaultValue: json["default"]?.stringValue ?? "",
            origin: json["origin"]?.stringValue ?? "", needsRestart: json["needsRestart"]?.boolValue ?? false,
            help: json["help"]?.stringValue ?? "")
    }
}
