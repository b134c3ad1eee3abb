internal import PodcastModel

/// State machine of one transfer, without libcurl, delegate and clock. `HTTPTransfer` performs its actions.
///
///     created ─> resolving ─> waiting ──> receiving <─> paused
///                    ▲          │ │ ▲         ▲
///                    │ redirect │ │ │ login   │ body: the login was not used
///                    └──────────┘ ▼ │ sent    │
///                              challenged ────┘
///
/// `stopping` and `ended` can follow every state.
struct TransferMachine {
    enum Phase {
        case created
        /// libcurl resolves the host of the first URL or of a redirect.
        case resolving
        /// An address is known; the head of the final response is not complete yet.
        case waiting
        /// The response requires a login. Its head is final only if libcurl does not answer with a login.
        case challenged(HTTPHead)
        case receiving, paused
        /// A callback makes libcurl stop: because of a failure, or because only the head is needed.
        case stopping(HTTPError?)
        case ended(abandonsLookup: Bool)
    }

    enum HeaderLine {
        /// `url` is the URL that answers.
        case status(Int, url: String)
        /// With its line ending.
        case field([UInt8])
        case end
    }

    enum Event {
        case started
        /// An address cannot be used.
        case obstacle(HTTPError.Kind, String)
        /// A socket was opened, or the request is sent on a connection.
        case connected
        case headerLine(HeaderLine, bytes: Int)
        case body(Int)
        /// Bytes of bodies received so far, not decoded.
        case progress(received: Int64)
        case pause, resume, cancel
        /// libcurl is done; `url` is the last requested URL.
        case finished(HTTPError?, url: String)
        /// The transfer is removed from libcurl.
        case failed(HTTPError)
    }

    enum Action {
        case proceed, stop
        /// Deliver the head. If the event was not the head's last line, handle the event again.
        case deliver(HTTPHead)
        case deliverBody, pause, resume
        /// Report the end; nil means success.
        case complete(HTTPError?)
    }

    let request: HTTPRequest
    private(set) var phase = Phase.created
    private(set) var hops: [HTTPHop] = []
    /// Decoded bytes of the final response's body.
    private(set) var bodyBytes: Int64 = 0
    private var lastActivity: Instant
    private var headers = HTTPHeaders()
    private var status = 0
    private var url: String
    private var headerBytes = 0
    /// Why the last address could not be used. libcurl itself reports only that it could not connect.
    private var obstacle: HTTPError?
    /// The request to make instead, without decoding: libcurl refuses the body of an answer with a coding that it does not know.
    private var undecoded: HTTPRequest?

    init(_ request: HTTPRequest, now: Instant) {
        self.request = request
        url = request.url
        lastActivity = now
    }

    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// True if the head of the final response is still missing.
    var awaitsHead: Bool {
        switch phase {
        case .created, .resolving, .waiting, .challenged: true
        case .receiving, .paused, .stopping, .ended: false
        }
    }

    var isEnding: Bool {
        switch phase {
        case .stopping, .ended: true
        case .created, .resolving, .waiting, .challenged, .receiving, .paused: false
        }
    }

    /// The longest time without activity.
    private var patience: Duration { awaitsHead ? request.timeouts.firstByte : request.timeouts.stall }

    /// When the transfer fails without activity; nil while it may rest.
    var deadline: Instant? {
        if isEnding { return nil }
        if case .paused = phase { return nil }
        return lastActivity + patience
    }

    /// The failure after `deadline`.
    var timeout: HTTPError {
        let limit = patience
        return HTTPError(.timeout, "\(awaitsHead ? "no answer" : "no data") for \(limit.readable)", hops: hops)
    }

    mutating func handle(_ event: Event, now: Instant) -> Action {
        switch event {
        case .started: if case .created = phase { phase = .resolving }
        case .obstacle(let kind, let message): found(obstacle: HTTPError(kind, message, hops: hops))
        case .connected: found(obstacle: nil)
        case .headerLine(let line, let bytes): return take(line, bytes, now: now)
        case .body(let count): return take(body: count, now: now)
        case .progress(let received):
            guard received - bodyBytes > request.maximumUndeliveredBytes, !isEnding else { return .proceed }
            return stop(.coding, "\(received) bytes of body were received and only \(bodyBytes) came out of them")
        case .pause:
            guard case .receiving = phase else { return .proceed }
            phase = .paused
            return .pause
        case .resume:
            guard case .paused = phase else { return .proceed }
            phase = .receiving
            lastActivity = now
            return .resume
        case .cancel: end()
        case .finished(let error, let url): return finish(error, url)
        case .failed(let error):
            guard !hasEnded else { return .proceed }
            end()
            return .complete(error)
        }
        return .proceed
    }

    /// - Returns: whether the same request must be made again, as a new one.
    mutating func beginAgain(now: Instant) -> Bool {
        guard !hasEnded, let undecoded else { return false }
        self = TransferMachine(undecoded, now: now)
        return true
    }

    private mutating func found(obstacle: HTTPError?) {
        self.obstacle = obstacle
        if case .resolving = phase { phase = .waiting }
    }

