/// A request with limits for its response. Only `http` and `https` are used, also after redirects.
public struct HTTPRequest: Sendable {
    public enum Method: Equatable, Sendable {
        case get, head
        /// Any other, such as `POST`.
        case other(String)
    }

    /// Handling of compressed bodies.
    public enum ContentCoding: Sendable {
        /// Offers gzip and decodes one layer of gzip or deflate. Their decoder needs 40 KiB and produces at most 1,032
        /// bytes from one; brotli and zstd may take 16 to 128 MiB for each transfer.
        case gzip
        /// Requests bytes without a coding and decodes nothing; needed for ranges.
        case identity
    }

    public struct Timeouts: Sendable {
        /// Resolving, connecting and the TLS handshake.
        public var connect: Duration
        /// From the start, or from the previous redirect, to the response's head.
        public var firstByte: Duration
        /// Between two pieces of the body. A paused transfer may rest longer.
        public var stall: Duration
        /// The whole transfer with its pauses; nil for no limit.
        public var total: Duration?

        public init(
            connect: Duration = .seconds(15), firstByte: Duration = .seconds(30), stall: Duration = .seconds(30),
            total: Duration? = nil
        ) {
            self.connect = connect
            self.firstByte = firstByte
            self.stall = stall
            self.total = total
        }
    }

    /// Name and password, sent only to the URL's own host and never to targets of redirects (RFC 7617).
    public struct Credentials: Equatable, Sendable {
        public var username: String
        public var password: String

        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// An absolute `http` or `https` URL. Spaces and non-ASCII letters, which feeds contain, are encoded.
    public var url: String
    public var method: Method = .get
    /// The request's content; nil for none.
    public var body: String?
    /// Further header fields. Invalid names and control characters in values fail the request.
    public var headers: [(name: String, value: String)] = []
    /// The first wanted byte; sends `Range: bytes=N-` or, with an end, `bytes=N-M` (RFC 9110, 14.2).
    public var rangeStart: Int64?
    /// The byte after the last wanted one; needs `rangeStart`.
    public var rangeEnd: Int64?
    /// The ETag of the caller's version; sends `If-None-Match`.
    public var etag: String?
    /// The Last-Modified of the caller's version, as received; sends `If-Modified-Since`.
    public var lastModified: String?
    /// The coding to offer. A successful response with another coding, or with more than one, fails with the kind
    /// `coding` before its body. With any other status the body is then not delivered.
    public var contentCoding: ContentCoding = .gzip
    public var timeouts = Timeouts()
    /// Maximum bytes of bodies that are received but not delivered: input of a decoder without output, and bodies of
    /// redirects. No encoder expands its input by more than a few bytes in a thousand.
    public var maximumUndeliveredBytes: Int64 = 1 << 20
    /// Maximum bytes of header fields, including those of redirects.
    public var maximumHeaderBytes = 128 << 10
    /// Maximum redirects to follow; with 0 the delegate gets the redirect.
    public var maximumRedirects = 20
    /// `User-Agent` (default: from the settings).
    public var userAgent: String?
    var credentials: Credentials?
    /// Hosts named by the user (default: the URL's host). They may have private addresses if their names indicate that.
    var namedHosts: [String]?
    /// Maximum bytes received at a time, 1 KiB to 512 KiB; more means fewer calls and more memory.
    public var bufferSize = 16 << 10

    /// A GET request with limits suitable for feeds.
    public init(_ url: String) { self.url = url }
}
