internal import CCurl
internal import PodcastModel

/// libcurl's message about a failed transfer, without logins and queries of URLs and without control characters.
public struct HTTPError: Error, Equatable, CustomStringConvertible {
    /// Decides whether a retry makes sense.
    public enum Kind: String, Sendable {
        /// The URL or a header field is malformed, or the scheme is neither http nor https.
        case invalidRequest
        /// The name of the host or of the proxy could not be resolved.
        case resolve
        /// No connection: refused, unreachable.
        case connect
        /// The TLS handshake failed; a retry may help.
        case tls
        /// The host has a private address that the settings do not allow.
        case privateAddress
        /// The server's certificate is not valid for it.
        case certificate
        /// A time limit passed.
        case timeout
        case connectionLost
        /// The body ended before its announced length.
        case truncated
        /// Body or head exceeded the request's limit.
        case tooLarge
        case redirectLimit
        /// A redirect to something other than an http or https URL.
        case redirectRefused
        case `protocol`
        /// The body's compression is invalid or unknown.
        case coding
        /// The transfer or the whole thread was stopped.
        case aborted
        /// The process has no free descriptors or threads; a retry may help.
        case exhausted
        /// libcurl ran out of memory, or there is a bug.
        case `internal`
    }

    public var kind: Kind
    /// One line for users.
    public var message: String
    /// The redirects before the failure.
    public var hops: [HTTPHop]
    public var description: String { message }

    public init(_ kind: Kind, _ message: String, hops: [HTTPHop] = []) {
        self.kind = kind
        self.message = message
        self.hops = hops
    }

    /// - Parameters:
    ///   - refusal: why the system could not connect, if it tried.
    ///   - settings: of the transfer, for its proxy.
    init(
        _ code: CURLcode, detail: String, refusal: String?, settings: HTTPSettings?, url: String, hops: [HTTPHop]
    ) {
        var message = detail.isEmpty ? LibCurl.message(code) : detail
        // libcurl does not distinguish a host that does not exist from a name server that does not answer.
        let place = hops.last?.to ?? url
        let host = HTTPURL.host(of: place) ?? "the host"
        if code == CURLE_COULDNT_RESOLVE_HOST { message = "unknown host \(host)" }
        // libcurl's message repeats itself and omits the reason. It names the proxy, unless `no_proxy` excludes the host.
        if code == CURLE_COULDNT_CONNECT, let refusal {
            let proxy = settings?.proxy(for: place).flatMap {
                HTTPURL.host(of: $0.contains("://") ? $0 : "http://\($0)")
            }
            let target = proxy.flatMap { detail.contains($0) ? "the proxy \($0)" : nil } ?? host
            message = "cannot connect to \(target): \(refusal)"
        }
        self.init(HTTPError.kind(of: code, lastPlace: hops.last?.to), HTTPURL.scrub(message, of: url), hops: hops)
    }

    private static func kind(of code: CURLcode, lastPlace: String?) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT: lastPlace == nil ? .invalidRequest : .redirectRefused
        // The scheme of the first URL was checked, so this is a redirect's scheme, or an answer older than HTTP/1.
        case CURLE_UNSUPPORTED_PROTOCOL: lastPlace.map(HTTPURL.isHTTP) ?? true ? .protocol : .redirectRefused
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .connect
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CRL_BADFILE:
            .certificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT: .tls
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: .connectionLost
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_FILESIZE_EXCEEDED: .tooLarge
        case CURLE_TOO_MANY_REDIRECTS: .redirectLimit
        case CURLE_WEIRD_SERVER_REPLY: .protocol
        case CURLE_BAD_CONTENT_ENCODING: .coding
        case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: .aborted
        default: .internal
        }
    }
}
