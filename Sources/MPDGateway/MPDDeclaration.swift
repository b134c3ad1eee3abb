internal import CommandLineTool
internal import GatewayKit

/// The command line of podcast-mpd.
enum MPDDeclaration {
    static let port: UInt16 = 6600

    static let socket = GatewayOptions.socket
    static let listen = GatewayOptions.listen(port: port)
    static let config = GatewayOptions.config("Addresses and passwords", name: "mpd.conf")
    static let hashPassword = OptionDeclaration(
        flag: "hash-password", help: "Read a password, print its hash for mpd.conf, and exit.")

    /// Help, manual and completions come from it.
    static var program: ProgramDeclaration {
        ProgramDeclaration(
            "podcast-mpd", "Control the podcast player with clients of the Music Player Daemon.",
            details: [
                "Speaks the protocol of MPD, so that mpc, ncmpcpp, apps for phones and Home Assistant control podcastd. Shows are "
                    + "folders and albums, episodes are songs, playlists are stored playlists, 'update' refreshes the feeds that "
                    + "are due, and 'rescan' all of them. Adding a show adds its unplayed episodes.",
                "Clients on this machine may play and edit the queue without a password, others nothing. Passwords cross the "
                    + "network as they are: use them only in a network that you trust.",
            ],
            options: [socket, listen, config, hashPassword],
            manual: ManualNotes(
                statuses: [.success, .usage, .unavailable, .ioError, .configuration],
                environment: [
                    .init("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."),
                    .init(
                        "NOTIFY_SOCKET, LISTEN_FDS",
                        "Set by systemd; sockets that it passes are used instead of --listen."),
                ],
                files: [
                    .init(
                        "~/.config/podcastd/mpd.conf",
                        "Below [server] 'listen = ADDRESS…', 'local = control' and 'remote = none' (what clients on this machine and "
                            + "on others may do without a password: none, read, control or admin); below [passwords] "
                            + "'NAME = PERMISSION HASH'.")
                ],
                examples: [
                    .init("mpc status", "Show what plays."),
                    .init("podcast-mpd --hash-password", "Make the hash for a line below [passwords]."),
                    .init(
                        "podcast-mpd --listen localhost:6601",
                        "Use another port beside a running MPD; clients need MPD_PORT=6601."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcast-web(1)"]))
    }
}
