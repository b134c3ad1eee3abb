internal import HTTPServing
internal import PodcastModel

/// Callers who have logged in, by the cookies that the gateway gave to their clients. One thread.
final class Sessions {
    private struct Session {
        let caller: WebCaller
        let end: Instant
    }

    private static let time = Duration.seconds(86_400)

    /// Name of the cookie, and the paths for which clients send it.
    private let (name, path): (String, String)
    private var sessions: [String: Session] = [:]

    init(cookie name: String, path: String) { (self.name, self.path) = (name, path) }

    /// The caller to whom the cookie of a request was given; nil for an unknown cookie and after its end.
    func caller(of request: HTTPRequest, at now: Instant) -> WebCaller? {
        let cookies = request.header("Cookie")?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
        let token = cookies.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        guard let token, let session = sessions[String(token)], session.end > now else { return nil }
        return session.caller
    }

    func cookie(for caller: WebCaller, at now: Instant) -> HTTPField {
        sessions = sessions.filter { $0.value.end > now }
        let token = sessions.first { $0.value.caller == caller }?.key ?? Secret.make()
        sessions[token] = Session(caller: caller, end: now + Self.time)
        return HTTPField("Set-Cookie", "\(name)=\(token); Path=\(path); Max-Age=86400; HttpOnly; SameSite=Strict")
    }

    func end(of caller: WebCaller) { sessions = sessions.filter { $0.value.caller != caller } }
}
