internal import Configuration
internal import ControlLanguage
internal import GatewayKit
internal import INIFile
internal import PasswordHashing
internal import PodcastModel

struct WebSettings: Equatable {
    struct Login: Equatable {
        var name: String
        var permission: CommandDeclaration.Permission
        var hash: PasswordHash
        /// Nil for one that does not expire.
        var expiry: Timestamp?
    }

    var listen: [ListenAddress] = []
    var hosts: [String] = []
    /// What a client on this machine may do without a password: what the file says, else `read` if nothing in it is meant for other
    /// machines, because behind a proxy all clients seem to be on this machine.
    var local: CommandDeclaration.Permission? {
        givenLocal ?? (users.isEmpty && tokens.isEmpty && hosts.isEmpty ? .read : nil)
    }
    /// What the file says; nil if it says nothing.
    var givenLocal: CommandDeclaration.Permission??
    /// Connections at the same time.
    var clients: Int = 2_000
    /// 0 for no limit.
    var clientsPerAddress: Int = 64
    var users: [Login] = []
    var tokens: [Login] = []

    /// At most three quarters of the connections may be event streams, so that requests still get through.
    var eventStreams: Int { clients * 3 / 4 }

    static var file: SettingsFile<WebSettings> {
        SettingsFile(
            "web.conf", manual: "podcast-web(1)", WebSettings(),
            [
                .listen(\.listen),
                SettingRow(
                    "server", "hosts", "NAME…",
                    help: "names by which browsers may call this server besides localhost and numeric addresses"
                ) { $0.hosts += $1.words },
                SettingRow(
                    "server", "local", "read",
                    help: "what clients on this machine may do without a password: none, read, control or admin; "
                        + "none by default if hosts, a user or a token is set"
                ) { settings, entry throws(SettingProblem) in
                    settings.givenLocal = .some(try entry.permission(entry.value))
                },
                .number(
                    "server", "clients", 8...10_000, default: WebSettings().clients, \.clients,
                    help: "connections at the same time"),
                .number(
                    "server", "clients_per_address", 0...10_000, default: WebSettings().clientsPerAddress,
                    \.clientsPerAddress, help: "from one address; 0 for no limit, as behind a proxy"),
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
