internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import Secrets
internal import SessionBus
internal import SystemCalls

/// podcast-web, from command line to exit status.
public enum WebProgram {
    /// Registered for no other service.
    static let port: UInt16 = 6681
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
            notification: ManualNotes.listening,
            ManualNotes(
                statuses: [.success, .usage, .noInput, .unavailable, .ioError, .configuration],
                files: [WebSettings.file.note],
                examples: [
                    ("podcast-web --hash-password", "Make the hash for a line below [users]."),
                    (
                        "curl -H 'Authorization: Bearer NAME.SECRET' -H 'Content-Type: application/json' -d '{}' "
                            + "http://localhost:\(port)/api/v1/playback/toggle", "Pause or resume with a token."
                    ),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            if launch.parsed.isSet(hashPassword) {
                return try launch.printHash { PasswordHash.make(from: $0)?.text }
            }
            if launch.parsed.isSet(link) { return try WebSecrets.printLink(launch) }
            if let name = launch.parsed.text(newToken) { return try WebSecrets.makeToken(name, launch.output) }
            let settings = try WebSettings.file.read(explicit: launch.parsed.text(config))
            if let name = launch.parsed.text(pair) { return try WebSecrets.makeKey(name, settings, launch.output) }
            if let name = launch.parsed.text(addDevice) { return try WebSecrets.addDevice(name, settings, launch) }
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
        let state = CurrentProcess.variable("STATE_DIRECTORY") ?? StoredFile.folder(of: launch.socket)
        try WebService(
            connection: connection, settings: settings, files: webFiles, listeners: listeners,
            endedLogins: state + "/web-ended"
        ).run()
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
            output.line("'\(name)' is not announced: \(SafeText.line(error.description))")
            try output.flush()
            return nil
        }
    }
}
