/// What can be set for one feed, by its name. Logins are kept outside the library, the rest is in it.
public enum FeedSetting: String, CaseIterable, Sendable {
    /// What the listener calls it; shown instead of the publisher's title.
    case title
    /// Where it is fetched from; everything else stays.
    case url
    /// What hosts are told in place of our own `User-Agent`.
    case userAgent = "user_agent"
    /// The name it is logged in to with.
    case username
    case password
    /// The listener's tags, divided by commas.
    case tags
    /// Hosts besides the feed's own that may be told them.
    case loginHosts = "login_hosts"
}
