internal import ControlLanguage
internal import GatewayKit
internal import INIFile
internal import PasswordHashing
internal import PodcastModel

struct WebSettings: GatewaySettings, Equatable {
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
    private var givenLocal: CommandDeclaration.Permission??
    /// Connections at the same time.
    var clients: Int = 2_000
    /// 0: no limit of its own.
    var clientsPerAddress: Int = 64
    var users: [Login] = []
    var tokens: [Login] = []

    init() {}

    /// So many of the clients may listen for events that others can still ask.
    var eventStreams: Int { clients * 3 / 4 }

    mutating func take(_ entry: INIEntry) throws(SettingsProblem) {
        let words = entry.words
        switch (entry.section, entry.name) {
        case ("server", "listen"): listen += try entry.addresses()
        case ("server", "hosts"): hosts += words
        case ("server", "local"): givenLocal = .some(try entry.permission())
        case ("server", "clients"): clients = try entry.number(in: 8...10_000)
        case ("server", "clients_per_address"): clientsPerAddress = try entry.number(in: 0...10_000)
        case ("users", let name):
            guard words.count == 2, let hash = PasswordHash(stored: words[1]),
                let permission = try entry.permission(words[0])
            else {
                throw entry.problem(
                    "a user is 'NAME = PERMISSION HASH'; make the hash with podcast-web --hash-password")
            }
            users.append(Login(name: name, permission: permission, hash: hash))
        case ("tokens", let name):
            guard words.count == 3, let hash = PasswordHash(stored: words[2]),
                let permission = try entry.permission(words[0])
            else {
                throw entry.problem(
                    "a token is 'NAME = PERMISSION EXPIRY HASH'; make one with podcast-web --new-token NAME")
            }
            tokens.append(
                Login(name: name, permission: permission, hash: hash, expiry: try Self.expiry(words[1], entry)))
        default: throw entry.unknown(see: "podcast-web(1)")
        }
    }

    /// A day ends the token at its beginning, in UTC.
    private static func expiry(_ word: String, _ entry: INIEntry) throws(SettingsProblem) -> Timestamp? {
        if word == "never" { return nil }
        guard let time = Timestamp(parsing: word) ?? Timestamp(parsing: word + "T00:00:00Z") else {
            throw entry.problem("'\(word)' is not a day such as 2027-01-31, and not 'never'")
        }
        return time
    }
}
