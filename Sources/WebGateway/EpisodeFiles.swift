internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel

/// Serves the files of episodes to browsers. One thread.
final class EpisodeFiles {
    /// Files that are sent at the same time; each has about half a megabyte in memory.
    private static let most = 64

    private let connection: ControlConnection
    private let transfers: EpisodeTransfers

    init(_ connection: ControlConnection) {
        self.connection = connection
        transfers = EpisodeTransfers(
            connection, headers: HTTPResponse.protection + [HTTPField("Cache-Control", "no-store")])
    }

    /// Reads more of the files whose clients have read what was sent.
    func process() { transfers.process() }

    /// Responds with the file, or with the reason why it cannot be read.
    func open(
        _ id: EpisodeID, _ exchange: HTTPExchange, _ request: HTTPRequest, _ level: CommandDeclaration.Permission
    ) {
        func refuse(_ problem: WebProblem) { exchange.respond(problem.response(to: request).finished(for: request)) }
        func fail(_ failure: ClientFailure) { refuse(WebProblem(failure)) }
        connection.retry()
        if transfers.count >= Self.most { return refuse(WebProblem.unreachable("too many files are being sent")) }
        if level >= .control { return transfers.begin(exchange, id, refuse: fail) }
        checkFeed(of: id) { [transfers] isPrivate in
            switch isPrivate {
            case .success(false): transfers.begin(exchange, id, refuse: fail)
            case .success(true): refuse(WebProblem(403, "Forbidden", "a file of a private feed needs 'control'"))
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// Finds whether an episode belongs to a private feed: a feed with a login, or with a user name, password or query in the feed's
    /// address. Single files, which have no feed, count as private.
    private func checkFeed(of id: EpisodeID, done: @escaping (Result<Bool, ClientFailure>) -> Void) {
        connection.send(ShowEpisode { $0.episode = id.label }) { [connection] shown in
            guard case .success(let shown) = shown else { return done(shown.map { _ in true }) }
            let feed = shown.episode.episode.feed.label
            connection.send(ShowFeed { $0.feed = feed }) { shown in
                guard case .success(let shown) = shown else { return done(shown.map { _ in true }) }
                let url = shown.feed.feed.url
                if url.isEmpty || redactingAddresses(in: url) != url { return done(.success(true)) }
                connection.send(ListFeedSettings { $0.feed = feed }) { listed in
                    let key = FeedSetting.username.rawValue
                    done(listed.map { $0.settings.contains { $0.key == key && $0.value != nil } })
                }
            }
        }
    }
}
