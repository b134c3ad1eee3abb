internal import Glibc

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

    /// Hosts that may have private addresses whoever named them.
    public var privateHosts: PrivateHosts
    /// `name:port:address` that hold without a look-up: how tests play a name server that lies.
    var resolutions: [String] = []
    /// The addresses that no stranger may lead to, besides the private ones.
    var ownAddresses = OwnAddresses.ofMachine
    /// Whether http URLs are asked by HTTP/2 at once (RFC 9113, 3.3): how tests play a server of HTTP/2 without TLS.
    var assumesHTTP2 = false

    /// Settings that suit a podcast client.
    public init(
        userAgent: String = "podcastd", proxy: String? = nil, certificateFile: String? = nil,
        certificateFolder: String? = nil, maximumIdleConnections: Int = 0, maximumConnectionsPerHost: Int = 0,
        privateHosts: PrivateHosts = PrivateHosts()
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.certificateFile = certificateFile
        self.certificateFolder = certificateFolder
        self.maximumIdleConnections = maximumIdleConnections
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.privateHosts = privateHosts
    }
}

extension HTTPSettings {
    /// Whether a proxy is asked for a URL, and with it for the host's address. What `no_proxy` spares counts as proxied:
    /// whoever wrote it named those hosts.
    func isProxied(_ url: String) -> Bool {
        if let proxy { return !proxy.isEmpty }
        let isSecure = url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        // As libcurl reads them: http_proxy in lower case only.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).contains { name in
            unsafe getenv(name).map { unsafe $0[0] != 0 } ?? false
        }
    }
}
