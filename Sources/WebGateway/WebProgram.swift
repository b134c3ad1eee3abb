internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import Glibc
internal import HTTPServing
internal import PasswordHashing
internal import PodcastModel
internal import SystemCalls

/// podcast-web, from command line to exit status.
public enum WebProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return run().rawValue
    }

    static func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        variable: (String) -> String? = CurrentProcess.variable
    ) -> ExitStatus {
        WebDeclaration.program.run(arguments, streams: streams) { parsed, output throws(ToolFailure) in
            if parsed.isSet(WebDeclaration.hashPassword) {
                try output.line(try hash(try SecretInput.line(prompt: "Password: ", on: streams.errors)).text)
                return .success
            }
            if let name = parsed.text(WebDeclaration.newToken) {
                try makeToken(name, output)
                return .success
            }
            let settings: WebSettings = try SettingsFile.read(
                "web.conf", explicit: parsed.text(WebDeclaration.config), variable: variable)
            try serve(parsed, settings, output, variable)
            return .success
        }
    }

    private static func serve(
        _ parsed: ParsedArguments, _ settings: WebSettings, _ output: ToolOutput, _ variable: (String) -> String?
    ) throws(ToolFailure) {
        let addresses = try GatewayOptions.addresses(
            parsed.texts(WebDeclaration.listen), configured: settings.listen, port: WebDeclaration.port)
        let files: WebFiles
        do throws(SystemError) {
            if let folder = parsed.text(WebDeclaration.files) {
                files = try WebFiles(folder: folder)
            } else {
                files = try WebFiles(folder: WebFiles.installedFolder())
            }
        } catch {
            throw ToolFailure(
                .noInput, error.description, hint: "install the files with 'make install', or use --files")
        }
        let place = SocketDiscovery(explicit: parsed.text(WebDeclaration.socket), variable: variable)
        let listeners = try GatewayListeners.open(addresses)
        var ports: [UInt16] = []
        for port in listeners.compactMap(InternetListener.port) where !ports.contains(port) {
            ports.append(port)
            try output.line("http://localhost:\(port)/")
        }
        try output.flush()
        let connection = ControlConnection(reconnectingTo: place.path)
        var limits = HTTPServer.Limits()
        (limits.connections, limits.connectionsPerAddress) = (
            UInt32(settings.clients), UInt32(settings.clientsPerAddress)
        )
        // The usual limit of 1024 descriptors is lower than that of connections.
        try? DescriptorLimit.raise()
        try HTTPService(
            connection: connection, settings: settings, files: files, listeners: listeners, limits: limits
        ).run()
    }

    // MARK: secrets

    private static func hash(_ secret: String) throws(ToolFailure) -> PasswordHash {
        guard let hash = PasswordHash.make(from: secret) else {
            throw ToolFailure(.badData, "the password is longer than 511 bytes")
        }
        return hash
    }

    private static func makeToken(_ name: String, _ output: ToolOutput) throws(ToolFailure) {
        guard !name.isEmpty,
            name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw ToolFailure(.usage, "a token's name has small letters, digits and '-' only") }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let digits = Array("0123456789abcdef")
        let secret = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        try output.line("# Send it as: Authorization: Bearer \(name).\(secret)")
        try output.line("# In web.conf below [tokens]; change permission and expiry (a day, or never) as needed:")
        try output.line("\(name) = read never \(try hash(secret).text)")
    }
}
