internal import Configuration
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel
internal import Secrets
internal import SystemCalls

struct WebSettings: Equatable {
    struct Login: Equatable {
        var name: String
        var permission: CommandDeclaration.Permission
        var hash: PasswordHash
        /// Nil for one that does not expire.
        var expiry: Timestamp?
        /// Whose app password it is; nil for a user's own password and for tokens.
        var device: String?
    }

    var listen: [ListenAddress] = []
    /// By which other podcastds of the network find this one; nil if it is not announced.
    var name: String?
    var hosts: [String] = []
    /// The permission of clients on this machine without a password. Nil by default, because behind a proxy all clients seem to be
    /// on this machine.
    var local: CommandDeclaration.Permission?
    /// Connections at the same time.
    var clients = 2_000
    /// 0 for no limit.
    var clientsPerAddress = 64
    var users: [Login] = []
    /// The user whose devices synchronize: what the file says, else the only one that may administer.
    var listener: String? {
        let admins = users.filter { $0.permission == .admin }
        return givenListener ?? (admins.count == 1 ? admins[0].name : nil)
    }
    var givenListener: String?
    var tokens: [Login] = []
    var peers: [PeerKey] = []

    /// At most three quarters of the connections may be event streams, so that requests still get through.
    var eventStreams: Int { clients * 3 / 4 }

    static var file: SettingsFile<WebSettings> {
        SettingsFile(
            "web.conf", manual: "podcast-web(1)", isSecret: { !$0.peers.isEmpty }, WebSettings(),
            [
                .listen(\.listen),
                SettingRow(
                    "server", "hosts", "NAME…",
                    help: "names by which browsers may call this server besides localhost and numeric addresses"
                ) { $0.hosts += $1.words },
                SettingRow(
                    "server", "announce", "NAME",
                    help: "name by which podcast-sync of other machines in the network finds this podcastd, with Avahi"
                ) { $0.name = String(SafeText.line($1.value).prefix(60)) },
                .permission(
                    "server", "local", "none", \.local,
                    help:
                        "what clients on this machine, and all clients of a proxy on it, may do without a password: none, read, control "
                        + "or admin"),
                .number(
                    "server", "clients", 8...10_000, default: WebSettings().clients, \.clients,
                    help: "connections at the same time"),
                .number(
                    "server", "clients_per_address", 0...10_000, default: WebSettings().clientsPerAddress,
                    \.clientsPerAddress, help: "from one address; 0 for no limit, as behind a proxy"),
                SettingRow(
                    "sync", "user", "NAME",
                    help:
                        "the user whose devices synchronize with this library; by default the only one with the permission admin"
                ) { $0.givenListener = $1.value },
                SettingRow("users", nil, "NAME = PERMISSION HASH") { settings, entry throws(SettingProblem) in
                    let (permission, hash) = try entry.login(
                        words: 2, PasswordHash.init(stored:),
                        form: "a user is 'NAME = PERMISSION HASH'; make the hash with podcast-web --hash-password")
                    settings.users.append(Login(name: entry.name, permission: permission, hash: hash))
                },
                SettingRow(
                    "tokens", nil, "NAME = PERMISSION EXPIRY HASH",
                    help: "EXPIRY is a day such as 2027-01-31, or never"
                ) { settings, entry throws(SettingProblem) in
                    let (permission, hash) = try entry.login(
                        words: 3, PasswordHash.init(stored:),
                        form: "a token is 'NAME = PERMISSION EXPIRY HASH'; make one with podcast-web --new-token NAME")
                    settings.tokens.append(
                        Login(
                            name: entry.name, permission: permission, hash: hash,
                            expiry: try expiry(entry.words[1], entry)))
                },
                SettingRow(
                    "peers", nil, "NAME = KEY",
                    help:
                        "a podcastd that synchronizes with this one and hands playback over; --pair NAME makes the key"
                ) { settings, entry throws(SettingProblem) in
                    guard entry.value.utf8.count >= Secret.typed else {
                        throw entry.problem("the key is too short; make one with podcast-web --pair \(entry.name)")
                    }
                    settings.peers.append(PeerKey(name: entry.name, secret: entry.value))
                },
            ])
    }

    /// A day ends the token at its beginning, in UTC.
    private static func expiry(_ word: String, _ entry: INIEntry) throws(SettingProblem) -> Timestamp? {
        if word == "never" { return nil }
        guard let time = Timestamp(parsing: word) ?? Timestamp(parsing: word + "T00:00:00Z") else {
            throw entry.problem("'\(word)' is not a day such as 2027-01-31, and not 'never'")
        }
        return time
    }
}
