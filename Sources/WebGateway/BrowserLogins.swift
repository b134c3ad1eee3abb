internal import ControlLanguage
internal import Digest
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import Secrets
internal import SystemCalls

/// The logins of browsers: cookies that are signed with the hash of the user's password, so that they outlast podcast-web and end
/// with the password. One thread.
struct BrowserLogins {
    /// A logged-in browser at its last request.
    struct Browser {
        /// The random part of its cookie, which does not log in without the signature.
        let id: String
        let user: String
        let permission: CommandDeclaration.Permission
        /// The text of its header User-Agent.
        let client: String
        let address: String
        let end: Timestamp
        let seen: Timestamp
    }

    static let cookie = "podcastd"
    /// The user name of a login by `LoginLink`. No user of web.conf can have it.
    static let linked = ""
    /// How long a cookie is valid in a browser that stays logged in, and in one that does not, in seconds.
    private static let (long, short) = (Int64(30 * 86_400), Int64(7 * 86_400))
    /// Beyond this number, the list loses the browser whose last request is the oldest.
    private static let mostBrowsers = 200

    /// Logins that were ended, with the time until which their cookies must be refused.
    private var ended: [String: Timestamp] = [:]
    private(set) var browsers: [String: Browser] = [:]
    private let users: [WebSettings.Login]
    private let linkKey = Secret.make()
    private let file: String?

    /// - Parameter file: keeps the ended logins for the next start of podcast-web; nil for none.
    init(_ settings: WebSettings, file: String? = nil) {
        users = settings.users
        self.file = file
        let stored = file.flatMap { try? StoredFile.contents(of: $0, limit: 1 << 20) } ?? []
        for line in String(decoding: stored, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let end = Int64(words[1]) { ended[String(words[0])] = Timestamp(seconds: end) }
        }
    }

    /// The user of a request's cookie; nil if it is unknown or has ended. Adds the browser to the list.
    mutating func caller(of request: HTTPRequest, at now: Timestamp) -> WebCaller? {
        guard let browser = browser(of: request, at: now) else { return nil }
        browsers[browser.id] = browser
        if browsers.count > Self.mostBrowsers, let oldest = browsers.values.min(by: { $0.seen < $1.seen }) {
            browsers[oldest.id] = nil
        }
        return .known(name: browser.user, browser.permission)
    }

    func browser(of request: HTTPRequest, at now: Timestamp) -> Browser? {
        guard let cookie = request.cookie(Self.cookie) else { return nil }
        let parts = cookie.fields(separatedBy: ".").map(String.init)
        guard parts.count == 4, ended[parts[2]] == nil, let end = Int64(parts[1]), Timestamp(seconds: end) > now,
            let user = user(where: { Self.encoded($0) == parts[0] }),
            let signature = Self.sign(parts[0...2].joined(separator: "."), user.key),
            ConstantTime.areEqual(signature, parts[3])
        else { return nil }
        return Browser(
            id: parts[2], user: user.name, permission: user.permission,
            client: SafeText.line(request.header("User-Agent") ?? "", atMost: 200), address: request.address,
            end: Timestamp(seconds: end), seen: now)
    }

    /// - Parameter stays: whether the browser keeps the cookie when it ends.
    /// - Throws: if the caller is no user, or OpenSSL is missing.
    func cookie(for caller: WebCaller, stays: Bool, _ request: HTTPRequest, at now: Timestamp) throws(WebProblem)
        -> HTTPField
    {
        guard case .known(let name, _, nil) = caller, let user = user(where: { $0 == name }) else {
            throw WebProblem(403, "Forbidden", "only users have cookies")
        }
        let end = now.adding(seconds: stays ? Self.long : Self.short).seconds
        let text = "\(Self.encoded(name)).\(end).\(Secret.make())"
        guard let signature = Self.sign(text, user.key) else {
            throw .unreachable("the login needs OpenSSL (libcrypto)")
        }
        return request.cookie(Self.cookie, "\(text).\(signature)", lasting: stays ? Self.long : nil)
    }

    /// Ends a login for good, or until podcast-web ends if the file cannot be written.
    mutating func end(_ id: String, at now: Timestamp) {
        ended = ended.filter { $0.value > now }
        ended[id] = now.adding(seconds: Self.long)
        browsers[id] = nil
        let lines = ended.map { "\($0.key) \($0.value.seconds)\n" }.joined()
        if let file { try? StoredFile.replace(file, with: Array(lines.utf8), isDurable: true) }
    }

    /// Users, tokens and browsers: first the one that asks, then those that were seen last.
    func list(_ settings: WebSettings, for request: HTTPRequest, at now: Timestamp) -> JSONValue {
        func accounts(_ logins: [WebSettings.Login]) -> JSONValue {
            .array(
                logins.map {
                    JSONValue(members: ["name": $0.name, "permission": $0.permission.rawValue, "expiry": $0.expiry])
                })
        }
        let own = browser(of: request, at: now)?.id
        let listed = browsers.values.filter { $0.end > now }.sorted {
            ($0.id == own ? 1 : 0, $0.seen) > ($1.id == own ? 1 : 0, $1.seen)
        }
        let browsers = listed.map { browser in
            JSONValue(members: [
                "id": browser.id, "user": browser.user, "client": browser.client, "address": browser.address,
                "seen": browser.seen, "end": browser.end, "isOwn": browser.id == own,
            ])
        }
        return [
            "users": accounts(settings.users), "tokens": accounts(settings.tokens), "browsers": .array(browsers),
        ]
    }

    private func user(
        where isWanted: (String) -> Bool
    ) -> (name: String, permission: CommandDeclaration.Permission, key: String)? {
        if isWanted(Self.linked) { return (Self.linked, .admin, linkKey) }
        return users.first { isWanted($0.name) }.map { ($0.name, $0.permission, $0.hash.text) }
    }

    /// Without points, which separate the parts of a cookie.
    private static func encoded(_ name: String) -> String {
        WebAddress.percentEncoded(name).replacing(".", with: "%2E")
    }

    private static func sign(_ text: String, _ key: String) -> String? {
        // Twice, so that nobody can sign a longer text with the signature of a shorter one.
        HashFunction.sha256.hexadecimal(of: Array((key + text).utf8)).flatMap {
            HashFunction.sha256.hexadecimal(of: Array((key + $0).utf8))
        }
    }
}

extension HTTPRequest {
    /// The value of a cookie that the client sends.
    func cookie(_ name: String) -> String? {
        let cookies = header("Cookie")?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
        return cookies.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The header that gives the client a cookie.
    /// - Parameter seconds: nil for a cookie that ends with the browser.
    func cookie(_ name: String, _ value: String, lasting seconds: Int64?) -> HTTPField {
        let end = seconds.map { "; Max-Age=\($0)" } ?? ""
        let protection = origin.hasPrefix("https:") ? "; Secure" : ""
        let limits = "; Path=\(prefix)/\(end); HttpOnly; SameSite=Strict\(protection)"
        return HTTPField("Set-Cookie", "\(name)=\(value)\(limits)")
    }
}
