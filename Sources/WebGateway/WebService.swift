internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Serves HTTP on all listening sockets, and answers requests with the daemon's help. One thread.
final class WebService: GatewayService {
    private struct Stream {
        var parts: StatusParts
        /// What the client may see.
        let level: CommandDeclaration.Permission
        let stream: HTTPStream
    }

    private static let heartbeat = Duration.seconds(15)
    /// Long commands of one caller, which all wait at the only connection to the daemon.
    private static let mostRunning = 4

    let connection: ControlConnection
    private let wakeUp: EventDescriptor
    private var servers: [HTTPServer] = []
    private let routes = WebRoutes()
    private let requestGuard: RequestGuard
    private let policy: AccessPolicy
    private let files: WebFiles
    private let maximumStreams: Int
    private let authenticator: Authenticator
    private let peers: Peers
    private let sound: SoundStreams
    private let sync: SyncService
    private let episodes: EpisodeFiles
    private var logins: BrowserLogins
    private let settings: WebSettings
    /// Long commands that run, by their callers.
    private var running: [String: Int] = [:]
    private var model = ClientModel()
    private var events = EventStreams()
    private var hasSnapshot = false
    private var isWatching = false
    private var streams: [Stream] = []
    private var nextHeartbeat: Instant?
    private lazy var openAPI = HTTPResponse(json: routes.openAPI(version: ProductVersion.current))

    /// - Parameters:
    ///   - listeners: listening sockets, which the service owns from now on.
    ///   - endedLogins: the file that keeps which logins were ended.
    init(
        connection: ControlConnection, settings: WebSettings, files: WebFiles, listeners: [Int32],
        endedLogins: String? = nil
    ) throws(ToolFailure) {
        let wakeUp = try ToolFailure.wrapping(.software) { try EventDescriptor() }
        self.connection = connection
        self.files = files
        self.wakeUp = wakeUp
        sound = SoundStreams(source: StoredFile.folder(of: connection.path) + "/sound")
        sync = SyncService(connection, settings)
        episodes = EpisodeFiles(connection)
        requestGuard = RequestGuard(hosts: settings.hosts)
        maximumStreams = settings.eventStreams
        policy = AccessPolicy(local: settings.local, hasUsers: !settings.users.isEmpty)
        logins = BrowserLogins(settings, file: endedLogins)
        self.settings = settings
        let link = listeners.lazy.compactMap(InternetListener.port).first.map {
            LoginLink(beside: connection.path, port: $0)
        }
        peers = Peers(settings.peers, at: .now)
        authenticator = Authenticator(settings, link) { wakeUp.signal() }
        var limits = HTTPServer.Limits()
        limits.connections = UInt32(settings.clients)
        limits.connectionsPerAddress = UInt32(settings.clientsPerAddress)
        let noRoom = WebProblem.unreachable("too many long requests at the same time; try again").response
        for listener in listeners {
            do throws(HTTPServingError) {
                servers.append(
                    try HTTPServer(
                        listener: FileDescriptor(owning: listener), limits: limits,
                        tooLong: { WebProblem.bodyTooLong(limit: $0).response }, noRoom: noRoom
                    ) { [weak self] in self?.answer($0) })
            } catch {
                throw ToolFailure(.software, "the HTTP server cannot start: \(error)")
            }
        }
    }

    // MARK: the loop

    var waits: [PollEntry] { servers.map { PollEntry($0.descriptor) } + [PollEntry(wakeUp.raw)] + sound.waits }

    var deadline: Instant? {
        ([nextHeartbeat].compactMap(\.self) + servers.compactMap(\.nextTimeout).map { Instant.now + $0 }).min()
    }

    var staysWhenRefused: Bool { true }

    func process() {
        for event in connection.process() { receive(event) }
        wakeUp.clear()
        authenticator.process()
        keepStreamsOpen(at: .now)
        sync.process()
        sound.process()
        for server in servers { server.run() }
        episodes.process()
    }

    // MARK: requests