    private mutating func stop(_ kind: HTTPError.Kind, _ message: String) -> Action {
        phase = .stopping(HTTPError(kind, message, hops: hops))
        return .stop
    }

    private mutating func end() {
        if hasEnded { return }
        let isResolving = if case .resolving = phase { true } else { false }
        phase = .ended(abandonsLookup: isResolving)
    }

    /// Replaces the newest hop's target by libcurl's URL, because relative targets are resolved there.
    private mutating func resolveHop(_ url: String) {
        if let last = hops.indices.last, hops[last].from != url { hops[last].to = url }
        self.url = url
    }

    private mutating func finish(_ error: HTTPError?, _ url: String) -> Action {
        switch (phase, error) {
        case (.ended, _): return .proceed
        case (.stopping(let failure), _):
            end()
            return .complete(failure)
        case (_, var error?):
            // Only libcurl's own time limit can end a lookup without its result.
            if error.kind != .timeout, case .resolving = phase { phase = .waiting }
            end()
            resolveHop(url)
            error = obstacle ?? error
            error.hops = hops
            return .complete(error)
        case (.challenged(let head), nil):
            phase = .receiving
            return .deliver(head)
        case (_, nil):
            phase = .ended(abandonsLookup: false)
            return .complete(nil)
        }
    }

    // MARK: Answers

    private mutating func take(_ line: HeaderLine, _ bytes: Int, now: Instant) -> Action {
        if isEnding { return .stop }
        lastActivity = now
        headerBytes += bytes
        if headerBytes > request.maximumHeaderBytes {
            return stop(.tooLarge, "the header of the answer is longer than \(request.maximumHeaderBytes) bytes")
        }
        // Lines after the head are trailers, which are not needed.
        guard awaitsHead else { return .proceed }
        switch line {
        case .status(let status, let url):
            resolveHop(url)
            headers.removeAll()
            self.status = status
            phase = .waiting
        case .field(let line): headers.append(line: line)
        case .end: return endHead()
        }
        return .proceed
    }

    private mutating func endHead() -> Action {
        if (100..<200).contains(status) { return .proceed }
        // libcurl follows every 3xx with a location.
        if (300..<400).contains(status), request.maximumRedirects > 0, let place = headers["location"], !place.isEmpty {
            hops.append(HTTPHop(status: status, from: url, to: place))
            phase = .resolving
            return .proceed
        }
        let head = HTTPHead(status: status, headers: headers, effectiveURL: url, hops: hops)
        let refusal = request.method == .get ? BodyCodings.refusal(headers, request.contentCoding) : nil
        // libcurl may answer a 401 with the login, so it cannot be stopped there.
        let isLogin = status == 401 && request.credentials != nil
        if let refusal, (200..<300).contains(status) || isLogin { return stop(.coding, refusal) }
        if isLogin {
            phase = .challenged(head)
            return .proceed
        }
        if request.contentCoding == .gzip, (200..<300).contains(status), BodyCodings.areMistaken(headers) {
            undecoded = request
            undecoded?.contentCoding = .identity
            phase = .stopping(nil)
            return .stop
        }
        phase = refusal == nil ? .receiving : .stopping(nil)
        return .deliver(head)
    }

    private mutating func take(body count: Int, now: Instant) -> Action {
        if isEnding { return .stop }
        if case .challenged(let head) = phase {
            phase = .receiving
            return .deliver(head)
        }
        lastActivity = now
        bodyBytes += Int64(count)
        return .deliverBody
    }
}

/// The accepted codings of a body. With `Content-Encoding` and `Transfer-Encoding` a server chooses how much work each
/// byte causes, so they are checked before the first byte of the body.
enum BodyCodings {
    /// Codings that zlib decodes (RFC 9110, 8.4.1).
    private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate"]
    private static let compressions = decoded.union(["br", "zstd", "compress", "x-compress"])
    /// Sent by some servers for a body without a coding, and known to libcurl.
    private static let none: Set<String> = ["identity", "none"]

    /// Whether the only codings are no compressions, such as `utf-8` and `aws-chunked`: the body has none.
    static func areMistaken(_ headers: HTTPHeaders) -> Bool {
        let codings = headers.list("content-encoding").filter { !none.contains($0) }
        return !codings.isEmpty && compressions.isDisjoint(with: codings)
    }

    /// Why a body with these header fields is refused; nil if it is accepted.
    static func refusal(_ headers: HTTPHeaders, _ wanted: HTTPRequest.ContentCoding) -> String? {
        // libcurl decodes these too, although it does not offer any.
        if let coding = headers.list("transfer-encoding").first(where: { $0 != "chunked" && $0 != "identity" }) {
            return "the transfer coding '\(coding)' is not supported"
        }
        let codings = headers.list("content-encoding").filter(compressions.contains)
        guard let first = codings.first else { return nil }
        if wanted == .identity {
            return "the body is compressed (Content-Encoding: \(first)) although that was declined"
        }
        if codings.count > 1 { return "the body has \(codings.count) content codings; only one is accepted" }
        return decoded.contains(first) ? nil : "the content coding '\(first)' was not offered"
    }
}
