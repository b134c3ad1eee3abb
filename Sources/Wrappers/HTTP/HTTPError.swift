internal import CCurl

/// A transfer that failed: its kind, and what happened in libcurl's own words.
///
/// The message has no user names, passwords or query strings of URLs in it, nor control characters.
public struct HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What sort of failure it is; decides whether another try makes sense.
    public enum Kind: String, Sendable {
        /// The URL or a header field is malformed, or the scheme is neither http nor https.
        case invalidRequest
        /// The name of the host or of the proxy is not known.
        case resolve
        /// No connection: refused, unreachable.
        case connect
        /// The TLS handshake failed for a passing reason.
        case tls
        /// The host has a private address, and nobody allowed it to.
        case privateAddress
        /// The server's certificate is not valid for it.
        case certificate
        /// A time limit passed.
        case timeout
        /// A connection that stood was lost.
        case connectionLost
        /// The body ended before its announced length.
        case truncated
        /// Body or head went beyond the request's limit.
        case tooLarge
        /// More redirects than allowed.
        case redirectLimit
        /// A redirect to something that is neither http nor https, or is no URL.
        case redirectRefused
        /// The answer is no HTTP.
        case `protocol`
        /// The body's compression is broken or unknown.
        case coding
        /// The delegate or the multi's end stopped it.
        case aborted
        /// The process has no descriptors or threads left for now; later there may be some.
        case exhausted
        /// libcurl failed for want of memory, or by a fault of ours.
        case `internal`
    }

    /// The kind.
    public var kind: Kind
    /// One line for people.
    public var message: String
    /// The redirects before the failure.
    public var hops: [HTTPHop]
    /// The message.
    public var description: String { message }

    /// A failure; `message` is made safe to show.
    public init(_ kind: Kind, _ message: String, hops: [HTTPHop] = []) {
        self.kind = kind
        self.message = message
        self.hops = hops
    }
}

extension HTTPError {
    /// A failed transfer's code with the text that libcurl left for it.
    init(_ code: CURLcode, detail: String, url: String, hops: [HTTPHop]) {
        let words = detail.isEmpty ? LibCurl.words(code) : detail
        self.init(HTTPError.kind(of: code, lastPlace: hops.last?.to), HTTPURL.scrub(words, of: url), hops: hops)
    }

    private static func kind(of code: CURLcode, lastPlace: String?) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT: lastPlace == nil ? .invalidRequest : .redirectRefused
        // The first URL's scheme was checked: it is a redirect's, or an answer older than HTTP/1.
        case CURLE_UNSUPPORTED_PROTOCOL: lastPlace.map(HTTPURL.isHTTP) ?? true ? .protocol : .redirectRefused
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .connect
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CRL_BADFILE:
            .certificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT: .tls
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM: .connectionLost
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
