public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let sync = CommandSection(
        "sync",
        [
            ListSyncAccounts.self, Synchronize.self, TrySynchronization.self, HandOver.self, ListChanges.self,
            ApplyChanges.self, ReportAccount.self, ListDevices.self, NoteDevice.self, RemoveDevice.self,
            PairDevice.self, ShowPassword.self, ChangeClientSettings.self,
        ])
}

extension MemberExchange {
    /// A time in seconds, and its `milliseconds` if there are any.
    mutating func declareExactly(_ name: String, _ time: inout Timestamp, _ help: String) {
        var part: Int64? = time.milliseconds == time.seconds * 1000 ? nil : time.milliseconds - time.seconds * 1000
        declare(name, &time, isRequired: true, help)
        declareIfAny("milliseconds", &part, "Milliseconds of the time, besides its seconds.")
        if let part, (1...999).contains(part) { time = Timestamp(milliseconds: time.seconds * 1000 + part) }
    }
}

public struct ListDevices: Command {
    public static let form = CommandForm<Self, DeviceListReply>(
        Self(), "sync.devices", "List the devices that synchronize with this library.", .read, verb: "devices")
}

public typealias DeviceListReply = ListReply<SyncDevice>

extension SyncDevice.Kind: ParameterChoice {}

extension SyncDevice: RowReply {
    public static let objectName = "Device"
    public static let rowsMember = "devices"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "As its client calls it.")
        members.declare("caption", &caption, isRequired: true, "What its listener calls it.")
        members.declare("type", &kind, isRequired: true, "desktop, laptop, mobile, server or other.")
        members.declare("lastContact", &lastContact, isRequired: true)
        members.declare("acts", &acts, isRequired: true, "Number of acts that it has sent.")
        members.declareIfAny("owner", &owner, "The user of podcast-web to whom its app password belongs.")
    }
}

public struct NoteDevice: Command {
    public var name = ""
    public var caption: String?
    public var kind: SyncDevice.Kind?

    public static let form = CommandForm<Self, SyncDevice>(
        Self(), "sync.device", "Add a device, or change what is known of it.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "As its client calls it.")
        parameters.declare("caption", &caption, .line(), help: "What its listener calls it.")
        parameters.declare("type", &kind, help: "What it is.")
    }
}

public struct RemoveDevice: Command {
    public var name = ""

    public static let form = CommandForm<Self, SyncDevice>(
        Self(), "sync.removeDevice", "Forget a device and its app password. What it did stays.", .admin,
        verb: "device remove")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "Name or caption.")
    }
}
