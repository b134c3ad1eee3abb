internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Answers devices that synchronize with this library, by the daemon's commands. One thread.
final class SyncService {
    /// A list of episode actions of which the client has not read enough yet.
    private struct Pages {
        let stream: HTTPStream
        /// The library's revision after the last page.
        var revision: Int64
        /// Whether no row has been sent.
        var isEmpty = true
        /// Address of the only feed that is wanted.
        let feed: String?
        let level: CommandDeclaration.Permission
    }

    /// Bytes of a list that wait for the client.
    private static let mostUnread = 1 << 20
    private let connection: ControlConnection
    /// The user whose devices synchronize; nil for each user.
    private let listener: String?
    let pairing: Pairing
    let sessions = Sessions(cookie: "sessionid")
    private var pages: [Pages] = []

    init(_ connection: ControlConnection, _ settings: WebSettings) {
        self.connection = connection
        listener = settings.listener
        pairing = Pairing(connection, settings)
    }

    /// Continues lists whose clients have read what was sent.
    func process() {
        pages.removeAll { $0.stream.isFinished }
        let ready = pages.filter { $0.stream.unreadBytes < Self.mostUnread }
        pages.removeAll { $0.stream.unreadBytes < Self.mostUnread }
        for page in ready { sendActions(page) }
    }

