public import HTTP
internal import JSON

/// A name and a password for one feed, and the hosts that may be told them.
public struct FeedLogin: Equatable, Sendable {
    /// The feed's URL; without a name or password in it.
    public var feed: String
    /// The name; empty while only the rest was given.
    public var username: String
    /// The password.
    public var password: String
    /// Further hosts than the feed's own: where its episodes are.
    public var mediaHosts: [String]

    /// A login for a feed.
    public init(feed: String, username: String = "", password: String = "", mediaHosts: [String] = []) {
        self.feed = feed
        self.username = username
        self.password = password
        self.mediaHosts = mediaHosts
    }

    /// Every host that may be told it.
    public var hosts: [String] { [HTTPURL.host(of: feed) ?? ""] + mediaHosts }

    /// As requests carry it; nil without a name.
    public var requestLogin: HTTPLogin? {
        if username.isEmpty { return nil }
        return HTTPLogin(
            .init(username: username, password: password), hosts: hosts, needsTLS: !HTTPURL.isUnencrypted(feed))
    }

    /// Whether it says nothing and need not be kept.
    public var isEmpty: Bool { username.isEmpty && password.isEmpty && mediaHosts.isEmpty }
}

extension FeedLogin {
    /// One line of the file; nil when it is none.
    init?(line: String) {
        guard let object = try? JSONValue(parsing: line), let feed = object["feed"]?.stringValue else { return nil }
        self.init(
            feed: feed, username: object["username"]?.stringValue ?? "",
            password: object["password"]?.stringValue ?? "",
            mediaHosts: object["hosts"]?.arrayValue?.compactMap { $0.stringValue?.lowercased() } ?? [])
    }

    /// As a line of the file.
    var line: String {
        let object: JSONValue = [
            "feed": .string(feed), "username": .string(username), "password": .string(password),
            "hosts": .array(mediaHosts.map { .string($0) }),
        ]
        return object.text
    }
}

/// All logins, as they were when they were read.
public struct LoginTable: Equatable, Sendable {
    private var logins: [String: FeedLogin] = [:]

    /// No login.
    public init() {}

    init(_ logins: [FeedLogin]) {
        // What was set later, or by the administrator, stands last and counts.
        for login in logins { self.logins[login.feed] = login }
    }

    /// Whether there is none.
    public var isEmpty: Bool { logins.isEmpty }

    /// The login of the feed with one of these URLs, the present one first.
    public func login(ofFeedAt urls: [String]) -> FeedLogin? {
        for url in urls { if let login = logins[url] { return login } }
        return nil
    }
}
