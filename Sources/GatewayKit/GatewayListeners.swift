internal import CommandLineTool
internal import ControlClient
internal import Reporting
internal import SystemCalls

enum GatewayListeners {
    /// Addresses at most; each host name may be two.
    private static let maximum = 4

    /// The service manager's sockets if it passed some, otherwise new sockets on the addresses.
    ///
    /// - Returns: the sockets' descriptors, which the caller owns.
    static func open(_ addresses: [ListenAddress]) throws(ToolFailure) -> [Int32] {
        let inherited = SocketActivation.inheritedSockets()
        if !inherited.isEmpty {
            try ToolFailure.wrapping(.configuration) {
                for descriptor in inherited { try LocalSocket.prepareListener(descriptor) }
            }
            return inherited
        }
        var descriptors: [Int32] = []
        if addresses.count > maximum {
            throw .usage("more than \(maximum) addresses to listen on")
        }
        try ToolFailure.wrapping(.unavailable) {
            for address in addresses {
                switch address {
                case .internet("localhost", let port):
                    let first = try InternetListener.listen(on: "127.0.0.1", port: port)
                    // With port 0 both families use the same one.
                    let chosen = InternetListener.port(of: first.raw) ?? port
                    descriptors.append(first.release())
                    // A machine may have no IPv6.
                    if let second = try? InternetListener.listen(on: "::1", port: chosen) {
                        descriptors.append(second.release())
                    }
                case .internet(let host, let port):
                    descriptors.append(try InternetListener.listen(on: host, port: port).release())
                case .local(let path):
                    if !SocketDiscovery.answers(path), try FileStatus(ofLink: path)?.isSocket == true {
                        try StoredFile.remove(path)
                    }
                    descriptors.append(try LocalSocket.listen(at: path, mode: 0o660).release())
                }
            }
        }
        return descriptors
    }
}

/// A TCP address or socket path in a settings file.
public enum ListenAddress: Equatable, Sendable {
    /// A numeric address, or `localhost` for that of both families.
    case internet(host: String, port: UInt16)
    case local(path: String)

    /// For messages: `'x' is not …`.
    static let syntax = "HOST:PORT with a numeric HOST or localhost, and not a path"

    public init?(parsing text: String) {
        if text.hasPrefix("/") {
            self = .local(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard host == "localhost" || host.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }), !host.isEmpty else {
            return nil
        }
        self = .internet(host: String(host), port: port)
    }
}
