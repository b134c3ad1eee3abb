internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import Secrets
internal import SystemCalls

/// Makes app passwords for devices: for the web remote, and for clients that ask by version 2 of Nextcloud's login flow
/// (docs.nextcloud.com, developer manual, "Login Flow"). One thread.
final class Pairing {
    private struct Flow {
        /// In the address that the client opens in a browser.
        let token = Secret.make()
        /// With which the client asks for its password.
        let pollToken = Secret.make()
        let server: String
        /// What the client calls itself.
        let client: String
        let address: String
        let end: Instant
        var login: JSONValue?
    }

    private static let (mostFlows, mostOfAddress, flowTime) = (100, 10, Duration.seconds(1200))

    private let connection: ControlConnection
    private let users: Set<String>
    private let listener: String?
    private var flows: [Flow] = []

    init(_ connection: ControlConnection, _ settings: WebSettings) {
        self.connection = connection
        listener = settings.listener
        users = Set(settings.users.map(\.name))
    }

    /// Adds a device with an app password, which is either in the response or, for a client that waits for it, in the client's next one.
    func pair(_ exchange: HTTPExchange, _ request: HTTPRequest, _ caller: WebCaller) throws(WebProblem) {
        let members = try WebCommand.body(of: request)
        let body: JSONValue = .object(members)
        guard members.allSatisfy({ ["caption", "flow"].contains($0.name) && $0.value.stringValue != nil }),
            let given = body["caption"]?.stringValue
        else { throw .badRequest("send 'caption', and 'flow' if a client waits, as texts") }
        guard let caption = SafeText.title(given, atMostBytes: 200) else {
            throw WebProblem(422, "Invalid", "a device needs a caption")
        }
        let flow = try body["flow"]?.stringValue.map { (token) throws(WebProblem) in flows[try index(token, \.token)] }
        if flow?.login != nil { throw WebProblem(409, "Conflict", "the client has its login already") }
        var owner = listener
        if owner == nil, case .known(let name, _, _) = caller { owner = name }
        guard let owner, users.contains(owner) else {
            throw WebProblem(409, "Conflict", "no user of web.conf synchronizes; see [users] and [sync] in it")
        }
        // The time for one hash passes only when a user adds a device.
        guard let password = AppPassword(of: caption, owner: owner) else {
            throw WebProblem(500, "Failed", "libxcrypt makes no hash")
        }
        let server = flow?.server ?? request.root
        connection.retry()
        connection.send(password.device) { [weak self] outcome in
            if case .failure(let failure) = outcome {
                return exchange.respond(WebProblem(failure).response, to: request)
            }
            guard let flow else {
                return exchange.respond(.secret(Self.login(server, password)), to: request)
            }
            if let index = self?.flows.firstIndex(where: { $0.token == flow.token }) {
                self?.flows[index].login = [
                    "server": .string(server), "loginName": .string(owner), "appPassword": .string(password.text),
                ]
            }
            exchange.respond(.secret(["user": .string(owner), "server": .string(server)]), to: request)
        }
    }

    /// The login for a person, and as a QR code for apps.
    private static func login(_ server: String, _ password: AppPassword) -> JSONValue {
        let code = password.code(server: server)
        return [
            "user": .string(password.device.owner), "server": .string(server), "password": .string(password.text),
            "size": JSONValue(code?.size), "outline": JSONValue(code?.outline),
        ]
    }

    // MARK: Nextcloud's login flow

    func answer(
        _ step: SyncRequest.LoginFlowStep, _ token: String, _ request: HTTPRequest
    ) throws(WebProblem) -> HTTPResponse {
        switch step {
        case .begin: return begin(request)
        case .open:
            // The web remote shows which client asks.
            let flow = flows[try index(token, \.token)]
            let query = "flow=\(flow.token)&client=\(WebAddress.percentEncoded(flow.client))"
            return HTTPResponse(
                303, [HTTPField("Location", "../../../../#/devices?\(query)"), HTTPField("Cache-Control", "no-store")])
        case .poll:
            let fields = String(decoding: request.body, as: UTF8.self).split(separator: "&")
            let token = fields.first { $0.hasPrefix("token=") }?.dropFirst("token=".count) ?? ""
            let index = try index(String(token), \.pollToken)
            guard let login = flows[index].login else { throw .notFound }
            flows.remove(at: index)
            return .secret(login)
        }
    }

    private func begin(_ request: HTTPRequest) -> HTTPResponse {
        flows.removeAll { $0.end <= .now }
        // Drop the oldest request, so that one client cannot block others.
        let own = flows.indices.filter { flows[$0].address == request.address }
        if own.count >= Self.mostOfAddress {
            flows.remove(at: own[0])
        } else if flows.count >= Self.mostFlows {
            flows.removeFirst()
        }
        let client = SafeText.line(request.header("User-Agent") ?? "", atMost: 80)
        let flow = Flow(server: request.root, client: client, address: request.address, end: .now + Self.flowTime)
        flows.append(flow)
        let root = flow.server + SyncRequest.loginFlow
        return .secret([
            "poll": ["token": .string(flow.pollToken), "endpoint": .string(root + "/poll")],
            "login": .string("\(root)/flow/\(flow.token)"),
        ])
    }

    private func index(_ token: String, _ kind: KeyPath<Flow, String>) throws(WebProblem) -> Int {
        flows.removeAll { $0.end <= .now }
        guard let index = flows.firstIndex(where: { ConstantTime.areEqual($0[keyPath: kind], token) }) else {
            throw WebProblem(404, "Not found", "no client is still waiting for this login")
        }
        return index
    }
}

extension HTTPResponse {
    /// JSON that no cache may keep.
    fileprivate static func secret(_ json: JSONValue) -> HTTPResponse {
        HTTPResponse(
            200, [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store")],
            body: json.bytes)
    }
}
