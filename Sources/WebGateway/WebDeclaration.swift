internal import CommandLineTool
internal import GatewayKit

/// The command line of podcast-web.
enum WebDeclaration {
    /// Registered for no other service.
    static let port: UInt16 = 6681

    static let socket = GatewayOptions.socket
    static let listen = GatewayOptions.listen(port: port)
    static let config = GatewayOptions.config("Addresses, users and tokens", name: "web.conf")
    static let files = OptionDeclaration(
        "files", nil, "DIR", .file, help: "The folder of the web remote's files (default: the installed one).")
    static let hashPassword = OptionDeclaration(
        flag: "hash-password", help: "Read a password, print its hash for web.conf, and exit.")
    static let newToken = OptionDeclaration(
        "new-token", nil, "NAME", help: "Print a new token and its line for web.conf, and exit.")

    /// Help, manual and completions come from it.
    static var program: ProgramDeclaration {
        ProgramDeclaration(
            "podcast-web", "Control the podcast player from a browser and over HTTP.",
            details: [
                "Serves a page that controls the player, an HTTP interface to all commands of the daemon, and server-sent events. The "
                    + "address of its description is /api/v1/openapi.json.",
                "Clients on this machine may read without a password. Everything else needs a user or a token of web.conf, whose "
                    + "permission is read, control or admin. HTTP is not encrypted: for other machines than this one put a proxy "
                    + "with https before it.",
            ],
            options: [socket, listen, config, files, hashPassword, newToken],
            manual: ManualNotes(
                statuses: [.success, .usage, .noInput, .unavailable, .ioError, .configuration],
                environment: [
                    .init("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."),
                    .init(
                        "NOTIFY_SOCKET, LISTEN_FDS",
                        "Set by systemd; sockets that it passes are used instead of --listen."),
                ],
                files: [
                    .init(
                        "~/.config/podcastd/web.conf",
                        "Below [server] 'listen = ADDRESS…', 'hosts = NAME…' (names by which browsers may call this server besides "
                            + "localhost and numeric addresses) and 'local = read' (what clients on this machine may do without a "
                            + "password: none, read, control or admin; none by default if hosts, a user or a token is set), 'clients = 2000' and 'clients_per_address = 64' "
                            + "(connections at the same time; 0 for no limit by address, as behind a proxy); below [users] 'NAME = PERMISSION HASH'; below [tokens] "
                            + "'NAME = PERMISSION EXPIRY HASH', where EXPIRY is a day such as 2027-01-31, or never.")
                ],
                examples: [
                    .init("podcast-web --hash-password", "Make the hash for a line below [users]."),
                    .init(
                        "curl -H 'Authorization: Bearer NAME.SECRET' -H 'Content-Type: application/json' -d '{}' "
                            + "http://localhost:\(port)/api/v1/playback/toggle", "Pause or resume with a token."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }
}
