internal import ControlLanguage
internal import HTTPServing
internal import PodcastModel
internal import Secrets
internal import Digest

/// The logins of browsers: cookies that are signed with the hash of the user's password, so that they outlast podcast-web and end
/// with the password. One thread.
struct BrowserLogins {
    static let cookie = "podcastd"
    /// The user name of a login by `LoginLink`. No user of web.conf can have it.
    static let linked = ""
    /// How long a cookie is valid in a browser that stays logged in, and in one that does not, in seconds.
    private static let (long, short) = (Int64(30 * 86_400), Int64(7 * 86_400))
    /// Cookies of ended logins, with the time until which they must be refused.
    private var ended: [String: Timestamp] = [:]
    private let users: [WebSettings.Login]
    private let linkKey = Secret.make()

    init(_ settings: WebSettings) { users = settings.users }

    /// Nil for an unknown cookie and after its end.
    func caller(of request: HTTPRequest, at now: Timestamp) -> WebCaller? {
        guard let cookie = request.cookie(Self.cookie), ended[cookie] == nil else { return nil }
        let parts = cookie.fields(separatedBy: ".").map(String.init)
        guard parts.count == 4, let end = Int64(parts[1]), Timestamp(seconds: end) > now,
            let user = user(where: { Self.encoded($0) == parts[0] }),
            let signature = Self.sign(parts[0...2].joined(separator: "."), user.key),
            ConstantTime.areEqual(signature, parts[3])
        else { return nil }
        return .known(name: user.name, user.permission)
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

    /// Ends the login of the browser that sends a request.
    mutating func end(_ request: HTTPRequest, at now: Timestamp) {
        ended = ended.filter { $0.value > now }
        guard caller(of: request, at: now) != nil, let cookie = request.cookie(Self.cookie) else { return }
        ended[cookie] = now.adding(seconds: Self.long)
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
