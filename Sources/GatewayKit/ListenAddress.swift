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
