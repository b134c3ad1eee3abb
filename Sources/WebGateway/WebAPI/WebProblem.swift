internal import ControlLanguage
internal import HTTPServing
internal import JSON

/// A failure as RFC 9457 describes it. Every error of the gateway is one.
struct WebProblem: Error, Equatable {
    var status: Int
    var title: String
    /// What failed, for people.
    var detail: String
    private var members: [JSONValue.Member] = []
    private var headers: [HTTPField] = []

    init(_ status: Int, _ title: String, _ detail: String, headers: [HTTPField] = []) {
        self.status = status
        self.title = title
        self.detail = detail
        self.headers = headers
    }

    init(_ error: ControlError) {
        self.init(Self.status(of: error.code), error.code.message, error.what)
        members.append(JSONValue.Member("code", error.code.rawValue))
        if error.code == .unavailable { headers.append(HTTPField("Retry-After", "5")) }
        guard case .object(let data)? = error.json["data"] else { return }
        members += data.filter { !["what", "status"].contains($0.name) }
    }

    private static func status(of code: ControlError.Code) -> Int {
        switch code {
        case .parseError, .invalidRequest, .invalidParameters: 400
        case .methodNotFound, .notFound: 404
        case .notPermitted: 403
        case .invalidArgument: 422
        case .conflict: 409
        case .unavailable: 503
        case .mediaFailed, .feedFailed: 502
        case .internalError, .storageFailed: 500
        }
    }

    static func badRequest(_ detail: String) -> WebProblem { WebProblem(400, "Bad request", detail) }

    static let notFound = WebProblem(404, "Not found", "no resource has this path")

    /// Nothing answers at the daemon's socket, or the connection has ended.
    static func unreachable(_ detail: String) -> WebProblem {
        WebProblem(503, "Unavailable", detail, headers: [HTTPField("Retry-After", "5")])
    }

    static func bodyTooLong(limit bytes: Int) -> WebProblem {
        WebProblem(413, "Content too large", "the body is longer than \(bytes >> 20) MiB")
    }

    static func tooManyLogins(wait seconds: Int) -> WebProblem {
        tooManyRequests("too many wrong logins", wait: seconds)
    }

    static func tooManyRequests(_ what: String, wait seconds: Int) -> WebProblem {
        WebProblem(
            429, "Too many requests", "\(what); wait \(seconds) s", headers: [HTTPField("Retry-After", "\(seconds)")])
    }

    /// The name and password, or the token, are missing or wrong.
    static func unauthorized(_ detail: String, hint: String? = nil) -> WebProblem {
        var problem = WebProblem(
            401, "Unauthorized", detail,
            headers: [
                HTTPField("WWW-Authenticate", "Basic realm=\"podcastd\", charset=\"UTF-8\""),
                HTTPField("WWW-Authenticate", "Bearer realm=\"podcastd\""),
            ])
        if let hint { problem.members = [JSONValue.Member("hint", hint)] }
        return problem
    }

    /// The answer to a request. A script in a page asks for the login itself: with a scheme that browsers know they would ask first.
    func response(to request: HTTPRequest) -> HTTPResponse {
        var response = response
        if request.header("Sec-Fetch-Dest") == "empty" {
            response.headers.removeAll { $0.name == "WWW-Authenticate" && $0.value.hasPrefix("Basic") }
        }
        return response
    }

    var response: HTTPResponse {
        let json: JSONValue = .object(
            [
                JSONValue.Member("type", "about:blank"), JSONValue.Member("title", title),
                JSONValue.Member("status", status), JSONValue.Member("detail", detail),
            ] + members)
        return HTTPResponse(
            status,
            [HTTPField("Content-Type", "application/problem+json"), HTTPField("Cache-Control", "no-store")] + headers,
            body: json.bytes)
    }
}
