internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls

/// A range of bytes as a client asks for it (RFC 9110, section 14.1.2).
enum WantedBytes: Equatable {
    case all
    case from(Int64, to: Int64?)
    case last(Int64)

    /// - Parameter field: `Range`. Several ranges, and what is not valid, are answered with the whole file.
    init(_ field: String?) {
        self = .all
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }
        }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, to: nil)
        case (let first?, let last?) where first <= last && last < .max: self = .from(first, to: last + 1)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: break
        }
    }

    /// - Returns: the bytes of a file; empty if it does not have them.
    func bytes(of length: Int64) -> Range<Int64> {
        switch self {
        case .all: 0..<length
        case .from(let first, let end): first < length ? first..<min(end ?? length, length) : 0..<0
        case .last(let count): max(0, length - count)..<length
        }
    }
}

/// Serves the file of one episode at a random path, and receives events at another path.
final class EpisodeServer {
    private struct Transfer {
        let stream: HTTPStream
        let episode: EpisodeID
        var next: Int64
        let end: Int64
        var isReading = false
    }

    /// Bytes that wait for a client before more are read.
    private static let ahead = 256 << 10

    private let connection: ControlConnection
    private let noticed: () -> Void
    private var server: HTTPServer?
    private let address: String
    private let path: String
    private var transfers: [Int: Transfer] = [:]
    private var last = 0
    /// The only episode that is served.
    var episode: EpisodeID?

    /// - Parameters:
    ///   - local: a numeric address of this machine.
    ///   - noticed: called for each event.
    init(_ connection: ControlConnection, on local: String, noticed: @escaping () -> Void) throws {
        (self.connection, self.noticed) = (connection, noticed)
        var generator = SystemRandomNumberGenerator()
        path =
            "/" + (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36) }.joined()
        let listener = try InternetListener.listen(on: local, port: 0)
        address = "http://\(local):\(InternetListener.port(of: listener.raw) ?? 0)"
        var limits = HTTPServer.Limits()
        // A renderer that is paused does not read.
        (limits.connections, limits.timeoutSeconds, limits.bodyBytes) = (16, 3600, 64 << 10)
        server = try HTTPServer(listener: listener, limits: limits) { [weak self] in self?.answer($0) }
    }

    func url(of episode: EpisodeID) -> String { "\(address)\(path)/\(episode.rawValue)" }
    func coverURL(of episode: EpisodeID) -> String { url(of: episode) + "/cover.jpg" }
    var callback: String { "\(address)\(path)/event" }

    var waits: [PollEntry] { server.map { [PollEntry($0.descriptor)] } ?? [] }
    var deadline: Instant? { server?.nextTimeout.map { .now + $0 } }

    func process() {
        server?.run()
        transfers = transfers.filter { !$0.value.stream.isFinished }
        for (number, transfer) in transfers where transfer.stream.unreadBytes < Self.ahead && !transfer.isReading {
            read(number, transfer)
        }
    }

    private func answer(_ exchange: HTTPExchange) {
        let request = exchange.request
        guard let episode, request.path.hasPrefix(path) else { return exchange.respond(HTTPResponse(404)) }
        switch (request.method, String(request.path.dropFirst(path.count))) {
        case ("NOTIFY", "/event"):
            noticed()
            exchange.receiveBody { $0.respond(HTTPResponse(200)) }
        case ("GET", "/\(episode.rawValue)"), ("HEAD", "/\(episode.rawValue)"): begin(exchange, episode)
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

    /// Reads one byte first, for the length.
    private func begin(_ exchange: HTTPExchange, _ episode: EpisodeID) {
        let wanted = WantedBytes(exchange.request.headers.first { $0.name.lowercased() == "range" }?.value)
        connection.send(
            ReadEpisode {
                ($0.id, $0.count) = (episode, 1)
                if case .from(let first, _) = wanted { $0.offset = first }
            }
        ) { [weak self] result in
            guard let self, let reply = try? result.get() else { return exchange.respond(HTTPResponse(502)) }
            respond(exchange, episode, reply, wanted)
        }
    }

    private func respond(
        _ exchange: HTTPExchange, _ episode: EpisodeID, _ reply: EpisodeBytesReply, _ wanted: WantedBytes
    ) {
        var headers = [
            HTTPField("Content-Type", reply.mediaType), HTTPField("transferMode.dlna.org", "Streaming"),
            HTTPField("contentFeatures.dlna.org", UPnPMessages.features),
        ]
        var (range, status) = (0..<Int64.max, 200)
        if let length = reply.length {
            headers.append(HTTPField("Accept-Ranges", "bytes"))
            range = wanted.bytes(of: length)
            if wanted != .all {
                guard !range.isEmpty else {
                    return exchange.respond(HTTPResponse(416, [HTTPField("Content-Range", "bytes */\(length)")]))
                }
                status = 206
                headers.append(
                    HTTPField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"))
            }
        }
        let stream = exchange.stream(
            status, headers: headers, length: reply.length == nil ? nil : UInt64(range.upperBound - range.lowerBound))
        guard exchange.request.method == "GET" else { return stream.end() }
        last += 1
        transfers[last] = Transfer(stream: stream, episode: episode, next: range.lowerBound, end: range.upperBound)
    }

    private func read(_ number: Int, _ transfer: Transfer) {
        guard transfer.next < transfer.end, transfer.episode == episode else {
            transfers[number] = nil
            return transfer.stream.end()
        }
        transfers[number]?.isReading = true
        connection.send(
            ReadEpisode {
                ($0.id, $0.offset) = (transfer.episode, transfer.next)
                $0.count = Int(min(transfer.end - transfer.next, Int64(ReadEpisode.mostBytes)))
            }
        ) { [weak self] result in
            // A body that ends too early shows the client that something failed.
            guard let bytes = (try? result.get()).flatMap({ Base64.bytes(of: $0.data) }), !bytes.isEmpty else {
                self?.transfers[number] = nil
                return transfer.stream.end()
            }
            transfer.stream.send(bytes)
            self?.transfers[number]?.next += Int64(bytes.count)
            self?.transfers[number]?.isReading = false
        }
    }
}

extension EpisodeBytesReply {
    /// A type that can be a header.
    var mediaType: String {
        type.flatMap { SafeText.isOneLine($0) && $0.utf8.count < 100 && !$0.isEmpty ? $0 : nil } ?? "audio/mpeg"
    }
}
