/// A name and a password with the hosts that may be told them.
public struct HTTPLogin: Equatable, Sendable {
    private let credentials: HTTPRequest.Credentials
    private let hosts: [String]
    private let needsTLS: Bool

    /// A login.
    ///
    /// - Parameters:
    ///   - credentials: what is told.
    ///   - hosts: who may be told; without ports.
    ///   - needsTLS: whether they are told over https alone.
    public init(_ credentials: HTTPRequest.Credentials, hosts: [String], needsTLS: Bool) {
        self.credentials = credentials
        self.hosts = hosts.map(HTTPURL.asciiHost)
        self.needsTLS = needsTLS
    }

    /// What a request for a URL may carry; nil for another host, or one that would be told where others can listen.
    public func credentials(for url: String) -> HTTPRequest.Credentials? {
        if needsTLS && HTTPURL.isUnencrypted(url) { return nil }
        guard let host = HTTPURL.host(of: url), hosts.contains(host) else { return nil }
        return credentials
    }
}

/// How the requests for one feed and its episodes are made: as whom they ask, where they log in, what they may reach.
public struct HTTPAccess: Equatable, Sendable {
    /// The `User-Agent`; nil for the settings' own.
    public var userAgent: String?
    /// What to log in with.
    public var login: HTTPLogin?
    /// Hosts that the user named, which may be private if their names say so; nil for a request's own.
    public var namedHosts: [String]?

    /// Access as anybody has it.
    public init(userAgent: String? = nil, login: HTTPLogin? = nil, namedHosts: [String]? = nil) {
        self.userAgent = userAgent
        self.login = login
        self.namedHosts = namedHosts
    }

    /// Makes a request one of the feed's.
    public func apply(to request: inout HTTPRequest) {
        request.userAgent = userAgent
        request.credentials = login?.credentials(for: request.url)
        request.namedHosts = namedHosts
    }
}
