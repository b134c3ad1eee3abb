public import ControlLanguage
public import JSON
public import PodcastModel

// Devices with app passwords, and what gPodder's clients keep here. For podcast-web.

/// `podcast-web` makes the password, so that the daemon never has it.
public struct PairDevice: Command {
    public var name = ""
    public var caption = ""
    public var owner = ""
    public var hash = ""

    public static let form = CommandForm<Self, SyncDevice>(
        Self(), "sync.pair", "Add a device with the hash of its app password.", .admin, verb: "device add",
        details: [
            "Prints address, user and app password for a phone, on a terminal also as a QR code. Needs podcast-web on this machine."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "name", &name, .line(), isRequired: true, spelling: .wireOnly, help: "Its name, which no device has yet.")
        parameters.declare("caption", &caption, .line(), isRequired: true, help: "Its name for people.")
        parameters.declare(
            "owner", &owner, .line(), isRequired: true, spelling: .wireOnly,
            help: "The user of web.conf whose device it is.")
        parameters.declare(
            "hash", &hash, .line(maximumBytes: 400), isRequired: true, spelling: .wireOnly,
            help: "As crypt(5) describes it.")
    }
}

public struct ShowPassword: Command {
    public var name = ""

    public static let form = CommandForm<Self, AppPasswordReply>(
        Self(), "sync.password", "Show the hash of a device's app password.", .admin)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "As `devices` shows it.")
    }
}

public struct AppPasswordReply: ReplyObject {
    public var name = ""
    public var owner = ""
    public var hash = ""

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        members.declare("owner", &owner, isRequired: true, "The user of web.conf whose device it is.")
        members.declare("hash", &hash, isRequired: true, "As crypt(5) describes it.")
    }
}

public struct ChangeClientSettings: Command {
    public var scope = ""
    public var set: JSONValue?
    public var remove: [String] = []

    public static let form = CommandForm<Self, ClientSettingsReply>(
        Self(), "sync.settings", "Show settings that gPodder's clients keep here, after changing some of them.",
        .control,
        details: [
            "A scope has 200 settings of 256 KiB together at most. A key has 100 bytes at most, and a value as JSON 4096."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "scope", &scope, .text(maximumBytes: 4096), isRequired: true,
            help: "`account`, or a kind with the name of a device, or with the address of a feed or an episode.")
        parameters.declare("set", &set, help: "An object: keys with any values.")
        parameters.declare("remove", &remove, help: "Keys of settings to remove.")
    }
}

public struct ClientSettingsReply: ReplyObject {
    public var settings: JSONValue = [:]

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("settings", &settings, isRequired: true, "An object with all settings of the scope.")
    }
}
