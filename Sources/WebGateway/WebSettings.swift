internal import ControlLanguage
internal import GatewayKit
internal import INIFile
internal import PasswordHashing
internal import PodcastModel

/// The file `web.conf`.
struct WebSettings: Equatable {
    struct Login: Equatable {
        var name: String
        var permission: CommandDeclaration.Permission
        var hash: PasswordHash
        /// Nil for one that does not expire.
        var expiry: Timestamp?
    }

    /// What is wrong, with its line.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var line: Int
        var what: String
        var description: String { "line \(line): \(what)" }
    }

    var listen: [ListenAddress] = []
    var hosts: [String] = []
    /// What a client on this machine may do without a password.
    var local: CommandDeclaration.Permission? = .read
    var users: [Login] = []
    var tokens: [Login] = []

    init() {}

    init(parsing text: String) throws(Failure) {
        let file = INIFile(parsing: text)
        if let line = file.badLines.first {
            throw Failure(line: line, what: "this line is neither a section nor 'name = value'")
        }
        for entry in file.entries {
            do throws(Objection) {
                try take(entry)
            } catch {
                throw Failure(line: entry.line, what: error.what)
            }
        }
    }

    private struct Objection: Error {
        var what: String
    }

    private mutating func take(_ entry: INIEntry) throws(Objection) {
        let words = entry.value.split(separator: " ").map(String.init)
        switch (entry.section, entry.name) {
        case ("server", "listen"):
            for word in words {
                guard let address = ListenAddress(parsing: word) else {
                    throw Objection(what: "'\(word)' is not \(ListenAddress.syntax)")
                }
                listen.append(address)
            }
        case ("server", "hosts"): hosts += words
        case ("server", "local"):
            if entry.value == "none" {
                local = nil
            } else {
                local = try Self.permission(entry.value)
            }
        case ("users", let name):
            guard words.count == 2, let hash = PasswordHash(stored: words[1]) else {
                throw Objection(
                    what: "a user is 'NAME = PERMISSION HASH'; make the hash with podcast-web --hash-password")
            }
            users.append(Login(name: name, permission: try Self.permission(words[0]), hash: hash))
        case ("tokens", let name):
            guard words.count == 3, let hash = PasswordHash(stored: words[2]) else {
                throw Objection(
                    what: "a token is 'NAME = PERMISSION EXPIRY HASH'; make one with podcast-web --new-token NAME")
            }
            tokens.append(
                Login(
                    name: name, permission: try Self.permission(words[0]), hash: hash, expiry: try Self.expiry(words[1])
                ))
        default:
            throw Objection(what: "unknown setting [\(entry.section)] \(entry.name); see podcast-web(1)")
        }
    }

    private static func permission(_ word: String) throws(Objection) -> CommandDeclaration.Permission {
        guard let permission = CommandDeclaration.Permission(name: word) else {
            throw Objection(what: "'\(word)' is not a permission: read, control or admin")
        }
        return permission
    }

    /// A day ends the token at its beginning, in UTC.
    private static func expiry(_ word: String) throws(Objection) -> Timestamp? {
        if word == "never" { return nil }
        guard let time = Timestamp(parsing: word) ?? Timestamp(parsing: word + "T00:00:00Z") else {
            throw Objection(what: "'\(word)' is not a day such as 2027-01-31, and not 'never'")
        }
        return time
    }
}
