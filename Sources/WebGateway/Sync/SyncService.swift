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
    /// A list of acts of which the client has not read enough yet.
    private struct Pages {
        let stream: HTTPStream
        let since: Int64
        /// The key of the last row that was read.
        var after = ""
        /// Whether no row has been sent.
        var isEmpty = true
        let isExact: Bool
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
        (self.connection, listener) = (connection, settings.listener)
        pairing = Pairing(connection, settings)
    }

    /// Continues lists whose clients have read what was sent.
    func process() {
        pages.removeAll { $0.stream.isFinished }
        let ready = pages.filter { $0.stream.unreadBytes < Self.mostUnread }
        pages.removeAll { $0.stream.unreadBytes < Self.mostUnread }
        for page in ready { sendActs(page) }
    }

    func perform(
        _ sync: SyncRequest, _ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller
    ) throws(WebProblem) {
        if case .loginFlow(let step) = sync.action {
            return exchange.respond(try pairing.answer(step, request), to: request)
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
            send(ListFeeds { $0.limit = 1_000 }, answer) { [self] feeds in
                send(ListDevices(), answer) { devices in
                    answer.send(.array(devices.rows.map { $0.summary(subscriptions: feeds.rows.count) }))
                }
            }
        case .setDevice(let id):
            let body = try Self.object(request)
            let kind = body["type"]?.stringValue.flatMap { SyncDevice.Kind(rawValue: $0) }
            let caption =
                paired == nil ? body["caption"]?.stringValue.flatMap { SafeText.title($0, atMostBytes: 200) } : nil
            send(NoteDevice { ($0.name, $0.caption, $0.kind) = (paired ?? id, caption, kind) }, answer) { _ in
                answer.done()
            }
        case .listGroups:
            send(ListDevices(), answer) { devices in
                let names: JSONValue = .array(devices.rows.map { .string($0.name) })
                answer.send(["synchronized": [names], "not-synchronized": []])
            }
        case .listSubscriptions(let format):
            send(ListFeeds { $0.limit = 1_000 }, answer) {
                answer.send($0.rows.map(\.feed.url).filter { !$0.isEmpty }, format)
            }
        case .uploadSubscriptions(let format):
            guard let list = GPodderText.list(request.body, format) else {
                throw .badRequest("the body is not a list of addresses")
            }
            let document = ImportDocument {
                ($0.document, $0.origin, $0.source) = (list, .device, paired ?? sync.device)
            }
            send(document, answer) { _ in answer.done() }
        case .listChanges:
            let isExact = Self.isExact(request)
            revision(answer) { [self] changes in
                listSubscriptions(since: Self.since(request), [], answer) { rows in
                    let urls = { (isSubscribed: Bool) -> JSONValue in
                        .array(rows.filter { $0.isSubscribed == isSubscribed }.map { .string($0.url) })
                    }
                    var members: [JSONValue.Member] = [.init("add", urls(true)), .init("remove", urls(false))]
                    members.append(.init("timestamp", .integer(isExact ? changes.latest : changes.revision)))
                    if isExact {
                        let times = rows.map { JSONValue.Member($0.url, .integer($0.revision)) }
                        members.append(.init("times", .object(times)))
                    }
                    answer.send(.object(members))
                }
            }
        case .changeSubscriptions: try changeSubscriptions(request, from: paired ?? sync.device, answer)
        case .listActs: listActs(since: Self.since(request), isExact: Self.isExact(request), answer)
        case .recordActs: try record(request, from: sync.device, paired, answer)
        case .settings(let scope):
            let body = try Self.object(request)
            var command = ChangeClientSettings()
            command.scope = try Self.scope(scope, request)
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

    /// Finds the library's revision.
    private func revision(_ answer: Answer, done: @escaping (LibraryChanges) -> Void) {
        send(ListLibraryChanges { ($0.since, $0.limit) = (.max, 1) }, answer, done: done)
    }

    /// Responds with the library's revision after changes.
    private func confirm(_ answer: Answer) {
        revision(answer) { answer.send(["timestamp": .integer($0.revision), "update_urls": []]) }
    }

    // MARK: subscriptions

    private func listSubscriptions(
        since: Int64, _ rows: [SubscriptionChange], _ answer: Answer, done: @escaping ([SubscriptionChange]) -> Void
    ) {
        let command = ListSubscriptionChanges { ($0.since, $0.after) = (since, rows.last?.url) }
        send(command, answer) { [self] page in
            let rows = rows + page.rows
            page.hasAfter ? listSubscriptions(since: since, rows, answer, done: done) : done(rows)
        }
    }

    private func changeSubscriptions(
        _ request: HTTPRequest, from device: String?, _ answer: Answer
    ) throws(WebProblem) {
        let body = try Self.object(request)
        let added = body["add"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let removed = body["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !Set(added).isDisjoint(with: removed) { throw .badRequest("an address is both added and removed") }
        if added.isEmpty { return unsubscribe(removed[...], answer) }
        let list = ImportDocument { ($0.document, $0.origin, $0.source) = (GPodderText.opml(added), .device, device) }
        send(list, answer) { [self] _ in
            // The device need not wait for the episodes.
            connection.send(method: RefreshFeeds.name, params: nil, as: answer.level) { _ in }
            unsubscribe(removed[...], answer)
        }
    }

    /// A feed that is not subscribed is removed already.
    private func unsubscribe(_ urls: ArraySlice<String>, _ answer: Answer) {
        guard let url = urls.first else { return confirm(answer) }
        let command = Unsubscribe { $0.feeds = [url] }
        connection.send(method: Unsubscribe.name, params: command.params, as: answer.level) { [self] outcome in
            if case .failure(.refused(let error)) = outcome, error.code != .notFound {
                return answer.send(WebProblem(error))
            }
            unsubscribe(urls.dropFirst(), answer)
        }
    }

    // MARK: acts

    private func record(
        _ request: HTTPRequest, from device: String?, _ paired: String?, _ answer: Answer
    ) throws(WebProblem) {
        guard let rows = Self.json(request)?.arrayValue else { throw .badRequest("the body is not a list of acts") }
        let now = Timestamp.now
        let acts = rows.compactMap { row in
            GPodderText.act(row, at: now).map {
                (device: paired ?? row["device"]?.stringValue ?? device ?? "unknown", act: $0)
            }
        }
        record(RecordActs.commands(acts)[...], answer)
    }

    private func record(_ commands: ArraySlice<RecordActs>, _ answer: Answer) {
        guard let command = commands.first else { return confirm(answer) }
        send(command, answer) { [self] _ in record(commands.dropFirst(), answer) }
    }

    /// For another podcastd, which reads milliseconds and more.
    private static func isExact(_ request: HTTPRequest) -> Bool { request.query.contains { $0.name == "exact" } }

    private func listActs(since: Int64, isExact: Bool, _ answer: Answer) {
        send(ListLibraryChanges { $0.since = since }, answer) { [self] changes in
            let stream = answer.exchange.stream(
                200,
                headers: [
                    HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store"),
                    answer.cookie,
                ])
            let revision = isExact ? changes.latest : changes.revision
            stream.send(Array("{\"timestamp\":\(revision),\"actions\":[".utf8))
            send(changes, Pages(stream: stream, since: since, isExact: isExact, level: answer.level))
        }
    }

    private func send(_ changes: LibraryChanges, _ page: Pages) {
        var next = page
        let rows = changes.episodes.filter { $0.feed != nil }.map {
            GPodderText.json($0, isExact: page.isExact).text
        }
        if !rows.isEmpty {
            page.stream.send(Array(((page.isEmpty ? "" : ",") + rows.joined(separator: ",")).utf8))
            next.isEmpty = false
        }
        guard changes.hasAfter, let after = changes.episodes.last?.key else {
            page.stream.send(Array("]}".utf8))
            return page.stream.end()
        }
        next.after = after
        pages.append(next)
    }

    private func sendActs(_ page: Pages) {
        let command = ListLibraryChanges { ($0.since, $0.after) = (page.since, page.after) }
        connection.send(method: ListLibraryChanges.name, params: command.params, as: page.level) { [self] outcome in
            guard case .success(let json) = outcome, let changes = LibraryChanges(json: json) else {
                // The client sees that the list is not complete.
                return page.stream.end()
            }
            send(changes, page)
        }
    }

    // MARK: what is given

    private static func since(_ request: HTTPRequest) -> Int64 {
        request.query.last { $0.name == "since" }.flatMap { Int64($0.value) }.map { max(0, $0) } ?? 0
    }

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
