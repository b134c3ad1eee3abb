internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls

/// Serves the file of one episode at a random path, and receives events at another path.
final class EpisodeServer {
    private let connection: ControlConnection
    /// Called for each event.
    var noticed: () -> Void = {}
    private var server: HTTPServer?
    private let address: String
    private let path: String
    private let transfers: EpisodeTransfers
    /// The only episode that is served.
    var episode: EpisodeID?

    /// - Parameters:
    ///   - local: a numeric address of this machine.
    ///   - player: the numeric address of the player, which always finds room.
    init(_ connection: ControlConnection, on local: String, for player: String) throws {
        self.connection = connection
        transfers = EpisodeTransfers(
            connection,
            headers: [
                HTTPField("transferMode.dlna.org", "Streaming"),
                HTTPField("contentFeatures.dlna.org", UPnPMessages.features),
            ])
        path = "/" + Secret.make()
        let listener = try InternetListener.listen(on: local, port: 0)
        address = "http://\(local):\(InternetListener.port(of: listener.raw) ?? 0)"
        var limits = HTTPServer.Limits()
        // A renderer that is paused does not read. Others in the network must not keep the renderer out.
        limits.connections = 64
        limits.favored = (player, others: 16)
        limits.connectionsPerAddress = 8
        limits.timeoutSeconds = 3600
        limits.requestSeconds = 10
        limits.bodyBytes = 64 << 10
        transfers.isServed = { [weak self] in $0 == self?.episode }
        server = try HTTPServer(listener: listener, limits: limits) { [weak self] in self?.answer($0) }
    }

    func url(of episode: EpisodeID) -> String { "\(address)\(path)/\(episode.rawValue)" }
    func coverURL(of episode: EpisodeID) -> String { url(of: episode) + "/cover.jpg" }
    var callback: String { "\(address)\(path)/event" }

    var waits: [PollEntry] { server.map { [PollEntry($0.descriptor)] } ?? [] }
    var deadline: Instant? { server?.nextTimeout.map { .now + $0 } }

    func process() {
        server?.run()
        transfers.process()
    }

    private func answer(_ exchange: HTTPExchange) {
        let request = exchange.request
        guard let episode, request.path.hasPrefix(path) else { return exchange.respond(HTTPResponse(404)) }
        switch (request.method, String(request.path.dropFirst(path.count))) {
        case ("NOTIFY", "/event"):
            noticed()
            exchange.receiveBody { $0.respond(HTTPResponse(200)) }
        case ("GET", "/\(episode.rawValue)"), ("HEAD", "/\(episode.rawValue)"):
            transfers.begin(exchange, episode) { _ in exchange.respond(HTTPResponse(502)) }
        case ("GET", "/\(episode.rawValue)/cover.jpg"):
            connection.send(GetPicture { $0.what = episode.label }) { result in
                let picture = (try? result.get()).flatMap { Base64.bytes(of: $0.data) }
                exchange.respond(
                    picture.map { HTTPResponse(200, [HTTPField("Content-Type", "image/jpeg")], body: $0) }
                        ?? HTTPResponse(404))
            }
        case _: exchange.respond(HTTPResponse(404))
        }
    }
}
