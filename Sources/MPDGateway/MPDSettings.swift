internal import ControlLanguage
internal import GatewayKit
internal import INIFile
internal import LineServing
internal import PasswordHashing
internal import SystemCalls

/// The file `mpd.conf`.
struct MPDSettings: Equatable {
    struct Password: Equatable {
        var permission: CommandDeclaration.Permission
        var hash: PasswordHash
    }

    /// What is wrong, with its line.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var line: Int
        var what: String
        var description: String { "line \(line): \(what)" }
    }

    var listen: [ListenAddress] = []
    /// What a client on this machine may do without a password; nil for nothing.
    var local: CommandDeclaration.Permission? = .control
    /// What a client on another machine may do without a password.
    var remote: CommandDeclaration.Permission?
    var passwords: [Password] = []

    init() {}

    init(parsing text: String) throws(Failure) {
        let file = INIFile(parsing: text)
        if let line = file.badLines.first {
            throw Failure(line: line, what: "this line is neither a section nor 'name = value'")
        }
        for entry in file.entries { try take(entry) }
    }

    private mutating func take(_ entry: INIEntry) throws(Failure) {
        let words = entry.value.split(separator: " ").map(String.init)
        switch (entry.section, entry.name) {
        case ("server", "listen"):
            for word in words {
                guard let address = ListenAddress(parsing: word) else {
                    throw Failure(line: entry.line, what: "'\(word)' is not \(ListenAddress.syntax)")
                }
                listen.append(address)
            }
        case ("server", "local"): local = try Self.permission(entry.value, entry.line)
        case ("server", "remote"): remote = try Self.permission(entry.value, entry.line)
        case ("passwords", _):
            guard words.count == 2, let hash = PasswordHash(stored: words[1]),
                let permission = try Self.permission(words[0], entry.line)
            else {
                throw Failure(
                    line: entry.line,
                    what: "a password is 'NAME = PERMISSION HASH'; make the hash with podcast-mpd --hash-password")
            }
            passwords.append(Password(permission: permission, hash: hash))
        default:
            throw Failure(
                line: entry.line, what: "unknown setting [\(entry.section)] \(entry.name); see podcast-mpd(1)")
        }
    }

    private static func permission(
        _ word: String, _ line: Int
    ) throws(Failure) -> CommandDeclaration.Permission? {
        if word == "none" { return nil }
        guard let permission = CommandDeclaration.Permission(name: word) else {
            throw Failure(line: line, what: "'\(word)' is not a permission: none, read, control or admin")
        }
        return permission
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
    /// Whether the peer is on this machine.
    var isLocal: Bool {
        switch self {
        case .local: true
        case .network(let address): address == "::1" || address.hasPrefix("127.")
        }
    }

    /// By what wrong passwords are counted.
    var address: String {
        switch self {
        case .local(let credentials, _): "user \(credentials.user)"
        case .network(let address): address
        }
    }
}
