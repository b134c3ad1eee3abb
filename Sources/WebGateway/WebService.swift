internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Answers requests with the daemon's help. One thread.
final class WebService {
    private struct Stream {
        var parts: StatusParts
        let stream: HTTPStream
    }

    private static let heartbeat = Duration.seconds(15)

    private let connection: ControlConnection
    private let routes = WebRoutes()
    private let requestGuard: RequestGuard
    private let policy: AccessPolicy
    private let files: WebFiles
    private let maximumStreams: Int
    private let authenticator: Authenticator
    private var events = EventStreams()
    private var hasSnapshot = false
    private var isWatching = false
    private var streams: [Stream] = []
    private var nextHeartbeat: Instant?
    private lazy var openAPI = WebResponse(json: routes.openAPI(version: ProductVersion.current))

    /// - Parameter notify: called on another thread when `process` is to be called.
    init(
        connection: ControlConnection, settings: WebSettings, files: WebFiles, notify: @escaping @Sendable () -> Void
    ) {
        (self.connection, self.files) = (connection, files)
        requestGuard = RequestGuard(hosts: settings.hosts)
        maximumStreams = settings.eventStreams
        policy = AccessPolicy(local: settings.local)
        authenticator = Authenticator(settings, notify: notify)
    }

    /// When `keepAlive` must be called.
    var deadline: Instant? { nextHeartbeat }

    // MARK: requests

    /// Answers a request whose headers are there. Its body is received only from a caller who may do what the request asks for.
    func answer(_ exchange: HTTPExchange) {
        let request = WebRequest(exchange)
        attempt(exchange, request) { () throws(WebProblem) in
            try requestGuard.check(request)
            let needed = try routes.permission(for: request)
            authenticator.identify(request, at: .now, wallTime: .now) { [weak self] caller in
                self?.attempt(exchange, request) { [weak self] () throws(WebProblem) in
                    try self?.admit(exchange, request, try caller.get(), needed)
                }
            }
        }
    }

    private func attempt(_ exchange: HTTPExchange, _ request: WebRequest, _ body: () throws(WebProblem) -> Void) {
        do throws(WebProblem) {
            try body()
        } catch {
            exchange.respond(error.response(to: request), to: request)
        }
    }

    private func admit(
        _ exchange: HTTPExchange, _ request: WebRequest, _ caller: WebCaller,
        _ needed: CommandDeclaration.Permission?
    ) throws(WebProblem) {
        if let needed { try policy.require(needed, of: caller, isLocal: request.isLocal) }
        // The daemon, too, is held to what the caller may do.
        let level = policy.permission(of: caller, isLocal: request.isLocal) ?? .read
        exchange.receiveBody { [weak self] exchange in
            var request = request
            request.body = exchange.body
            self?.attempt(exchange, request) { [weak self] () throws(WebProblem) in
                try self?.perform(exchange, request, level)
            }
        }
    }

    private func perform(
        _ exchange: HTTPExchange, _ request: WebRequest, _ level: CommandDeclaration.Permission
    ) throws(WebProblem) {
        switch try routes.plan(for: request) {
        case .file(let name): exchange.respond(try files.response(name), to: request)
        case .openAPI: exchange.respond(openAPI, to: request)
        case .events(let parts): try open(exchange, request, parts)
        case .call(let call): perform(call, level, exchange, request)
        }
    }

    /// Ends checks of logins that are done.
    func process() { authenticator.process() }

    private func perform(
        _ call: WebCall, _ level: CommandDeclaration.Permission, _ exchange: HTTPExchange, _ request: WebRequest
    ) {
        connection.retry()
        connection.send(method: call.method, params: call.params, as: level) { outcome in
            var response = Self.response(outcome.map { $0.showing(to: level) }, call.shape)
            response.headers.append(WebField("X-Permission", level.name))
            exchange.respond(response, to: request)
        }
    }

    private static func response(_ outcome: Result<JSONValue, ClientFailure>, _ shape: WebCall.Shape) -> WebResponse {
        switch outcome {
        case .success(let value):
            guard shape == .picture else { return WebResponse(json: value) }
            guard let bytes = value["data"]?.stringValue.flatMap(Base64.bytes) else {
                return WebProblem.unreachable("the daemon's picture cannot be read").response
            }
            return WebResponse("image/jpeg", bytes)
        case .failure(.refused(let error)): return WebProblem(error).response
        case .failure(let failure): return WebProblem.unreachable(failure.text).response
        }
    }

    // MARK: events

    private func open(_ exchange: HTTPExchange, _ request: WebRequest, _ parts: [StatusPart]) throws(WebProblem) {
        streams.removeAll { $0.stream.isFinished }
        if streams.count >= maximumStreams { throw WebProblem.unreachable("too many event streams are open") }
        let stream = exchange.stream(
            200,
            headers: [
                HTTPField("Content-Type", "text/event-stream"), HTTPField("Cache-Control", "no-store"),
                HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("X-Frame-Options", "DENY"),
            ])
        streams.append(Stream(parts: parts.reduce(into: []) { $0.insert(StatusParts($1)) }, stream: stream))
        if hasSnapshot {
            stream.send(events.snapshot(of: parts, at: .now))
        } else {
            stream.send(EventStreams.heartbeat)
        }
        if !isWatching {
            isWatching = true
            connection.watch(StatusPart.allCases)
        }
        if nextHeartbeat == nil { nextHeartbeat = .now + Self.heartbeat }
    }

    /// Takes what the connection to the daemon reported.
    func take(_ event: ConnectionEvent) {
        switch event {
        case .greeted: break
        case .snapshot(let snapshot):
            events.take(snapshot)
            hasSnapshot = true
            send { events.snapshot(of: $0.parts.members, at: .now) }
        case .changed(let change):
            let event = events.take(change)
            send { $0.parts.contains(event.part) ? event.bytes : nil }
        case .lost:
            hasSnapshot = false
            send { _ in EventStreams.lost }
        }
    }

    /// Sends what keeps streams open, when it is time.
    func keepAlive(at now: Instant) {
        guard let due = nextHeartbeat, now >= due else { return }
        send { _ in EventStreams.heartbeat }
        nextHeartbeat = streams.isEmpty ? nil : now + Self.heartbeat
    }

    private func send(_ bytes: (Stream) -> [UInt8]?) {
        streams.removeAll { $0.stream.isFinished }
        for stream in streams {
            guard let bytes = bytes(stream) else { continue }
            if stream.stream.unreadBytes + bytes.count > EventStreams.maximumUnread {
                stream.stream.end()
            } else {
                stream.stream.send(bytes)
            }
        }
    }
}

extension WebRequest {
    init(_ exchange: HTTPExchange) {
        self.init(
            exchange.method, exchange.path, query: exchange.query.map { WebField($0.name, $0.value) },
            headers: exchange.headers.map { WebField($0.name, $0.value) }, body: exchange.body,
            address: exchange.address, isLocal: exchange.isLocal)
        // What a proxy passes on comes from elsewhere. Proxies without settings for it, such as nginx, use an older version of HTTP.
        if isForwarded || exchange.version == "HTTP/1.0" { isLocal = false }
    }
}

extension HTTPExchange {
    fileprivate func respond(_ response: WebResponse, to request: WebRequest) {
        let response = response.finished(for: request)
        respond(response.status, headers: response.fields, body: response.body)
    }
}

extension WebResponse {
    var fields: [HTTPField] { headers.map { HTTPField($0.name, $0.value) } }
}
