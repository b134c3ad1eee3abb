public import CommandLineTool

/// Options that gateways share.
public enum GatewayOptions {
    public static let socket = OptionDeclaration("socket", nil, "PATH", .file, help: "The daemon's control socket.")

    /// - Parameter port: the one that is used without the option.
    public static func listen(port: UInt16) -> OptionDeclaration {
        OptionDeclaration(
            "listen", nil, "HOST:PORT|/PATH", isRepeatable: true,
            help: "Listen on a numeric address or localhost, or on a Unix socket; may be repeated (default: "
                + "localhost:\(port)).")
    }

    /// - Parameters:
    ///   - contents: what the file holds, as in "Addresses and passwords".
    ///   - name: of the file that is read without the option.
    public static func config(_ contents: String, name: String) -> OptionDeclaration {
        OptionDeclaration(
            "config", nil, "FILE", .file, help: "\(contents) (default: ~/.config/podcastd/\(name)).")
    }

    /// Where to listen: what the command line says, else the settings, else a port of this machine.
    public static func addresses(
        _ given: [String], configured: [ListenAddress], port: UInt16
    ) throws(ToolFailure) -> [ListenAddress] {
        var addresses: [ListenAddress] = []
        for text in given {
            guard let address = ListenAddress(parsing: text) else {
                throw ToolFailure(.usage, "--listen: '\(text)' is not \(ListenAddress.syntax)")
            }
            addresses.append(address)
        }
        if addresses.isEmpty { addresses = configured }
        return addresses.isEmpty ? [.internet(host: "localhost", port: port)] : addresses
    }
}
