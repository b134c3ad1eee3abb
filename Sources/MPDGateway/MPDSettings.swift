internal import Configuration
internal import ControlLanguage
internal import GatewayKit
internal import INIFile
internal import LineServing
internal import PasswordHashing
internal import SystemCalls

struct MPDSettings: Equatable {
    struct Password: Equatable {
        var permission: CommandDeclaration.Permission
        var hash: PasswordHash
    }

    var listen: [ListenAddress] = []
    /// What a client on this machine may do without a password; nil for nothing.
    var local: CommandDeclaration.Permission? = .control
    /// What a client on another machine may do without a password.
    var remote: CommandDeclaration.Permission?
    var passwords: [Password] = []

    static var file: SettingsFile<MPDSettings> {
        SettingsFile(
            "mpd.conf", manual: "podcast-mpd(1)", MPDSettings(),
            [
                .listen(\.listen),
                .permission(
                    "server", "local", "control", \.local,
                    help: "what clients on this machine may do without a password: none, read, control or admin"),
                .permission("server", "remote", "none", \.remote, help: "the same for clients on other machines"),
                SettingRow("passwords", nil, "NAME = PERMISSION HASH") { settings, entry throws(SettingProblem) in
                    let (permission, hash) = try entry.login(
                        words: 2, PasswordHash.init(stored:),
                        form: "a password is 'NAME = PERMISSION HASH'; make the hash with podcast-mpd --hash-password")
                    settings.passwords.append(Password(permission: permission, hash: hash))
                },
            ])
    }

    /// What a client may do without a password.
    func permission(of peer: LinePeer) -> CommandDeclaration.Permission? { peer.isLocal ? local : remote }

    /// What a password permits; nil for a wrong one. Checking takes some hundredths of a second for each that is known.
    func permission(of password: String) -> CommandDeclaration.Permission? {
        passwords.filter { $0.hash.matches(password) }.map(\.permission).max()
    }

    /// What any client may do: the gateway itself needs no more.
    var highestPermission: CommandDeclaration.Permission {
        ([local, remote].compactMap(\.self) + passwords.map(\.permission)).max() ?? .read
    }
}

extension LinePeer {
    var isLocal: Bool {
        switch self {
        case .local: true
        case .network(let address): address == "::1" || address.hasPrefix("127.")
        }
    }
}
