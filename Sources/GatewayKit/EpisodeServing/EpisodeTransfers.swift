public import ControlClient
public import ControlProtocol
public import HTTPServing
public import PodcastModel
internal import ControlLanguage

/// A range of bytes as a client asks for it (RFC 9110, section 14.1.2).
public enum WantedBytes: Equatable, Sendable {
    case all
    case from(Int64, to: Int64?)
    case last(Int64)

    /// - Parameter field: `Range`. Several ranges, and what is not valid, are answered with the whole file.
    public init(_ field: String?) {
        self = .all
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).fields(separatedBy: "-").map {
            $0.drop { $0 == " " }
        }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, to: nil)
        case (let first?, let last?) where first <= last && last < .max: self = .from(first, to: last + 1)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: break
        }
    }

    /// - Returns: the bytes of a file; empty if it does not have them.
    public func bytes(of length: Int64) -> Range<Int64> {
        switch self {
        case .all: 0..<length
        case .from(let first, let end): first < length ? first..<min(end ?? length, length) : 0..<0
        case .last(let count): max(0, length - count)..<length
        }
    }
}

/// Sends files of episodes to HTTP clients, and reads the files from the daemon as fast as the clients read. Used on the thread of the
/// server and of the connection.
public final class EpisodeTransfers {
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
    /// Headers of each response with a file.
    private let headers: [HTTPField]
    private var transfers: [Int: Transfer] = [:]
    private var last = 0
    /// Whether an episode may still be sent. If not, its transfers end, and clients see that the body is too short.
    public var isServed: (EpisodeID) -> Bool = { _ in true }

    public init(_ connection: ControlConnection, headers: [HTTPField]) {
        self.connection = connection
        self.headers = headers
    }

    /// Number of files that are being sent.
    public var count: Int { transfers.count }

    /// Responds to GET or HEAD with the file, or with the range that the client asks for. Reads one byte first, for the length.
    /// - Parameter refuse: responds if the file cannot be read.
    public func begin(_ exchange: HTTPExchange, _ episode: EpisodeID, refuse: @escaping (ClientFailure) -> Void) {
        let wanted = WantedBytes(exchange.request.headers.first { $0.name.lowercased() == "range" }?.value)
        connection.send(
            ReadEpisode {
                $0.id = episode
                $0.count = 1
                if case .from(let first, _) = wanted { $0.offset = first }
            }
        ) { [weak self] result in
            switch result {
            case .success(let reply): self?.respond(exchange, episode, reply, wanted)
            case .failure(let failure): refuse(failure)
            }
        }
    }

    /// Reads more of the files whose clients have read what was sent.
    public func process() {
        transfers = transfers.filter { !$0.value.stream.isFinished }
        for (number, transfer) in transfers where transfer.stream.unreadBytes < Self.ahead && !transfer.isReading {
            read(number, transfer)
        }
    }

    private func end(_ number: Int, _ transfer: Transfer) {
        transfers[number] = nil
        transfer.stream.end()
    }

    private func respond(
        _ exchange: HTTPExchange, _ episode: EpisodeID, _ reply: EpisodeBytesReply, _ wanted: WantedBytes
    ) {
        var headers = [HTTPField("Content-Type", reply.mediaType)] + self.headers
        var range = 0..<Int64.max
        var status = 200
        if let length = reply.length {
            headers.append(HTTPField("Accept-Ranges", "bytes"))
            range = wanted.bytes(of: length)
            if wanted != .all {
                guard !range.isEmpty else {
                    return exchange.respond(
                        HTTPResponse(416, self.headers + [HTTPField("Content-Range", "bytes */\(length)")]))
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
        if transfer.next >= transfer.end || !isServed(transfer.episode) { return end(number, transfer) }
        transfers[number]?.isReading = true
        connection.send(
            ReadEpisode {
                $0.id = transfer.episode
                $0.offset = transfer.next
                $0.count = Int(min(transfer.end - transfer.next, Int64(ReadEpisode.mostBytes)))
            }
        ) { [weak self] result in
            // A body that ends too early shows the client that something failed.
            guard let bytes = (try? result.get()).flatMap({ Base64.bytes(of: $0.data) }), !bytes.isEmpty else {
                self?.end(number, transfer)
                return
            }
            transfer.stream.send(bytes)
            self?.transfers[number]?.next += Int64(bytes.count)
            self?.transfers[number]?.isReading = false
        }
    }
}

extension EpisodeBytesReply {
    /// The file's type for the header Content-Type. A file with another type than audio, video or Ogg is sent as audio/mpeg, because a
    /// browser would show HTML or run a script of the publisher.
    public var mediaType: String {
        guard let type, SafeText.isOneLine(type), type.utf8.count < 100,
            ["audio/", "video/", "application/ogg"].contains(where: type.lowercased().hasPrefix)
        else { return "audio/mpeg" }
        return type
    }
}
