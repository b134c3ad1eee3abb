internal import HTTPServing
internal import PodcastModel

/// Devices that have logged in, by the cookies that the gateway gave to their clients. One thread.
final class Sessions {
    private struct Session {
        let caller: WebCaller
        let end: Instant
    }

    private static let seconds: Int64 = 86_400
    /// Of one caller; then the oldest one ends.
    private static let most = 50

    private let name: String
    private var sessions: [String: Session] = [:]

    init(cookie name: String) { self.name = name }

    /// The caller to whom the cookie of a request was given; nil for an unknown cookie and after its end.
    func caller(of request: HTTPRequest, at now: Instant) -> WebCaller? {
        guard let session = request.cookie(name).flatMap({ sessions[$0] }), session.end > now else { return nil }
        return session.caller
    }

    /// The cookie that the client has already, or a new one.
    func cookie(for caller: WebCaller, _ request: HTTPRequest, at now: Instant) -> HTTPField {
        sessions = sessions.filter { $0.value.end > now }
        let known = request.cookie(name).flatMap { sessions[$0]?.caller == caller ? $0 : nil }
        let own = sessions.filter { $0.value.caller == caller }
        if known == nil, own.count >= Self.most, let oldest = own.min(by: { $0.value.end < $1.value.end }) {
            sessions[oldest.key] = nil
        }
        let token = known ?? Secret.make()
        sessions[token] = Session(caller: caller, end: now + .seconds(Self.seconds))
        return request.cookie(name, token, lasting: Self.seconds)
    }

    func end(_ request: HTTPRequest) { if let token = request.cookie(name) { sessions[token] = nil } }
    func end(of caller: WebCaller) { sessions = sessions.filter { $0.value.caller != caller } }
}
