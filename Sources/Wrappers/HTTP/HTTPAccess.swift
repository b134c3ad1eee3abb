internal import PodcastModel

/// A login and the hosts that may receive it.
public struct HTTPLogin: Equatable, Sendable {
    private let credentials: HTTPRequest.Credentials
    private let hosts: [String]
    private let needsTLS: Bool

    /// - Parameters:
    ///   - hosts: without ports.
    ///   - needsTLS: true to send the login only over https.
    public init(_ credentials: HTTPRequest.Credentials, hosts: [String], needsTLS: Bool) {
        self.credentials = credentials
        self.hosts = hosts.map(HTTPURL.asciiHost)
        self.needsTLS = needsTLS
    }

    /// The credentials for a URL; nil for other hosts, and for http if the login needs TLS.
    public func credentials(for url: String) -> HTTPRequest.Credentials? {
        if needsTLS && WebAddress.hasScheme("http", url) { return nil }
        guard let host = HTTPURL.host(of: url), hosts.contains(host) else { return nil }
        return credentials
    }
}

/// Identity, login and permitted hosts of the requests for one feed and its episodes.
public struct HTTPAccess: Equatable, Sendable {
    /// `User-Agent` (default: from the settings).
    public var userAgent: String?
    public var login: HTTPLogin?
    public var namedHosts: [String]?

    public init(userAgent: String? = nil, login: HTTPLogin? = nil, namedHosts: [String]? = nil) {
        self.userAgent = userAgent
        self.login = login
        self.namedHosts = namedHosts
    }

    public func apply(to request: inout HTTPRequest) {
        request.userAgent = userAgent
        request.credentials = login?.credentials(for: request.url)
        request.namedHosts = namedHosts
    }
}
