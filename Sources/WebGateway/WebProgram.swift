internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import Secrets
internal import SessionBus
internal import SystemCalls

/// podcast-web, from command line to exit status.
public enum WebProgram {
    /// Registered for no other service.
    private static let port: UInt16 = 6681
    private static let config = WebSettings.file.option("Addresses, users and tokens")
    private static let files = OptionDeclaration(
        "files", nil, "DIR", .file, help: "The folder of the web remote's files (default: the installed one).")
    private static let link = OptionDeclaration(
        flag: "link",
        help:
            "Print an address of the running podcast-web that logs a browser of this machine in, once and with all permissions, and exit."
    )
    private static let hashPassword = GatewayLaunch.hashOption(for: "web.conf")
    private static let newToken = OptionDeclaration(
        "new-token", nil, "NAME", help: "Print a new token and its line for web.conf, and exit.")

    private static let pair = OptionDeclaration(
        "pair", nil, "NAME",
        help: "Print a key for another podcastd, with its lines for web.conf here and sync.conf there, and exit.")

    private static let addDevice = OptionDeclaration(
        "add-device", nil, "NAME",
        help:
            "Add a phone or another player that synchronizes; print its login, on a terminal also as a QR code, and exit."
    )

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-web", "Control the podcast player from a browser and over HTTP.",
            details: [
                "Serves a page that controls the player, an HTTP interface to all commands of the daemon, and server-sent events. The "
                    + "address of its description is /api/v1/openapi.json.",
                "The address that --link prints logs a browser of this machine in. Other clients need a user or a token of web.conf, whose "
                    + "permission is read, control or admin. HTTP is not encrypted: for other machines than this one put a proxy "
                    + "with https before it.",
            ],
            options: [
                GatewayLaunch.listenOption(port: port), config, files, link, hashPassword, newToken, pair, addDevice,
            ],
            notification: .listening,
            ManualNotes(
                statuses: [.success, .usage, .noInput, .unavailable, .ioError, .configuration],
                files: [WebSettings.file.note],
                examples: [
                    .init("podcast-web --hash-password", "Make the hash for a line below [users]."),
                    .init(
                        "curl -H 'Authorization: Bearer NAME.SECRET' -H 'Content-Type: application/json' -d '{}' "
                            + "http://localhost:\(port)/api/v1/playback/toggle", "Pause or resume with a token."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            if launch.parsed.isSet(hashPassword) {
                return try launch.printHash { PasswordHash.make(from: $0)?.text }
            }
            if launch.parsed.isSet(link) { return try printLink(launch) }
            if let name = launch.parsed.text(newToken) { return try makeToken(name, launch.output) }
            let settings = try WebSettings.file.read(explicit: launch.parsed.text(config))
            if let name = launch.parsed.text(pair) { return try makeKey(name, settings, launch.output) }
            if let name = launch.parsed.text(addDevice) { return try add(name, settings, launch) }
            try serve(launch, settings)
        }
    }

    private static func serve(_ launch: GatewayLaunch, _ settings: WebSettings) throws(ToolFailure) {
        let webFiles = try ToolFailure.wrapping(
            .noInput, hint: "install the files with 'make install', or use --files"
        ) {
            try WebFiles(folder: launch.parsed.text(files) ?? WebFiles.installedFolder())
        }
        try mapError(of: HTTPServer.load()) { (error: HTTPServingError) in ToolFailure(.unavailable, error.description)
        }
        let listeners = try launch.listen(
            configured: settings.listen, port: port, address: { "http://localhost:\($0)/" })
        // The usual limit of 1024 descriptors is lower than that of connections.
        try? DescriptorLimit.raise()
        let connection = ControlConnection(reconnectingTo: launch.socket)
        // Announced until the program ends.
        let avahi = try announce(settings.name, at: listeners, launch.output)
        defer { withExtendedLifetime(avahi) {} }
        try WebService(connection: connection, settings: settings, files: webFiles, listeners: listeners).run()
    }

    /// Announces the service to other podcastds of the network. Without Avahi they need its address.
    private static func announce(
        _ name: String?, at listeners: [Int32], _ output: ToolOutput
    ) throws(ToolFailure) -> Avahi? {
        guard let name, let port = listeners.lazy.compactMap(InternetListener.port).first else { return nil }
        do throws(SystemError) {
            let avahi = try Avahi()
            try avahi.announce(name, type: "_podcastd._tcp", port: port)
            return avahi
        } catch {
            try output.line("'\(name)' is not announced: \(SafeText.line(error.description))")
            try output.flush()
            return nil
        }
    }

    // MARK: secrets

    private static func printLink(_ launch: GatewayLaunch) throws(ToolFailure) {
        let path = LoginLink.path(beside: launch.socket)
        let link = try ToolFailure.wrapping(
            .unavailable,
            hint:
                "start podcast-web as the user of this command, with a port; a socket unit starts it when the page is opened"
        ) { try StoredFile.contents(of: path, limit: 1_000) }
        try launch.output.line(String(utf8: link))
    }

    private static func makeToken(_ name: String, _ output: ToolOutput) throws(ToolFailure) {
        try checkName(name, of: "token")
        let secret = Secret.make()
        guard let hash = PasswordHash.make(from: secret) else {
            throw ToolFailure(.software, "libxcrypt makes no hash")
        }
        try output.line("# Send it as: Authorization: Bearer \(name).\(secret)")
        try output.line("# In web.conf below [tokens]; change permission and expiry (a day, or never) as needed:")
        try output.line("\(name) = read never \(hash.text)")
    }

    private static func makeKey(
        _ name: String, _ settings: WebSettings, _ output: ToolOutput
    ) throws(ToolFailure) {
        try checkName(name, of: "podcastd")
        let server = try requireAddress(settings)
        let key = Secret.make(Secret.typed)
        try output.line("# In web.conf of this machine below [peers]; then restart podcast-web:")
        try output.line("\(name) = \(key)")
        try output.line("# In sync.conf of \(name) below [accounts]; then restart podcast-sync:")
        try output.line("\(CurrentProcess.hostName) = podcastd \(server) \(name) \(key)")
    }

    private static func add(
        _ given: String, _ settings: WebSettings, _ launch: GatewayLaunch
    ) throws(ToolFailure) {
        guard let caption = SafeText.title(given, atMostBytes: 200) else {
            throw ToolFailure(.usage, "a device needs a name")
        }
        guard let owner = settings.listener else {
            throw ToolFailure(
                .configuration, "no user of web.conf synchronizes",
                hint: "write 'NAME = admin HASH' below [users]; podcast-web --hash-password makes the hash")
        }
        let server = try requireAddress(settings)
        guard let password = AppPassword(of: caption, owner: owner) else {
            throw ToolFailure(.software, "libxcrypt makes no hash")
        }
        do throws(ClientFailure) {
            _ = try ControlConnection(path: launch.socket).call(password.device)
        } catch { throw ToolFailure(.unavailable, error.text) }
        try launch.output.line("server    \(server)")
        try launch.output.line("user      \(owner)")
        try launch.output.line("password  \(password.text)")
        guard launch.output.terminalWidth != nil, let code = password.code(server: server) else { return }
        // Black on white, whatever the colors of the terminal.
        for line in code.lines { try launch.output.line("\u{1B}[30;107m\(line)\u{1B}[0m") }
    }

    private static func requireAddress(_ settings: WebSettings) throws(ToolFailure) -> String {
        if let server = address(settings) { return server }
        throw ToolFailure(
            .configuration, "other machines cannot reach podcast-web, which listens on this one only",
            hint: "write 'listen = 0.0.0.0:\(port)' below [server] in web.conf, or the name of a proxy as hosts")
    }

    /// Where other machines reach podcast-web; nil if they cannot.
    private static func address(_ settings: WebSettings) -> String? {
        for case .internet(let host, let port) in settings.listen
        where !["localhost", "127.0.0.1", "::1"].contains(host) {
            if host != "0.0.0.0", host != "::" {
                return host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
            }
            let own = (try? NetworkInterfaces.addresses()) ?? []
            if let address = own.first(where: { $0.count == 4 && $0[0] != 127 }) {
                return "http://\(address.map(String.init).joinedText(".")):\(port)"
            }
        }
        return settings.hosts.first.map { "https://\($0)" }
    }

    private static func checkName(_ name: String, of what: String) throws(ToolFailure) {
        if name.isEmpty || !name.utf8.allSatisfy({ $0.isSmallLetter || $0.isDigit || $0 == .dash }) {
            throw ToolFailure(.usage, "a \(what)'s name has small letters, digits and '-' only")
        }
    }
}

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
    var clients: Int = 2_000
    /// 0 for no limit.
    var clientsPerAddress: Int = 64
    var users: [Login] = []
    /// The user whose devices synchronize: what the file says, else the only one that may administer.
    var listener: String? {
        givenListener
            ?? (users.count { $0.permission == .admin } == 1 ? users.first { $0.permission == .admin }?.name : nil)
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
