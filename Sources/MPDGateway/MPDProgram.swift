internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import GatewayKit
internal import Glibc
internal import LineServing
internal import PodcastModel
internal import Reporting
internal import Secrets
internal import SystemCalls

/// podcast-mpd, from command line to exit status.
public enum MPDProgram {
    private static let port: UInt16 = 6600
    private static let config = MPDSettings.file.option("Addresses and passwords")
    private static let hashPassword = GatewayLaunch.hashOption(for: "mpd.conf")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-mpd", "Control the podcast player with clients of the Music Player Daemon.",
            details: [
                "Speaks the protocol of MPD, so that mpc, ncmpcpp, apps for phones and Home Assistant control podcastd. Shows are "
                    + "folders and albums, episodes are songs, playlists are stored playlists, 'update' refreshes the feeds that "
                    + "are due, and 'rescan' all of them. Adding a show adds its unplayed episodes.",
                "Clients on this machine may play and edit the queue without a password, others nothing. Passwords cross the "
                    + "network as they are: use them only in a network that you trust.",
            ],
            options: [GatewayLaunch.listenOption(port: port), config, hashPassword],
            notification: ManualNotes.listening,
            ManualNotes(
                statuses: [.success, .usage, .unavailable, .ioError, .configuration], files: [MPDSettings.file.note],
                examples: [
                    ("mpc status", "Show the current episode."),
                    ("podcast-mpd --hash-password", "Make the hash for a line below [passwords]."),
                    (
                        "podcast-mpd --listen localhost:6601",
                        "Use another port beside a running MPD; clients need MPD_PORT=6601."
                    ),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcast-web(1)"]))
    }

    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            if launch.parsed.isSet(hashPassword) { return try launch.printHash { PasswordHash.make(from: $0)?.text } }
            let settings = try MPDSettings.file.read(explicit: launch.parsed.text(config))
            let descriptors = try launch.listen(configured: settings.listen, port: port) { "localhost:\($0)" }
            let listeners = try ToolFailure.wrapping(.unavailable) {
                try descriptors.map { try LineListener(adopting: FileDescriptor(owning: $0)) }
            }
            try serve(settings, socket: launch.socket, on: listeners)
        }
    }

    /// Serves until a signal ends it.
    private static func serve(
        _ settings: MPDSettings, socket: String, on listeners: [LineListener]
    ) throws(ToolFailure) {
        try ToolFailure.wrapping(.software) {
            // A gateway may have many clients: the usual limit of 1024 descriptors is lower than that of connections.
            try? DescriptorLimit.raise()
            let signals = try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
            var limits = LineServer.Limits()
            limits.connections = 2048
            limits.connectionsPerAccount = 1536
            limits.line = 64 << 10
            limits.bytesPerAccount = 32 << 20
            let log = Logger(
                levels: LogLevels(.info), to: .ofProcess(identifier: "podcast-mpd", variable: CurrentProcess.variable))
            let server = try LineServer(
                threadName: .control, limits: limits, report: { log.log(.warning, .control, $0) },
                failed: { error in
                    log.log(.error, .control, error.description)
                    exit(ExitStatus.software.rawValue)
                })
            let service = MPDService(socket: socket, settings: settings, now: .now) { server.wake() }
            try server.start(service, on: listeners)
            // Connects to the daemon as soon as there is one.
            server.wake()
            let manager = ServiceNotifier.fromEnvironment()
            manager.ready()
            let interval = ServiceNotifier.watchdogInterval().map { $0 / 2 }
            while try signals.next(until: interval.map { .now + $0 } ?? .distantFuture) == nil {
                server.whenServing { manager.watchdog() }
            }
            manager.stopping()
            server.stop()
        }
    }
}

struct MPDSettings {
    var listen: [ListenAddress] = []
    /// What a client on this machine may do without a password; nil for nothing.
    var local: CommandDeclaration.Permission? = .control
    /// What a client on another machine may do without a password.
    var remote: CommandDeclaration.Permission?
    var passwords: [(permission: CommandDeclaration.Permission, hash: PasswordHash)] = []

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
                    let login = try entry.login(
                        words: 2, PasswordHash.init(stored:),
                        form: "a password is 'NAME = PERMISSION HASH'; make the hash with podcast-mpd --hash-password")
                    settings.passwords.append(login)
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