    func perform(
        _ sync: SyncRequest, _ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller
    ) throws(WebProblem) {
        if case .loginFlow(let step) = sync.action {
            return exchange.respond(try pairing.answer(step, sync.token, request), to: request)
        }
        // A device with an app password has the name that it was given here, whatever its client calls it.
        guard case .known(let name, let level, let paired) = caller else { throw .unauthorized("log in") }
        if let listener, listener != name {
            throw WebProblem(403, "Forbidden", "the devices of '\(listener)' synchronize here, not those of '\(name)'")
        }
        if let user = sync.user, user != name {
            throw WebProblem(403, "Forbidden", "'\(name)' is not '\(user.prefix(80))'")
        }
        // Some clients send the password three times only, and the cookie from then on.
        let answer = Answer(
            exchange: exchange, request: request, level: level, cookie: sessions.cookie(for: caller, request, at: .now))
        switch sync.action {
        case .logIn, .logOut, .setDevice: break
        default: if let device = paired ?? sync.device { send(NoteDevice { $0.name = device }, answer) { _ in } }
        }
        switch sync.action {
        case .loginFlow: break
        case .logIn: answer.done()
        case .logOut:
            sessions.end(request)
            answer.done()
        case .listDevices:
            subscriptions(after: 0, answer) { [self] rows, _ in
                send(ListDevices(), answer) { devices in
                    answer.send(.array(devices.rows.map { $0.summary(subscriptions: Self.urls(rows).count) }))
                }
            }
        case .setDevice:
            let body = try Self.object(request)
            var device = NoteDevice()
            device.name = paired ?? sync.device ?? ""
            device.kind = body["type"]?.stringValue.flatMap(SyncDevice.Kind.init)
            if paired == nil {
                device.caption = body["caption"]?.stringValue.flatMap { SafeText.title($0, atMostBytes: 200) }
            }
            send(device, answer) { _ in answer.done() }
        case .listGroups:
            send(ListDevices(), answer) { devices in
                let names: JSONValue = .array(devices.rows.map { .string($0.name) })
                answer.send(["synchronized": [names], "not-synchronized": []])
            }
        case .listSubscriptions:
            subscriptions(after: 0, answer) { rows, _ in answer.send(Self.urls(rows), sync.format) }
        case .uploadSubscriptions:
            guard let list = GPodderText.list(request.body, sync.format) else {
                throw .badRequest("the body is not a list of addresses")
            }
            let document = ImportDocument {
                $0.document = list
                $0.origin = .device
                $0.source = paired ?? sync.device
            }
            send(document, answer) { _ in answer.done() }
        case .listChanges:
            let since = Self.revision(since: request)
            subscriptions(after: since, answer) { rows, latest in
                // At the beginning a client has no feeds that could be removed.
                let shown = since == 0 ? rows.filter { $0.value != nil } : rows
                answer.send(
                    .object(
                        GPodderText.subscriptions(shown) + [.init("timestamp", .integer(Self.timestamp(latest)))]))
            }
        case .changeSubscriptions: try changeSubscriptions(request, from: paired ?? sync.device, answer)
        case .listActions: listActions(request, answer)
        case .recordActions: try record(request, from: sync.device, paired, answer)
        case .settings:
            let body = try Self.object(request)
            var command = ChangeClientSettings()
            command.scope = try Self.scope(sync.scope, request)
            command.remove = body["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
            command.set = body["set"]
            send(command, answer) { answer.send($0.settings) }
        }
    }

    // MARK: answers

    private struct Answer {
        let exchange: HTTPExchange
        let request: HTTPRequest
        let level: CommandDeclaration.Permission
        let cookie: HTTPField

        func done() { send(HTTPResponse(200)) }
        /// - Parameter rewritten: addresses that the client sent, with those that the library has; empty for none.
        func confirm(_ timestamp: Int64, rewritten: [(String, String)]) {
            let pairs = rewritten.map { JSONValue.array([.string($0.0), .string($0.1)]) }
            send(["timestamp": .integer(timestamp), "update_urls": .array(pairs)])
        }
        func send(_ json: JSONValue) { send(HTTPResponse(json: json)) }
        func send(_ problem: WebProblem) { send(problem.response(to: request)) }
        func send(_ response: HTTPResponse) {
            var response = response
            response.headers.append(cookie)
            exchange.respond(response.finished(for: request))
        }

        func send(_ urls: [String], _ format: SyncRequest.Format) {
            switch format {
            case .json: send(.array(urls.map { .string($0) }))
            case .opml: send(HTTPResponse("text/x-opml+xml", Array(GPodderText.opml(urls).utf8)))
            case .txt: send(HTTPResponse("text/plain; charset=utf-8", Array(urls.map { $0 + "\n" }.joined().utf8)))
            }
        }
    }

    /// Calls a command; a failure is the answer.
    private func send<Called: Command>(_ command: Called, _ answer: Answer, done: @escaping (Called.Reply) -> Void) {
        connection.retry()
        connection.send(method: Called.name, params: command.params, as: answer.level) { outcome in
            switch outcome {
            case .success(let json):
                guard let reply = Called.Reply(json: json) else {
                    return answer.send(.unreachable("the daemon's answer cannot be read"))
                }
                done(reply)
            case .failure(let failure): answer.send(WebProblem(failure))
            }
        }
    }

    /// Clients expect a time in seconds, and the library's revision is one in milliseconds.
    private static func timestamp(_ revision: Int64) -> Int64 { max(1, revision / 1000) }
    private static func revision(since request: HTTPRequest) -> Int64 {
        let since = request.query.last { $0.name == "since" }.flatMap { Int64($0.value) } ?? 0
        return min(max(0, since), .max / 1000) * 1000
    }

    private static func list(_ kind: LibraryChange.Kind, after revision: Int64) -> ListChanges {
        ListChanges {
            $0.since = revision
            $0.kinds = [kind]
        }
    }

    /// Applies the changes of devices and responds with the library's revision.
    private func apply(_ changes: [LibraryChange], _ answer: Answer, rewritten: [(String, String)] = []) {
        apply(ApplyChanges.commands(of: changes)[...], answer, rewritten, revision: nil)
    }

    /// - Parameter revision: the library's after the commands before.
    private func apply(
        _ commands: ArraySlice<ApplyChanges>, _ answer: Answer, _ rewritten: [(String, String)], revision: Int64?
    ) {
        if let command = commands.first {
            send(command, answer) { [self] reply in
                apply(commands.dropFirst(), answer, rewritten, revision: reply.revision)
            }
        } else if let revision {
            answer.confirm(Self.timestamp(revision), rewritten: rewritten)
        } else {
            send(Self.list(.playback, after: .max), answer) {
                answer.confirm(Self.timestamp($0.latest), rewritten: rewritten)
            }
        }
    }

    // MARK: subscriptions

    /// Reads all pages of the subscriptions that changed after a revision.
    /// - Parameter rows: those of the pages before.
    private func subscriptions(
        after revision: Int64, _ answer: Answer, rows: [LibraryChange] = [],
        done: @escaping (_ rows: [LibraryChange], _ latest: Int64) -> Void
    ) {
        send(Self.list(.subscription, after: revision), answer) { [self] page in
            let rows = rows + page.changes
            if page.hasMore { return subscriptions(after: page.revision, answer, rows: rows, done: done) }
            done(rows, page.latest)
        }
    }

    private static func urls(_ rows: [LibraryChange]) -> [String] {
        rows.compactMap { $0.value == nil ? nil : $0.subject.feed }
    }

    private func changeSubscriptions(
        _ request: HTTPRequest, from device: String?, _ answer: Answer
    ) throws(WebProblem) {
        let body = try Self.object(request)
        let name = device.flatMap { SafeText.title($0, atMostBytes: 200) } ?? "unknown"
        apply(
            GPodderText.subscriptions(body, at: .now, in: name), answer,
            rewritten: rewrittenAddresses(GPodderText.addresses(body, "add")))
    }

    // MARK: episode actions

    private func record(
        _ request: HTTPRequest, from device: String?, _ paired: String?, _ answer: Answer
    ) throws(WebProblem) {
        guard let rows = Self.json(request)?.arrayValue else { throw .badRequest("the body is not a list of actions") }
        let now = Timestamp.now
        var changes = rows.compactMap { GPodderText.change($0, of: device ?? "unknown", at: now) }
        if let paired { for index in changes.indices { changes[index].device = paired } }
        apply(changes, answer)
    }

    private func listActions(_ request: HTTPRequest, _ answer: Answer) {
        let since = Self.revision(since: request)
        let feed = request.query.last { $0.name == "podcast" }?.value
        send(Self.list(.playback, after: since), answer) { [self] page in
            let stream = answer.exchange.stream(
                200,
                headers: [
                    HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store"),
                    answer.cookie,
                ])
            stream.send(Array("{\"timestamp\":\(Self.timestamp(page.latest)),\"actions\":[".utf8))
            send(page, Pages(stream: stream, revision: since, feed: feed, level: answer.level))
        }
    }

    private func send(_ page: ChangePage, _ pages: Pages) {
        var next = pages
        let rows = page.changes.filter { pages.feed == nil || $0.subject.feed == pages.feed }
            .compactMap { GPodderText.action($0)?.text }
        if !rows.isEmpty {
            pages.stream.send(Array(((pages.isEmpty ? "" : ",") + rows.joined(separator: ",")).utf8))
            next.isEmpty = false
        }
        if !page.hasMore {
            pages.stream.send(Array("]}".utf8))
            return pages.stream.end()
        }
        next.revision = page.revision
        self.pages.append(next)
    }

    private func sendActions(_ page: Pages) {
        let command = Self.list(.playback, after: page.revision)
        connection.send(method: ListChanges.name, params: command.params, as: page.level) { [self] outcome in
            guard case .success(let json) = outcome, let changes = ChangePage(json: json) else {
                // The client sees that the list is not complete.
                return page.stream.end()
            }
            send(changes, page)
        }
    }

    // MARK: what is given

    /// Where the library keeps settings: the kind of scope, and what the query says of it.
    private static func scope(_ kind: String, _ request: HTTPRequest) throws(WebProblem) -> String {
        let names = ["account": [], "device": ["device"], "podcast": ["podcast"], "episode": ["podcast", "episode"]]
        guard let names = names[kind] else { throw .notFound }
        let values = names.compactMap { name in request.query.first { $0.name == name }?.value }
        guard values.count == names.count, !values.contains("") else {
            throw .badRequest("the query needs \(names.joined(separator: " and "))")
        }
        return ([kind] + values).joined(separator: " ")
    }

    private static func json(_ request: HTTPRequest) -> JSONValue? {
        request.body.withUnsafeBytes { bytes in try? JSONValue(parsing: bytes) }
    }

    private static func object(_ request: HTTPRequest) throws(WebProblem) -> JSONValue {
        if request.body.isEmpty { return [:] }
        guard let json = json(request), case .object = json else { throw .badRequest("the body is not a JSON object") }
        return json
    }
}

extension SyncDevice {
    fileprivate func summary(subscriptions: Int) -> JSONValue {
        [
            "id": .string(name), "caption": .string(caption), "type": .string(kind.rawValue),
            "subscriptions": .integer(Int64(subscriptions)),
        ]
    }
}
