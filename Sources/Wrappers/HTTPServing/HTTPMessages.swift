/// A header or a query parameter.
public struct HTTPField: Equatable, Sendable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request whose headers are complete.
public struct HTTPRequest: Equatable, Sendable {
    public var method: String
    /// Percent-decoded.
    public var path: String
    /// Such as `HTTP/1.1`.
    public var version = "HTTP/1.1"
    /// Percent-decoded parameters, in order.
    public var query: [HTTPField]
    public var headers: [HTTPField]
    /// Empty until `HTTPExchange.receiveBody` has received the body.
    public var body: [UInt8]
    /// The client's address as text; empty for a Unix socket.
    public var address: String
    /// Whether the client is on this machine.
    public var isLocal: Bool

    public init(
        _ method: String, _ path: String, query: [HTTPField] = [], headers: [HTTPField] = [], body: [UInt8] = [],
        address: String = "", isLocal: Bool = true
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.address = address
        self.isLocal = isLocal
    }
}

/// A response with its whole body in memory.
public struct HTTPResponse: Equatable, Sendable {
    public var status: Int
    public var headers: [HTTPField]
    public var body: [UInt8]

    public init(_ status: Int, _ headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
