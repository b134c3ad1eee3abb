internal import Configuration
internal import ControlLanguage
internal import Diagnostics
internal import SystemCalls

/// The permissions under `[control]`.
enum PermissionTable {
    /// - Throws: `SettingProblem` for a user or group that does not exist, or an unknown permission.
    static func policy(of settings: Settings) throws(SettingProblem) -> ConfiguredPermissions {
        ConfiguredPermissions(
            owner: CurrentProcess.effectiveUser,
            users: try table("control.users", settings) { UserDatabase.user(named: $0) },
            groups: try table("control.groups", settings) { UserDatabase.group(named: $0) },
            others: CommandDeclaration.Permission(name: settings["control.default"]))
    }

    private static func table(
        _ key: String, _ settings: Settings, _ number: (String) -> UInt32?
    ) throws(SettingProblem) -> [UInt32: CommandDeclaration.Permission] {
        var table: [UInt32: CommandDeclaration.Permission] = [:]
        for entry in settings[key].split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard parts.count == 2, let permission = CommandDeclaration.Permission(name: parts[1]) else {
                throw SettingProblem(
                    file: settings.origin(of: key).name, line: nil,
                    message: "\(key) must be like name=read, name=control or name=admin")
            }
            guard let id = number(parts[0]) else {
                throw SettingProblem(
                    file: settings.origin(of: key).name, line: nil,
                    message: "\(key): no such user or group: \(parts[0])")
            }
            table[id] = permission
        }
        return table
    }
}

/// Logs the permission of each connection.
struct LoggedPermissions: PermissionPolicy {
    let policy: ConfiguredPermissions
    let logger: Logger

    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? {
        let permission = policy.permission(of: peer)
        if let permission {
            logger.log(.debug, .control, "process \(peer.process) of user \(peer.user) may \(permission.name)")
        } else {
            logger.log(.info, .control, "process \(peer.process) of user \(peer.user) was refused")
        }
        return permission
    }

    func isOwner(_ peer: PeerIdentity) -> Bool { policy.isOwner(peer) }
}
