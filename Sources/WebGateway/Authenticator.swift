internal import ControlLanguage
internal import GatewayKit
internal import PasswordHashing
internal import PodcastModel
internal import WebAPI

/// Checks names with passwords and tokens. A login that was right is remembered for a while, because checking a hash takes long on
/// purpose.
struct Authenticator {
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
    private var failures = FailedLogins()

    init(_ settings: WebSettings) {
        (users, tokens) = (settings.users, settings.tokens)
        decoy = users.first?.hash ?? tokens.first?.hash
    }

    /// - Throws: 401 for what is wrong, 429 after too many wrong logins of the client.
    mutating func caller(
        of request: WebRequest, at now: Instant, wallTime: Timestamp
    ) throws(WebProblem) -> WebCaller {
        let (kind, name, secret, known): (String, String, String, [WebSettings.Login])
        switch Credentials(request.header("Authorization")) {
        case .missing: return .anonymous
        case .unreadable: throw WebProblem.unauthorized("the Authorization header cannot be read")
        case .login(let user, let password): (kind, name, secret, known) = ("user", user, password, users)
        case .token(let token, let text): (kind, name, secret, known) = ("token", token, text, tokens)
        }
        let key = "\(kind) \(name)"
        if let entry = remembered[key], entry.until > now, ConstantTime.areEqual(entry.secret, secret) {
            return try caller(entry.login, wallTime)
        }
        if let seconds = failures.wait(for: request.address, at: now) { throw WebProblem.tooManyLogins(wait: seconds) }
        guard let login = known.first(where: { $0.name == name }), login.hash.matches(secret) else {
            if !known.contains(where: { $0.name == name }) { _ = decoy?.matches(secret) }
            failures.failed(request.address, at: now)
            throw WebProblem.unauthorized(kind == "user" ? "wrong name or password" : "wrong token")
        }
        failures.succeeded(request.address)
        let caller = try caller(login, wallTime)
        remembered[key] = Remembered(secret: secret, login: login, until: now + Self.remembers)
        return caller
    }

    private func caller(_ login: WebSettings.Login, _ wallTime: Timestamp) throws(WebProblem) -> WebCaller {
        if let expiry = login.expiry, expiry <= wallTime { throw WebProblem.unauthorized("the token has expired") }
        return .known(name: login.name, login.permission)
    }
}
