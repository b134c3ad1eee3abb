internal import CCurl
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Checks, compares and cleans URLs.
public enum HTTPURL {
    /// The URL for a request: absolute, http or https; spaces and non-ASCII letters are encoded: in the host name by
    /// IDNA 2008 (RFC 5890), elsewhere by percent-encoding.
    /// - Throws: `HTTPError` of kind `invalidRequest`.
    public static func normalized(_ url: String) throws(HTTPError) -> String {
        if isHTTP(url) && isPlain(url) && url.utf8.count <= WebAddress.maximumLength { return url }
        // Some feeds have spaces around URLs. The fragment is never sent, and libcurl does not encode it.
        let url = trimmed(url.utf8.prefix { $0 != .hash })
        if !isHTTP(url) { throw HTTPError(.invalidRequest, "only http and https URLs can be fetched") }
        if url.utf8.count > WebAddress.maximumLength { throw HTTPError(.invalidRequest, "the URL is too long") }
        if isPlain(url) { return url }
        // libcurl 8.23 encodes control characters, earlier versions refuse them.
        guard !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let parts = Parts(url),
            let text = parts.asciiText(CURLUPART_URL)
        else {
            throw HTTPError(.invalidRequest, "not a valid URL")
        }
        return text
    }

    public static func isHTTP(_ url: String) -> Bool {
        WebAddress.hasScheme("http", url) || WebAddress.hasScheme("https", url)
    }

    /// True if all characters are visible ASCII, so that nothing needs encoding.
    private static func isPlain(_ url: String) -> Bool { url.utf8.allSatisfy { 0x21...0x7E ~= $0 } }

    /// The user name and password in a URL, decoded; nil without a user name.
    public static func credentials(of url: String) -> HTTPRequest.Credentials? {
        guard url.utf8.contains(.at), let parts = Parts(url),
            let username = parts.text(CURLUPART_USER, flags: CURLU_URLDECODE), !username.isEmpty
        else { return nil }
        return .init(username: username, password: parts.text(CURLUPART_PASSWORD, flags: CURLU_URLDECODE) ?? "")
    }

    /// The URL with user name and password; unchanged if it is malformed.
    public static func adding(_ credentials: HTTPRequest.Credentials, to url: String) -> String {
        guard let parts = Parts(url), parts.set(CURLUPART_USER, to: credentials.username),
            credentials.password.isEmpty || parts.set(CURLUPART_PASSWORD, to: credentials.password)
        else { return url }
        return parts.text(CURLUPART_URL) ?? url
    }

    /// As `WebAddress.normalForm`, with the host name in ASCII.
    public static func normalForm(_ url: String) -> String {
        WebAddress.normalForm((try? normalized(url)) ?? url)
    }

    /// The host name in lower case and ASCII (`xn--bcher-kva.example`), for comparisons; nil for a malformed URL.
    public static func host(of url: String) -> String? { Parts(url)?.asciiText(CURLUPART_HOST)?.lowercased() }

    /// A host name in the form of `host(of:)`; empty if it is not valid.
    static func asciiHost(_ name: String) -> String {
        let name = name.lowercased()
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
        // The wildcard is not a label.
        if name.hasPrefix("*.") { return "*." + asciiHost(String(name.dropFirst(2))) }
        return host(of: "http://\(name)/") ?? ""
    }

    /// Resolves a reference in a document at `base` (RFC 3986 section 5); nil if malformed or neither http nor https.
    public static func resolved(_ reference: String, against base: String) -> String? {
        guard let parts = Parts(base), parts.move(to: trimmed(reference.utf8)), let text = parts.text(CURLUPART_URL),
            isHTTP(text)
        else { return nil }
        return text
    }

    /// The URL without user name and password; unchanged if there are none or it is malformed.
    public static func withoutCredentials(_ url: String) -> String {
        guard url.utf8.contains(.at), let parts = Parts(url),
            parts.text(CURLUPART_USER) != nil || parts.text(CURLUPART_PASSWORD) != nil
        else { return url }
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { parts.remove(part) }
        return parts.text(CURLUPART_URL) ?? url
    }

    static func scrub(_ message: String, of url: String) -> String {
        guard let parts = Parts(url) else { return message }
        var text = message
        for part in [CURLUPART_QUERY, CURLUPART_PASSWORD, CURLUPART_USER] {
            if let secret = parts.text(part), !secret.isEmpty { text = text.replacing(secret, with: "…") }
        }
        return text
    }

    /// A parsed URL: `curl_url(3)`.
    @safe private final class Parts {
        private let curl: UnsafePointer<curl_functions>
        private let handle: OpaquePointer

        init?(_ url: String) {
            guard let curl = try? unsafe LibCurl.functions(), let handle = unsafe curl.pointee.url() else { return nil }
            unsafe self.curl = unsafe curl
            unsafe self.handle = unsafe handle
            if !move(to: url) { return nil }
        }

        deinit { unsafe curl.pointee.url_cleanup(handle) }

        func text(_ part: CURLUPart, flags: Int32 = 0) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard unsafe curl.pointee.url_get(handle, part, &found, UInt32(flags)) == CURLUE_OK, let text = unsafe found
            else { return nil }
            defer { unsafe curl.pointee.free(text) }
            return unsafe String(cString: text)
        }

        /// A part with the host name in ASCII. libcurl's IDNA reads letters in the locale's encoding.
        func asciiText(_ part: CURLUPart) -> String? { CharacterLocale.withUTF8 { text(part, flags: CURLU_PUNYCODE) } }

        /// Resolves a reference against this URL.
        func move(to reference: String) -> Bool {
            let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
            return unsafe curl.pointee.url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK
        }

        func set(_ part: CURLUPart, to value: String) -> Bool {
            unsafe curl.pointee.url_set(handle, part, value, UInt32(CURLU_URLENCODE)) == CURLUE_OK
        }

        func remove(_ part: CURLUPart) { _ = unsafe curl.pointee.url_set(handle, part, nil, 0) }
    }
}
