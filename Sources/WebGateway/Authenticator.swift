internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import Secrets

/// Checks names with passwords and tokens. A login that was right is remembered for a while, because checking a hash takes long on
/// purpose. One thread.
final class Authenticator {
    private struct Remembered {
        var secret: String
        var login: WebSettings.Login
        var until: Instant
    }

    private static let remembers = Duration.seconds(600)

    private let users: [WebSettings.Login]
    private let tokens: [WebSettings.Login]
    /// Checked instead of the hash of a name that does not exist, so that both take as long.
    private let decoy: PasswordHash?
    private var remembered: [String: Remembered] = [:]
    private let checks: LoginChecks<WebSettings.Login>
    /// Nil if no browser can use one.
    private let link: LoginLink?
    /// Requests that wait for the check of the same login, by its kind, name and secret.
    private var waiting: [[String]: [(WebSettings.Login?) -> Void]] = [:]

    /// - Parameter notify: called on another thread when `process` must be called.
    init(_ settings: WebSettings, _ link: LoginLink? = nil, notify: @escaping @Sendable () -> Void) {
        self.link = link
        checks = LoginChecks(notify: notify)
        users = settings.users
        tokens = settings.tokens
        decoy = users.first?.hash ?? tokens.first?.hash
    }

    /// Calls `done`, now or from `process`, with who makes the request, or with 401 for what is wrong and 429 after too many wrong
    /// logins of the client.
    /// - Parameter appPassword: of the device that the request names, if the request may be a device's.
    func identify(
        _ request: HTTPRequest, _ appPassword: AppPasswordReply? = nil, at now: Instant, wallTime: Timestamp,
        done: @escaping (Result<WebCaller, WebProblem>) -> Void
    ) {
        let (kind, name, secret, known): (String, String, String, [WebSettings.Login])
        switch Credentials(request.header("Authorization")) {
        case .missing: return done(.success(.anonymous))
        case .unreadable:
            return done(.failure(.unauthorized("the Authorization header cannot be read")))
        case .login(let user, let password):
            let device = appPassword.flatMap { appLogin(of: user, $0) }
            kind = device?.device.map { "device \($0)" } ?? "user"
            name = user
            secret = password
            known = device.map { [$0] } ?? users
        case .token(LoginLink.token, let text) where link?.use(text) == true:
            return done(.success(.known(name: BrowserLogins.linked, .admin)))
        case .token(let token, let text):
            kind = "token"
            name = token
            secret = text
            known = tokens
        }
        let key = "\(kind) \(name)"
        let login = known.first { $0.name == name }
        if let entry = remembered[key], entry.until > now, entry.login == login,
            ConstantTime.areEqual(entry.secret, secret)
        {
            return done(Self.caller(entry.login, wallTime))
        }
        let finish: (WebSettings.Login?) -> Void = { [weak self] login in
            guard let self, let login else {
                return done(.failure(.unauthorized(kind == "token" ? "wrong token" : "wrong name or password")))
            }
            remembered[key] = Remembered(secret: secret, login: login, until: now + Self.remembers)
            done(Self.caller(login, wallTime))
        }
        if waiting[[kind, name, secret]] != nil { return waiting[[kind, name, secret]]!.append(finish) }
        let hash = login?.hash ?? decoy
        let seconds = checks.check(from: request.address, at: now) {
            hash?.matches(secret) == true ? login : nil
        } done: { [weak self] login in
            for finish in self?.waiting.removeValue(forKey: [kind, name, secret]) ?? [] { finish(login) }
        }
        if let seconds { return done(.failure(.tooManyLogins(wait: seconds))) }
        waiting[[kind, name, secret]] = [finish]
    }

    /// Ends checks that are done.
    func process() { checks.process() }

    /// A user's app password, with the permission that the user has now.
    private func appLogin(of user: String, _ password: AppPasswordReply) -> WebSettings.Login? {
        guard user == password.owner, var login = users.first(where: { $0.name == user }),
            let hash = PasswordHash(stored: password.hash)
        else { return nil }
        login.hash = hash
        login.device = password.name
        return login
    }

    private static func caller(_ login: WebSettings.Login, _ wallTime: Timestamp) -> Result<WebCaller, WebProblem> {
        if let expiry = login.expiry, expiry <= wallTime {
            return .failure(.unauthorized("the token has expired"))
        }
        return .success(.known(name: login.name, login.permission, device: login.device))
    }
}
