/// A host and a port: `kitchen.local`, `192.168.1.7:4953`, `[::1]:4953`.
public struct HostAddress: Equatable, Sendable {
    public var host: String
    public var port: UInt16

    /// - Returns: nil if the text is not a host.
    public init?(_ text: String, defaultPort: UInt16) {
        host = text
        port = defaultPort
        if let colon = text.lastIndex(of: ":"), text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : true {
            guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
            host = String(text[..<colon])
            self.port = port
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isHost = host.unicodeScalars.allSatisfy {
            !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._:%".unicodeScalars.contains($0)
        }
        if host.isEmpty || host.hasPrefix("-") || !isHost { return nil }
    }
}
