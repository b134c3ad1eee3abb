public import HTTP
internal import JSON
internal import PodcastModel

/// A name and a password for one feed, and the hosts that may receive them.
public struct FeedLogin: Equatable, Sendable {
    /// The feed's URL, without name and password.
    public var feed: String
    /// The user name; may be empty if only other parts are set.
    public var username: String
    public var password: String
    /// Hosts other than the feed's own, from which its episodes are fetched.
    public var mediaHosts: [String]

    public init(feed: String, username: String = "", password: String = "", mediaHosts: [String] = []) {
        self.feed = feed
        self.username = username
        self.password = password
        self.mediaHosts = mediaHosts
    }

    public var hosts: [String] { [HTTPURL.host(of: feed) ?? ""] + mediaHosts }

    /// For requests; nil without a name.
    public var requestLogin: HTTPLogin? {
        if username.isEmpty { return nil }
        return HTTPLogin(
            .init(username: username, password: password), hosts: hosts, needsTLS: !WebAddress.hasScheme("http", feed))
    }

    /// Whether the login is empty, so that its line can be removed.
    var isEmpty: Bool { username.isEmpty && password.isEmpty && mediaHosts.isEmpty }

    /// Parses a line of the file; nil if it is invalid.
    init?(line: String) {
        guard let object = try? JSONValue(parsing: line), let feed = object["feed"]?.stringValue else { return nil }
        self.init(
            feed: feed, username: object["username"]?.stringValue ?? "",
            password: object["password"]?.stringValue ?? "",
            mediaHosts: object["hosts"]?.arrayValue?.compactMap { $0.stringValue?.lowercased() } ?? [])
    }

    var line: String {
        JSONValue(members: ["feed": feed, "username": username, "password": password, "hosts": mediaHosts]).text
    }
}

/// All logins at the time when they were read.
public struct LoginTable: Equatable, Sendable {
    private var logins: [String: FeedLogin] = [:]

    init(_ logins: [FeedLogin]) {
        // Logins that were set later, or by the administrator, come last and have precedence.
        for login in logins { self.logins[login.feed] = login }
    }

    /// Whether there is none.
    public var isEmpty: Bool { logins.isEmpty }

    /// The login of the feed with one of these URLs; the current one comes first.
    public func login(ofFeedAt urls: [String]) -> FeedLogin? {
        for url in urls { if let login = logins[url] { return login } }
        return nil
    }
}
