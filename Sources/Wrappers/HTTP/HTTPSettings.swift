internal import Glibc
internal import PodcastModel

/// Settings of all transfers of an `HTTPMulti`.
public struct HTTPSettings: Sendable {
    /// `User-Agent` of requests without their own.
    var userAgent: String
    /// The proxy's URL; nil uses the environment (`http_proxy` …), an empty string no proxy.
    public var proxy: String?
    /// A file of PEM certificates to trust instead of the system's.
    public var certificateFile: String?
    /// Idle connections kept for later requests; 0 for four times the number of transfers. Fewer than the concurrent
    /// transfers cost new connections.
    public var maximumIdleConnections: Int

    /// Hosts that may have private addresses although the user did not name them.
    public internal(set) var privateHosts: PrivateHosts
    /// Answers to lookups, `name:port:address`; for tests of malicious name servers.
    var resolutions: [String] = []
    /// Addresses of this machine, to which redirects and feeds must not lead.
    var ownAddresses = OwnAddresses.ofMachine

    public init(
        userAgent: String = "podcastd", proxy: String? = nil, certificateFile: String? = nil,
        maximumIdleConnections: Int = 0, privateHosts: PrivateHosts = PrivateHosts()
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.certificateFile = certificateFile
        self.maximumIdleConnections = maximumIdleConnections
        self.privateHosts = privateHosts
    }

    /// The URL of the proxy for a URL, which then also resolves the host. Hosts in `no_proxy` count as proxied,
    /// because the user named them there.
    func proxy(for url: String) -> String? {
        if let proxy { return proxy.nonEmpty }
        let isSecure = url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        // libcurl reads http_proxy in lower case only.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { name in
            unsafe getenv(name).flatMap { unsafe String(cString: $0).nonEmpty }
        }.first
    }
}
