internal import HTTP
internal import Library
internal import LibraryModel
internal import Logins
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// As whom each episode is fetched, by the URL under which it is played: what its feed was given by the user.
///
/// The library's reading thread notes it whenever the player asks what an episode is; the fetching thread reads it.
final class MediaAccess: Sendable {
    /// URLs that are remembered; the oldest goes first.
    private static let longest = 256

    private struct State {
        var order: [String] = []
        var accesses: [String: HTTPAccess] = [:]
    }

    private let logins: LoginFile
    private let state = Mutex(State())

    /// Nothing is known yet.
    init(logins: LoginFile) { self.logins = logins }

    /// Notes whose episode is about to be fetched. On a thread that may wait for the disk; reads the file of logins.
    func note(_ url: String, of feed: FeedID, in store: LibraryStore) {
        // An episode without a feed was named by the user.
        var access = HTTPAccess()
        if let feed = try? store.feed(feed) {
            access.namedHosts = [HTTPURL.host(of: feed.url) ?? ""]
            access.userAgent = try? store.settings(of: feed.id)[FeedSetting.userAgent.rawValue]
            access.login = (try? logins.read())?.login(ofFeedAt: [feed.url] + feed.formerURLs)?.requestLogin
        }
        state.withLock { state in
            if state.accesses.updateValue(access, forKey: url) == nil { state.order.append(url) }
            if state.order.count > Self.longest { state.accesses[state.order.removeFirst()] = nil }
        }
    }

    /// How a URL is fetched; one that nobody noted, as anybody and nowhere private. Any thread.
    func access(to url: String) -> HTTPAccess {
        state.withLock { $0.accesses[url] } ?? HTTPAccess(namedHosts: [])
    }
}
