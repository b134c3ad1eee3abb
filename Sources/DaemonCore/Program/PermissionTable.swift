internal import Configuration
internal import ControlLanguage
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// The permissions under `[control]`.
enum PermissionTable {
    /// - Throws: `SettingProblem` for a user or group that does not exist, or an unknown permission.
    static func policy(of settings: Settings) throws(SettingProblem) -> ConfiguredPermissions {
        ConfiguredPermissions(
            owner: CurrentProcess.effectiveUser,
            users: try table("control.users", settings) { UserDatabase.user(named: $0) },
            groups: try table("control.groups", settings) { UserDatabase.group(named: $0) },
            others: CommandDeclaration.Permission(rawValue: settings["control.default"]))
    }

    private static func table(
        _ key: String, _ settings: Settings, _ number: (String) -> UInt32?
    ) throws(SettingProblem) -> [UInt32: CommandDeclaration.Permission] {
        func problem(_ message: String) -> SettingProblem {
            SettingProblem(file: settings.origin(of: key).rawValue, line: nil, message: message)
        }
        var table: [UInt32: CommandDeclaration.Permission] = [:]
        for (name, word) in entries(settings[key]) {
            guard let permission = word.flatMap({ CommandDeclaration.Permission(rawValue: $0) }) else {
                throw problem("\(key) must be like name=read, name=control or name=admin")
            }
            guard let id = number(name) else { throw problem("\(key): no such user or group: \(name)") }
            table[id] = permission
        }
        return table
    }

    private static func entries(_ value: String) -> [(name: String, permission: String?)] {
        value.split(separator: ",").map { entry in
            let parts = entry.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
        }
    }

    /// The line of the config file that gives a user a permission and leaves the others as they are.
    static func line(
        granting permission: CommandDeclaration.Permission, to user: String, in settings: Settings
    ) -> String {
        let others = entries(settings["control.users"]).filter { $0.name != user }
            .map { "\($0.name)=\($0.permission ?? "")" }
        return "users = " + (others + ["\(user)=\(permission.rawValue)"]).joinedText(", ")
    }
}

/// The policy of the config file: permissions of users and groups; the daemon's own user and root have all permissions.
struct ConfiguredPermissions: PermissionPolicy {
    /// The daemon's own user.
    let owner: UInt32
    var users: [UInt32: CommandDeclaration.Permission] = [:]
    /// The highest permission of a peer's groups counts.
    var groups: [UInt32: CommandDeclaration.Permission] = [:]
    /// Permission of all other users that can reach the socket; nil to refuse them.
    let others: CommandDeclaration.Permission?

    func isOwner(_ peer: PeerIdentity) -> Bool { peer.user == owner || peer.user == 0 }

    /// The highest permission of the user, the user's groups and `others`.
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? {
        if isOwner(peer) { return .admin }
        var highest = others
        func raise(to permission: CommandDeclaration.Permission?) {
            if let permission, highest.map({ $0 < permission }) ?? true { highest = permission }
        }
        raise(to: users[peer.user])
        raise(to: groups[peer.group])
        for group in peer.groups { raise(to: groups[group]) }
        return highest
    }
}

/// Logs the permission of each connection, and says how to get another one.
struct LoggedPermissions: PermissionPolicy {
    let policy: ConfiguredPermissions
    let settings: Settings
    /// Where `[control]` is, or would be.
    let configFile: String
    let logger: Logger

    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? {
        let permission = policy.permission(of: peer)
        if let permission {
            logger.log(.debug, .control, "process \(peer.process) of user \(peer.user) may \(permission.rawValue)")
        } else {
            logger.log(.info, .control, "process \(peer.process) of user \(peer.user) was refused")
        }
        return permission
    }

    func isOwner(_ peer: PeerIdentity) -> Bool { policy.isOwner(peer) }

    func remedy(for peer: PeerIdentity, lacking permission: CommandDeclaration.Permission) -> String {
        if let own = policy.permission(of: peer), own >= permission {
            return "this connection has given up more; open another one"
        }
        let name = UserDatabase.localName(of: peer.user) ?? "NAME"
        let line = PermissionTable.line(granting: permission, to: name, in: settings)
        return "to permit it, write '\(line)' below [control] in \(configFile) and restart podcastd"
    }
}
