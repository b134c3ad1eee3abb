/// What all transfers of an `HTTPMulti` share.
public struct HTTPSettings: Sendable {
    /// The `User-Agent` of requests that name none.
    public var userAgent: String
    /// The proxy's URL; nil takes the environment's (`http_proxy` …), an empty text none.
    public var proxy: String?
    /// A file of PEM certificates to trust in place of the system's.
    public var certificateFile: String?
    /// A folder of hashed PEM certificates to trust in place of the system's.
    public var certificateFolder: String?
    /// Idle connections that are kept for later requests; 0 for four times as many as there are transfers. A number
    /// below that of the transfers at a time costs new connections.
    public var maximumIdleConnections: Int
    /// Connections at a time to one host; 0 for no limit. Requests beyond it wait, with their time running.
    public var maximumConnectionsPerHost: Int

    /// Settings that suit a podcast client.
    public init(
        userAgent: String = "podcastd", proxy: String? = nil, certificateFile: String? = nil,
        certificateFolder: String? = nil, maximumIdleConnections: Int = 0, maximumConnectionsPerHost: Int = 0
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.certificateFile = certificateFile
        self.certificateFolder = certificateFolder
        self.maximumIdleConnections = maximumIdleConnections
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
    }
}
