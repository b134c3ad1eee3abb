internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import GatewayKit
internal import PasswordHashing
internal import PodcastModel
internal import SystemCalls

/// podcast-web, from command line to exit status.
public enum WebProgram {
    /// Registered for no other service.
    private static let port: UInt16 = 6681
    private static let config = WebSettings.file.option("Addresses, users and tokens")
    private static let files = OptionDeclaration(
        "files", nil, "DIR", .file, help: "The folder of the web remote's files (default: the installed one).")
    private static let hashPassword = GatewayLaunch.hashOption(for: "web.conf")
    private static let newToken = OptionDeclaration(
        "new-token", nil, "NAME", help: "Print a new token and its line for web.conf, and exit.")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-web", "Control the podcast player from a browser and over HTTP.",
            details: [
                "Serves a page that controls the player, an HTTP interface to all commands of the daemon, and server-sent events. The "
                    + "address of its description is /api/v1/openapi.json.",
                "Clients on this machine may read without a password. Everything else needs a user or a token of web.conf, whose "
                    + "permission is read, control or admin. HTTP is not encrypted: for other machines than this one put a proxy "
                    + "with https before it.",
            ],
            options: [GatewayLaunch.listenOption(port: port), config, files, hashPassword, newToken],
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
            if let name = launch.parsed.text(newToken) { return try makeToken(name, launch.output) }
            try serve(launch, try WebSettings.file.read(explicit: launch.parsed.text(config)))
        }
    }

    private static func serve(_ launch: GatewayLaunch, _ settings: WebSettings) throws(ToolFailure) {
        let webFiles = try ToolFailure.wrapping(
            .noInput, hint: "install the files with 'make install', or use --files"
        ) {
            try WebFiles(folder: launch.parsed.text(files) ?? WebFiles.installedFolder())
        }
        let listeners = try launch.listen(
            configured: settings.listen, port: port, address: { "http://localhost:\($0)/" })
        // The usual limit of 1024 descriptors is lower than that of connections.
        try? DescriptorLimit.raise()
        let connection = ControlConnection(reconnectingTo: launch.socket)
        try WebService(connection: connection, settings: settings, files: webFiles, listeners: listeners).run()
    }

    // MARK: secrets

    private static func makeToken(_ name: String, _ output: ToolOutput) throws(ToolFailure) {
        guard !name.isEmpty,
            name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw ToolFailure(.usage, "a token's name has small letters, digits and '-' only") }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let digits = Array("0123456789abcdef")
        let secret = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        guard let hash = PasswordHash.make(from: secret) else {
            throw ToolFailure(.software, "libxcrypt makes no hash")
        }
        try output.line("# Send it as: Authorization: Bearer \(name).\(secret)")
        try output.line("# In web.conf below [tokens]; change permission and expiry (a day, or never) as needed:")
        try output.line("\(name) = read never \(hash.text)")
    }
}
