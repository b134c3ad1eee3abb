internal import Synchronization
public import HTTP
public import PodcastModel

/// The login and the user agent for each episode's URL, from the settings of its feed.
///
/// The thread that reads the library records login and user agent before an episode is fetched; the HTTP thread reads both.
public final class MediaAccess: Sendable {
    /// Number of URLs that are kept; the oldest is dropped first.
    private static let longest = 256

    private let logins: LoginFile
    private let state = Mutex<(order: [String], accesses: [String: HTTPAccess])>(([], [:]))

    /// Creates an empty table that reads logins from a file.
    public init(logins: LoginFile) { self.logins = logins }

    /// Records the feed of an episode's URL before the URL is fetched, and returns the episode. Reads the logins from disk, so the call may
    /// block.
    public func note(_ episode: Episode, in store: FeedStore) -> Episode {
        let url = episode.enclosure.url
        var access = HTTPAccess(namedHosts: [])
        let feed = try? store.feed(episode.feed)
        if let feed, feed.isSingleFiles {
            // The user named the URL, or the address of a feed that the episode was played from without a subscription (`link`).
            access.namedHosts = episode.link.map { [HTTPURL.host(of: $0) ?? ""] }
        } else if let feed {
            access.namedHosts = [HTTPURL.host(of: feed.url) ?? ""]
            access.userAgent = try? store.settings(of: feed.id)[FeedSetting.userAgent.rawValue]
            access.login = (try? logins.read())?.login(ofFeedAt: [feed.url] + feed.formerURLs)?.requestLogin
        }
        keep(access, for: url)
        return episode
    }

    /// Records a URL that the user named and that belongs to no feed.
    public func noteNamed(_ url: String) { keep(HTTPAccess(), for: url) }

    private func keep(_ access: HTTPAccess, for url: String) {
        state.withLock { state in
            if state.accesses.updateValue(access, forKey: url) != nil { state.order.removeAll { $0 == url } }
            state.order.append(url)
            if state.order.count > Self.longest { state.accesses[state.order.removeFirst()] = nil }
        }
    }

    /// How to fetch a URL. A URL that was not recorded gets no login and no access to private hosts. Any thread.
    public func access(to url: String) -> HTTPAccess {
        state.withLock { $0.accesses[url] } ?? HTTPAccess(namedHosts: [])
    }
}
