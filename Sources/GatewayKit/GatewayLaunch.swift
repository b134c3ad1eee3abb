public import CommandLineTool
internal import ControlClient
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// What a gateway is started with.
public struct GatewayLaunch {
    static let socketOption = OptionDeclaration(
        "socket", nil, "PATH", .file, help: "The daemon's control socket.")

    /// - Parameter port: the default port.
    public static func listenOption(port: UInt16) -> OptionDeclaration {
        OptionDeclaration(
            "listen", nil, "HOST:PORT|/PATH", isRepeatable: true,
            help: "Listen on a numeric address or localhost, or on a Unix socket; may be repeated (default: "
                + "localhost:\(port)).")
    }

    /// - Parameter file: the settings file that holds hashes.
    public static func hashOption(for file: String) -> OptionDeclaration {
        OptionDeclaration(flag: "hash-password", help: "Read a password, print its hash for \(file), and exit.")
    }

    /// Reads a password and prints its hash, or fails if the password has none.
    public func printHash(_ hash: (String) -> String?) throws(ToolFailure) {
        let password = try SecretInput.line(prompt: "Password: ", on: ToolStreams.standard.errors)
        guard let text = hash(password) else { throw ToolFailure(.badData, "the password is longer than 511 bytes") }
        output.line(text)
    }

    public let parsed: ParsedArguments
    public let output: ToolOutput

    public var socket: String {
        SocketDiscovery(explicit: parsed.text(Self.socketOption), variable: CurrentProcess.variable).path
    }

    /// Listens where the service manager or the command line says, else the settings, else on a port of this machine, and prints
    /// the ports.
    ///
    /// - Returns: descriptors, which the caller owns.
    public func listen(
        configured: [ListenAddress], port: UInt16, address: (UInt16) -> String
    ) throws(ToolFailure) -> [Int32] {
        var addresses = try parsed.texts(Self.listenOption(port: port)).map { (text) throws(ToolFailure) in
            guard let address = ListenAddress(parsing: text) else {
                throw .usage("--listen: '\(text)' is not \(ListenAddress.syntax)")
            }
            return address
        }
        if addresses.isEmpty { addresses = configured }
        if addresses.isEmpty { addresses = [.internet(host: "localhost", port: port)] }
        let listeners = try GatewayListeners.open(addresses)
        var ports: [UInt16] = []
        for port in listeners.compactMap(InternetListener.port) where !ports.contains(port) {
            ports.append(port)
            output.line(address(port))
        }
        try output.flush()
        return listeners
    }
}

extension ProgramDeclaration {
    /// A gateway's command line and manual page, with the parts that all gateways share.
    ///
    /// - Parameters:
    ///   - subcommands: what the gateway does; nil if it does one thing.
    ///   - notification: what the manual page says of the service manager; nil if no service manager starts the gateway.
    ///   - notes: the rest of the manual page.
    public static func gateway(
        _ name: String, _ summary: String, details: [String], options: [OptionDeclaration],
        subcommands: SubcommandList? = nil,
        notification: ManualNotes.Item? = ("NOTIFY_SOCKET", "Set by systemd; see sd_notify(3)."),
        _ notes: @autoclosure @escaping @Sendable () -> ManualNotes
    ) -> ProgramDeclaration {
        ProgramDeclaration(
            name, summary, details: details, options: [GatewayLaunch.socketOption] + options,
            subcommands: subcommands, manual: notes().ofGateway(notification))
    }

    /// Runs a gateway.
    ///
    /// - Returns: the exit status of the process.
    public func runGateway(_ body: (GatewayLaunch) throws(ToolFailure) -> Void) -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return run { parsed, output throws(ToolFailure) in
            try body(GatewayLaunch(parsed: parsed, output: output))
            return .success
        }.rawValue
    }
}

extension ManualNotes {
    /// Row of the manual pages of gateways that accept sockets from systemd.
    public static let listening: Item = (
        "NOTIFY_SOCKET, LISTEN_FDS", "Set by systemd; sockets that it passes are used instead of --listen."
    )

    fileprivate func ofGateway(_ notification: Item?) -> ManualNotes {
        var notes = self
        notes.environment.insert(
            ("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."), at: 0)
        if let notification { notes.environment.append(notification) }
        return notes
    }
}
