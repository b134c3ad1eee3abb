internal import ControlLanguage
internal import GatewayKit
internal import PasswordHashing
internal import PodcastModel

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
    private var failures = FailedLogins()
    private let checks: LoginChecks<Bool>
    /// Requests that wait for the check of the same login, by its kind, name and secret.
    private var waiting: [[String]: [(Bool) -> Void]] = [:]

    /// - Parameter notify: called on another thread when `process` is to be called.
    init(_ settings: WebSettings, notify: @escaping @Sendable () -> Void) {
        checks = LoginChecks(notify: notify)
        (users, tokens) = (settings.users, settings.tokens)
        decoy = users.first?.hash ?? tokens.first?.hash
    }

    /// Calls `done`, now or from `process`, with who makes the request, or with 401 for what is wrong and 429 after too many wrong
    /// logins of the client.
    func identify(
        _ request: WebRequest, at now: Instant, wallTime: Timestamp,
        done: @escaping (Result<WebCaller, WebProblem>) -> Void
    ) {
        let (kind, name, secret, known): (String, String, String, [WebSettings.Login])
        switch Credentials(request.header("Authorization")) {
        case .missing: return done(.success(.anonymous))
        case .unreadable:
            return done(.failure(.unauthorized("the Authorization header cannot be read")))
        case .login(let user, let password): (kind, name, secret, known) = ("user", user, password, users)
        case .token(let token, let text): (kind, name, secret, known) = ("token", token, text, tokens)
        }
        let key = "\(kind) \(name)"
        if let entry = remembered[key], entry.until > now, ConstantTime.areEqual(entry.secret, secret) {
            return done(Self.caller(entry.login, wallTime))
        }
        let login = known.first { $0.name == name }
        let finish: (Bool) -> Void = { [weak self] isRight in
            guard let self, let login, isRight else {
                return done(.failure(.unauthorized(kind == "user" ? "wrong name or password" : "wrong token")))
            }
            remembered[key] = Remembered(secret: secret, login: login, until: now + Self.remembers)
            done(Self.caller(login, wallTime))
        }
        if waiting[[kind, name, secret]] != nil { return waiting[[kind, name, secret]]!.append(finish) }
        if let seconds = failures.wait(for: request.address, at: now) {
            return done(.failure(.tooManyLogins(wait: seconds)))
        }
        // A login counts as wrong until the answer is known, so that logins at the same time count too.
        failures.failed(request.address, at: now)
        let hash = login?.hash ?? decoy
        let isChecking = checks.check {
            hash?.matches(secret) ?? false
        } done: { [weak self] isRight in
            guard let self else { return }
            if isRight, login != nil { failures.succeeded(request.address) }
            for finish in waiting.removeValue(forKey: [kind, name, secret]) ?? [] { finish(isRight) }
        }
        if !isChecking { return done(.failure(.tooManyLogins(wait: 1))) }
        waiting[[kind, name, secret]] = [finish]
    }

    /// Ends checks that are done.
    func process() { checks.process() }

    private static func caller(_ login: WebSettings.Login, _ wallTime: Timestamp) -> Result<WebCaller, WebProblem> {
        if let expiry = login.expiry, expiry <= wallTime {
            return .failure(.unauthorized("the token has expired"))
        }
        return .success(.known(name: login.name, login.permission))
    }
}
