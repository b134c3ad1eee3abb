internal import HTTPServing
internal import JSON
internal import PodcastModel

extension HTTPRequest {
    /// The value of a header; names are compared without regard to case.
    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// Scheme, host and port by which the client reached this server, as far as the client or its proxy says it.
    var origin: String {
        header("Origin") ?? (header("X-Forwarded-Proto") == "https" ? "https://" : "http://") + (header("Host") ?? "")
    }

    /// The path below which a proxy shows this server, such as `/pod`; empty for the whole host.
    var prefix: String {
        let prefix = header("X-Forwarded-Prefix") ?? ""
        let isPath =
            prefix.hasPrefix("/")
            && prefix.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#%;<>?\\".utf8.contains($0) }
        return isPath ? prefix.split(separator: "/").map { "/" + $0 }.joined() : ""
    }

    var root: String { origin + prefix }

    /// Whether the client takes the content coding `gzip`: RFC 9110, section 12.5.3. A weight of 0 refuses the coding.
    var acceptsGzip: Bool {
        let codings = (header("Accept-Encoding") ?? "").lowercased().split(separator: ",")
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.dropFirst(3).allSatisfy { ".0".contains($0) }
            }
            return parts.first == "gzip" && !isRefused
        }
    }

    /// Headers that proxies add.
    private static let ofProxies: Set = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-server", "x-real-ip",
        "via", "x-forwarded-port", "x-forwarded-prefix",
    ]

    /// Whether a header says that a proxy passes the request on.
    var isForwarded: Bool { headers.contains { Self.ofProxies.contains($0.name.lowercased()) } }

    /// Whether it is not certain where the body ends, so that a proxy may have seen other requests than the server does.
    var hasDoubtfulLength: Bool {
        let lengths = headers.filter { $0.name.lowercased() == "content-length" }
        let codings = headers.filter { $0.name.lowercased() == "transfer-encoding" }
        return lengths.count + codings.count > 1 || codings.contains { $0.value.lowercased() != "chunked" }
            || lengths.contains { !$0.value.utf8.allSatisfy(\.isDigit) }
            || headers.contains { $0.name.utf8.contains { $0 <= 0x20 } }
    }
}

extension HTTPField {
    /// Makes nginx pass on a stream as it comes, also without `proxy_buffering off`.
    static let unbuffered = HTTPField("X-Accel-Buffering", "no")
}

extension HTTPExchange {
    func respond(_ response: HTTPResponse, to request: HTTPRequest) { respond(response.finished(for: request)) }
}

extension HTTPResponse {
    /// A document that a client may keep as long as its tag is the same.
    init(_ type: String, _ bytes: [UInt8]) {
        self.init(
            200,
            [
                HTTPField("Content-Type", type), HTTPField("ETag", Self.tag(of: bytes)),
                HTTPField("Cache-Control", "no-cache"),
            ],
            body: bytes)
    }

    init(json: JSONValue) { self.init("application/json", json.bytes) }

    /// Detects changes and protects nothing.
    private static func tag(of bytes: [UInt8]) -> String {
        var hash = StableHash()
        bytes.withUnsafeBytes { hash.add(bytes: $0) }
        return "\"\(hash.digits)\""
    }

    /// The answer as a client gets it: `304` if it has the document, and with the headers that protect browsers.
    func finished(for request: HTTPRequest) -> HTTPResponse {
        var response = self
        if status == 200, request.method == "GET" || request.method == "HEAD",
            let tag = headers.first(where: { $0.name == "ETag" })?.value,
            let known = request.header("If-None-Match"),
            known == "*" || known.split(separator: ",").contains(where: { Self.isTag($0, tag) })
        {
            response = HTTPResponse(304, headers.filter { !["Content-Type", "Content-Encoding"].contains($0.name) })
        }
        response.headers += Self.protection
        return response
    }

    /// Weak tags match, too: RFC 9110, section 13.1.2.
    private static func isTag(_ text: Substring, _ tag: String) -> Bool {
        let trimmed = text.drop { $0 == " " }.prefix { $0 != " " }
        return (trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed) == tag
    }

    /// Scripts, styles and pictures come only from here, no other site may show or read these pages.
    static let protection = [
        HTTPField(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; media-src 'self'; "
                + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        HTTPField("X-Content-Type-Options", "nosniff"),
        HTTPField("X-Frame-Options", "DENY"),
        HTTPField("Referrer-Policy", "no-referrer"),
        HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
        HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
        HTTPField("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]
}
