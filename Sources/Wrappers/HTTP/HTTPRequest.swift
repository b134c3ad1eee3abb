/// One request, and the limits that its answer must keep.
///
/// Only `http` and `https` are spoken, for the first URL and after redirects.
public struct HTTPRequest: Sendable {
    /// What is asked for.
    public enum Method: Sendable {
        /// The whole answer.
        case get
        /// The answer's head alone.
        case head
    }

    /// How the request deals with compressed bodies.
    public enum ContentCoding: Sendable {
        /// Offers gzip and decodes one layer of zlib's codings (gzip, deflate). Their decoder needs 40 KiB and makes at
        /// most 1,032 bytes of one; brotli and zstd may take 16 to 128 MiB for each transfer.
        case gzip
        /// Asks for the bytes as they are and decodes nothing; needed for ranges.
        case identity
    }

    /// How long each part may take.
    public struct Timeouts: Sendable {
        /// Resolving, connecting and the TLS handshake.
        public var connect: Duration
        /// From the start, or from the redirect before, to the answer's head.
        public var firstByte: Duration
        /// Between two pieces of the body. A paused transfer may rest longer.
        public var stall: Duration
        /// The whole transfer with its pauses; nil for no limit.
        public var total: Duration?

        /// Limits that suit feeds.
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

    /// A name and a password, sent to the URL's own host alone and never to where it redirects (RFC 7617).
    public struct Credentials: Equatable, Sendable {
        /// The user's name.
        public var username: String
        /// The password.
        public var password: String

        /// A name with its password.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// An absolute `http` or `https` URL. Spaces and letters beyond ASCII, as feeds have them, are encoded.
    public var url: String
    /// GET or HEAD.
    public var method: Method = .get
    /// Further header fields. A name that is no token or a value with control characters fails the request.
    public var headers: [(name: String, value: String)] = []
    /// The first byte wanted; sends `Range: bytes=N-` or, with an end, `bytes=N-M` (RFC 9110, 14.2).
    public var rangeStart: Int64?
    /// The byte after the last one wanted; needs `rangeStart`.
    public var rangeEnd: Int64?
    /// The validator under which the range is wanted (RFC 9110, 13.1.5), as it was received.
    public var ifRange: String?
    /// The ETag of what the caller has; sends `If-None-Match`.
    public var etag: String?
    /// The Last-Modified of what the caller has, as it was received; sends `If-Modified-Since`.
    public var lastModified: String?
    /// The coding that is offered. A successful answer with another one, or with more than one, fails with the kind
    /// `coding` before its body; the body of any other status is then not delivered.
    public var contentCoding: ContentCoding = .gzip
    /// Whether HTTP/2 is offered where TLS is spoken.
    public var allowsHTTP2 = true
    /// The time limits.
    public var timeouts = Timeouts()
    /// The most bytes of body, counted after decoding.
    public var maximumBodyBytes = Int64.max
    /// The most bytes of body that are received beyond those that are delivered: what a coding consumes without output,
    /// and bodies of redirects. No encoder makes its input longer than by some bytes in a thousand.
    public var maximumUndeliveredBytes: Int64 = 1 << 20
    /// The most bytes of header fields, all redirects together.
    public var maximumHeaderBytes = 128 << 10
    /// The most redirects that are followed; 0 hands a redirect's answer to the delegate.
    public var maximumRedirects = 10
    /// The `User-Agent`; nil takes the one of the settings.
    public var userAgent: String?
    /// What to log in with; nil for nothing.
    public var credentials: Credentials?
    /// Hosts that the user named: one whose name says that it is private may be. nil for the URL's own.
    public var namedHosts: [String]?
    /// Bytes that are received at a time, 1 KiB to 512 KiB; more means fewer calls and more memory.
    public var bufferSize = 16 << 10

    /// A request for a URL with the limits that suit feeds.
    public init(_ url: String) { self.url = url }
}
