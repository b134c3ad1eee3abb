internal import HTTP
internal import JSON
internal import PodcastModel

/// Requests to a server that knows the user by name and password.
final class PasswordAccount {
    let server: ServerConnection

    init(_ server: ServerConnection) { self.server = server }

    /// The user's name in a path.
    var user: String { WebAddress.percentEncoded(server.settings.user) }

    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws(SyncFailure) -> JSONValue {
        let answer = try server.answer(to: request(method, path, body))
        try check(answer.head, path)
        return try server.json(answer.body)
    }

    /// - Parameter take: receives the answer piece by piece, if its status is good.
    func receive(_ path: String, take: ([UInt8]) throws(SyncFailure) -> Void) throws(SyncFailure) {
        try check(try server.transfer(request("GET", path), take: take), path)
    }

    private func request(_ method: String, _ path: String, _ body: JSONValue? = nil) -> HTTPRequest {
        let settings = server.settings
        var request = server.request(method, settings.address + path, body?.text)
        let host = HTTPURL.host(of: request.url) ?? ""
        let login = HTTPLogin(
            .init(username: settings.user, password: settings.password ?? ""), hosts: [host], needsTLS: false)
        HTTPAccess(login: login).apply(to: &request)
        return request
    }

    private func check(_ head: HTTPHead, _ path: String) throws(SyncFailure) {
        let refused =
            "\(server.settings.address) refuses the user's name or password: correct sync.conf, then: systemctl --user reload podcast-sync"
        try server.check(
            head, path, unauthorized: SyncFailure(message: refused, retryAfter: head.retryAfter, kind: .refused))
    }
}