    /// Answers a request whose headers are there. The body is received only from a caller who may do what the request asks for.
    private func answer(_ exchange: HTTPExchange) {
        var request = exchange.request
        // What a proxy passes on comes from elsewhere. Proxies without settings for it, such as nginx, use an older version of HTTP.
        if request.isForwarded || request.version == "HTTP/1.0" { request.isLocal = false }
        attempt(exchange, request) { [request] () throws(WebProblem) in
            try requestGuard.check(request)
            let plan = try routes.plan(for: request)
            switch try peers.identify(request, at: .now, .now) {
            case .other: break
            case .peer(let peer):
                try peer.check(plan, request)
                return try admit(exchange, request, .peer(peer), plan)
            case .late(let peer):
                var response = WebProblem.unauthorized(
                    "the clocks of both machines differ, or the request is an old one"
                )
                .response
                response.headers += peer.headers(status: response.status, body: response.body)
                return exchange.respond(response, to: request)
            }
            identify(request, plan) { [self] caller in
                attempt(exchange, request) { () throws(WebProblem) in
                    try admit(exchange, request, try caller.get(), plan)
                }
            }
        }
    }

    /// The app password of a device is read for each of its requests, so that a device that was removed is refused at once.
    private func identify(
        _ request: HTTPRequest, _ plan: WebPlan, done: @escaping (Result<WebCaller, WebProblem>) -> Void
    ) {
        var device: String?
        var cookie: WebCaller?
        if case .sync = plan {
            device = Credentials(request.header("Authorization")).device
            cookie = sync.sessions.caller(of: request, at: .now)
            if device == nil, case .known(_, _, let name)? = cookie { device = name }
        }
        let check = { [authenticator] (found: AppPasswordReply?) in
            authenticator.identify(request, found, at: .now, wallTime: .now, done: done)
        }
        guard let device else { return check(nil) }
        connection.retry()
        connection.send(ShowPassword { $0.name = device }) { [self] outcome in
            switch outcome {
            case .success(let found): check(found)
            case .failure(.refused):
                if let cookie, case .known(_, _, device) = cookie { sync.sessions.end(of: cookie) }
                check(nil)
            case .failure(let failure): done(.failure(WebProblem(failure)))
            }
        }
    }

    private func attempt(_ exchange: HTTPExchange, _ request: HTTPRequest, _ body: () throws(WebProblem) -> Void) {
        do throws(WebProblem) {
            try body()
        } catch {
            exchange.respond(error.response(to: request), to: request)
        }
    }

    private func admit(
        _ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller, _ plan: WebPlan
    ) throws(WebProblem) {
        var caller = caller
        if caller == .anonymous {
            let known =
                if case .sync = plan { sync.sessions.caller(of: request, at: .now) } else {
                    logins.caller(of: request, at: .now)
                }
            caller = known ?? .anonymous
        }
        if let needed = plan.permission { try policy.require(needed, of: caller, isLocal: request.isLocal) }
        // The daemon checks the caller's permission, too.
        let level = policy.permission(of: caller, isLocal: request.isLocal) ?? .read
        exchange.receiveBody(atMost: plan.bodyBytes) { [self, caller] exchange in
            var request = request
            request.body = exchange.request.body
            attempt(exchange, request) { [request] () throws(WebProblem) in
                if case .peer(let peer) = caller { try peer.check(request.body) }
                try perform(plan, exchange, request, caller, level)
            }
        }
    }

    private func perform(
        _ plan: WebPlan, _ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller,
        _ level: CommandDeclaration.Permission
    ) throws(WebProblem) {
        let rights =
            [HTTPField("X-Permission", level.rawValue)] + (caller == .anonymous ? [] : [HTTPField("X-Login", "yes")])
        switch plan {
        case .file(let name): exchange.respond(try files.response(name, to: request), to: request)
        case .openAPI: exchange.respond(openAPI, to: request)
        case .events(let parts): try open(exchange, parts, level, rights + Self.proof(caller, 200, nil))
        case .audio(let id): episodes.open(id, exchange, request, level)
        case .sync(let step): try sync.perform(step, exchange, request, caller)
        case .session(let isBeginning): try answerSession(isBeginning, exchange, request, caller)
        case .logins(let id): try answerLogins(ending: id, exchange, request)
        case .pairing: try sync.pairing.pair(exchange, request, caller)
        case .sound(let form):
            if !isWatching { watch() }
            connection.send(ListOutputs()) { [self] outputs in
                let output = (try? outputs.get())?.rows.first { $0.kind == "http" }
                let name = output?.specification.dropFirst("http:".count).prefix { $0 != "?" } ?? ""
                attempt(exchange, request) { () throws(WebProblem) in
                    try sound.open(form, exchange, station: name.isEmpty ? "podcastd" : String(name))
                }
            }
        case .command(let command):
            var params = try command.parameters(of: request)
            if case .peer(let peer) = caller { params = peer.parameters(params, of: command) }
            let who =
                command.declaration.isLong && command.declaration.permission > .read
                ? "\(caller) \(request.address)" : nil
            if let who {
                if running[who, default: 0] >= Self.mostRunning {
                    throw WebProblem(
                        429, "Too many requests", "\(Self.mostRunning) of your long commands are running already")
                }
                running[who, default: 0] += 1
            }
            connection.retry()
            connection.send(method: command.declaration.name, params: params, as: level) { [self] outcome in
                if let who, let count = running[who] { running[who] = count > 1 ? count - 1 : nil }
                var response = Self.response(outcome, isPicture: command.isPicture)
                response.headers += rights + Self.proof(caller, response.status, response.body)
                exchange.respond(response, to: request)
            }
        }
    }

