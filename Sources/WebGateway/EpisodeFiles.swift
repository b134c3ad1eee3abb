internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import EpisodeServing
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

    /// Goes on with files that clients have read meanwhile.
    func process() { transfers.process() }

    /// Responds with the file, or with the reason why it cannot be read.
    func open(
        _ id: EpisodeID, _ exchange: HTTPExchange, _ request: HTTPRequest, _ level: CommandDeclaration.Permission
    ) {
        func refuse(_ problem: WebProblem) {
            exchange.respond(problem.response(to: request).finished(for: request))
        }
        func refuse(_ failure: ClientFailure) {
            if case .refused(let error) = failure { return refuse(WebProblem(error)) }
            refuse(WebProblem.unreachable(failure.text))
        }
        func begin() { transfers.begin(exchange, id, refuse: refuse) }
        connection.retry()
        guard transfers.count < Self.most else {
            return refuse(WebProblem.unreachable("too many files are being sent"))
        }
        if level >= .control { return begin() }
        checkWhetherFeedIsPrivate(of: id) { result in
            switch result {
            case .success(false): begin()
            case .success(true):
                refuse(WebProblem(403, "Forbidden", "permission 'control' is needed for files of private feeds"))
            case .failure(let failure): refuse(failure)
            }
        }
    }

    /// Whether the feed of an episode has a login, or a user name, a password or a query in its address, or is that of single files.
    private func checkWhetherFeedIsPrivate(
        of id: EpisodeID, done: @escaping (Result<Bool, ClientFailure>) -> Void
    ) {
        connection.send(ShowEpisode { $0.episode = id.label }) { [connection] shown in
            do throws(ClientFailure) {
                let feed = try shown.get().episode.episode.feed.label
                connection.send(ShowFeed { $0.feed = feed }) { shown in
                    guard case .success(let reply) = shown else { return done(shown.map { _ in true }) }
                    let url = reply.feed.feed.url
                    if url.isEmpty || redactingAddresses(in: url) != url { return done(.success(true)) }
                    connection.send(ListFeedSettings { $0.feed = feed }) { settings in
                        done(settings.map { $0.settings.contains { $0.key == FeedSetting.username.rawValue && $0.value != nil } })
                    }
                }
            } catch {
                done(.failure(error))
            }
        }
    }
}
