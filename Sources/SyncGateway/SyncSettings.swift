internal import Configuration
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// A user's account on a server with which the library is synchronized.
struct AccountSettings: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case gpodder, nextcloud, podcastd
    }

    var name: String
    var kind: Kind
    /// The server's URL, without a slash at its end.
    var address: String
    var user: String
    /// Nil if a credential of the service manager has the password, or a person at the terminal.
    var password: String?
    /// The number of its line in the file, from 1.
    var line: Int

    private static let zeroconf = "zeroconf:"
    /// The name by which a podcastd is found in the network; nil for a URL.
    var networkName: String? { address.hasPrefix(Self.zeroconf) ? String(address.dropFirst(Self.zeroconf.count)) : nil }
}

struct SyncSettings: Equatable, Sendable {
    var accounts: [AccountSettings] = []
    private var minutes = 10
    /// Whether podcastds have one queue together.
    private(set) var sharesQueue = true
    /// A file of PEM certificates to trust instead of the system's.
    private(set) var certificateFile: String?

    /// Between two synchronizations while nothing happens here.
    var interval: Duration { .seconds(minutes * 60) }

    static var file: SettingsFile<SyncSettings> {
        let defaults = SyncSettings()
        return SettingsFile(
            "sync.conf", manual: "podcast-sync(1)", isSecret: { _ in true }, defaults,
            [
                SettingRow("accounts", nil, "NAME = KIND URL USER [PASSWORD]") {
                    settings, entry throws(SettingProblem) in
                    if settings.accounts.contains(where: { $0.name == entry.name }) {
                        throw entry.problem("there is another account '\(SafeText.line(entry.name))'")
                    }
                    settings.accounts.append(try account(entry))
                },
                .number(
                    "sync", "interval", 1...1440, default: defaults.minutes, \.minutes,
                    help: "minutes between two synchronizations while nothing happens here"),
                SettingRow(
                    "sync", "queue", "shared", help: "shared with other podcastds, or own: each keeps its own queue"
                ) { settings, entry throws(SettingProblem) in
                    guard ["shared", "own"].contains(entry.value) else {
                        throw entry.problem("queue must be shared or own")
                    }
                    settings.sharesQueue = entry.value == "shared"
                },
                SettingRow(
                    "sync", "ca_file", "FILE",
                    help: "certificates (PEM) to trust instead of the system's, such as that of your server"
                ) { settings, entry throws(SettingProblem) in
                    guard (try? StoredFile.contents(of: entry.value, limit: 1 << 20)) != nil else {
                        throw entry.problem("cannot read \(SafeText.line(entry.value))")
                    }
                    settings.certificateFile = entry.value
                },
            ])
    }

    private static func account(_ entry: INIEntry) throws(SettingProblem) -> AccountSettings {
        let words = entry.value.split(separator: " ", maxSplits: 3).map(String.init)
        let kinds = AccountSettings.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        guard let kind = words.first.flatMap(AccountSettings.Kind.init) else {
            throw entry.problem("an account is KIND URL USER [PASSWORD]; KIND is one of \(kinds)")
        }
        guard words.count > 1, WebAddress.isFetchable(words[1]) || kind == .podcastd && words[1].hasPrefix("zeroconf:")
        else {
            throw entry.problem(
                "the server needs an address, such as https://cloud.example.org, or zeroconf:NAME for a podcastd")
        }
        guard HTTPURL.withoutCredentials(words[1]) == words[1] else {
            throw entry.problem("user and password follow the address, with a space before each")
        }
        guard words.count > 2 else { throw entry.problem("the user's name is missing") }
        let address = String(words[1].reversed().drop { $0 == "/" }.reversed())
        return AccountSettings(
            name: entry.name, kind: kind, address: address, user: words[2], password: words.count > 3 ? words[3] : nil,
            line: entry.line)
    }
}