    /// Headers by which a peer recognizes this podcastd.
    private static func proof(_ caller: WebCaller, _ status: Int, _ body: [UInt8]?) -> [HTTPField] {
        if case .peer(let peer) = caller { peer.headers(status: status, body: body) } else { [] }
    }

    private func answerSession(
        _ isBeginning: Bool, _ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller
    ) throws(WebProblem) {
        var headers: [HTTPField] = []
        if isBeginning {
            let stays = try WebCommand.body(of: request).contains { $0.name == "stay" && $0.value == true }
            // A caller without a login needs no cookie.
            if caller != .anonymous { headers = [try logins.cookie(for: caller, stays: stays, request, at: .now)] }
        } else {
            if let browser = logins.browser(of: request, at: .now) { logins.end(browser.id, at: .now) }
            headers = [request.cookie(BrowserLogins.cookie, "", lasting: 0)]
        }
        exchange.respond(HTTPResponse(204, headers), to: request)
    }

    private func answerLogins(ending id: String?, _ exchange: HTTPExchange, _ request: HTTPRequest) throws(WebProblem) {
        if let id {
            guard logins.browsers[id] != nil else { throw .notFound }
            logins.end(id, at: .now)
        }
        exchange.respond(HTTPResponse(json: logins.list(settings, for: request, at: .now)), to: request)
    }

    private static func response(_ outcome: Result<JSONValue, ClientFailure>, isPicture: Bool) -> HTTPResponse {
        switch outcome {
        case .success(let value):
            if !isPicture { return HTTPResponse(json: value) }
            guard let bytes = value["data"]?.stringValue.flatMap(Base64.bytes) else {
                return WebProblem.unreachable("the daemon's picture cannot be read").response
            }
            return HTTPResponse("image/jpeg", bytes)
        case .failure(let failure): return WebProblem(failure).response
        }
    }

    // MARK: events

    private func open(
        _ exchange: HTTPExchange, _ parts: [StatusPart], _ level: CommandDeclaration.Permission, _ rights: [HTTPField]
    ) throws(WebProblem) {
        streams.removeAll { $0.stream.isFinished }
        if streams.count >= maximumStreams { throw WebProblem.unreachable("too many event streams are open") }
        let stream = exchange.stream(
            200,
            headers: [
                HTTPField("Content-Type", "text/event-stream"), HTTPField("Cache-Control", "no-store"),
                HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("X-Frame-Options", "DENY"),
                .unbuffered,
            ] + rights)
        let watched = parts.reduce(into: StatusParts()) { $0.insert(StatusParts($1)) }
        streams.append(Stream(parts: watched, level: level, stream: stream))
        if hasSnapshot {
            stream.send(events.snapshot(of: parts, at: .now, to: level))
        } else {
            stream.send(EventStreams.heartbeat)
        }
        if !isWatching { watch() }
        if nextHeartbeat == nil { nextHeartbeat = .now + Self.heartbeat }
    }

    private func watch() {
        isWatching = true
        connection.watch(StatusPart.allCases)
    }

    private func receive(_ event: ConnectionEvent) {
        model.apply(event)
        sound.title = model.title
        switch event {
        case .greeted: break
        case .snapshot(let snapshot):
            events.receive(snapshot)
            hasSnapshot = true
            send { events.snapshot(of: $0.parts.members, at: .now, to: $0.level) }
        case .changed(let change):
            let event = events.receive(change)
            send { $0.parts.contains(change.part) ? event($0.level) : nil }
        case .lost:
            hasSnapshot = false
            send { _ in EventStreams.lost }
        }
    }

    private func keepStreamsOpen(at now: Instant) {
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

extension WebProblem {
    init(_ failure: ClientFailure) {
        if case .refused(let error) = failure { self.init(error) } else { self = .unreachable(failure.text) }
    }
}
