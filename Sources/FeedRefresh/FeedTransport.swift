public import HTTP
public import Library

// The refresher's interface to the network. `HTTPFeedTransport` implements it; tests use a scripted transport.

/// One GET with the validators of the stored document (RFC 9110 section 13).
public struct FeedRequest: Equatable, Sendable {
    public var url: String
    /// `If-None-Match`, the opaque bytes of an earlier `ETag`.
    public var etag: String?
    /// `If-Modified-Since`, the opaque bytes of an earlier `Last-Modified`.
    public var lastModified: String?
    /// The digest of the last body; an identical body is not parsed. Not sent.
    public var knownDigest: String?
    /// Further header fields for this host only: a request with such fields follows no redirect.
    public var fields: [HeaderField] = []
    /// Recorded while the response is parsed; nil for a document without feed.
    public var attempt: DocumentAttempt?
    /// Identity and permitted hosts.
    public var access = HTTPAccess()
    /// Without validators the request is unconditional.
    public init(url: String, etag: String? = nil, lastModified: String? = nil, knownDigest: String? = nil) {
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.knownDigest = knownDigest
    }
}

/// One header field of a request.
public struct HeaderField: Equatable, Sendable {
    var name: String
    /// Without control characters.
    var value: String
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Head of the final response.
public struct FeedAnswer: Equatable, Sendable {
    public var status: Int
    /// The URL that answered, after redirects.
    public var url: String
    /// Opaque.
    public var etag: String?
    public var lastModified: String?
    /// `Content-Type` as sent; a hint that may be wrong.
    public var contentType: String?
    /// `Content-Length` as sent: bytes on the wire, before decompression.
    public var contentLength: Int64?
    public var hints: RefreshSchedule.ServerHints
    public init(
        status: Int, url: String, etag: String? = nil, lastModified: String? = nil, contentType: String? = nil,
        contentLength: Int64? = nil, hints: RefreshSchedule.ServerHints = .init()
    ) {
        self.status = status
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.contentType = contentType
        self.contentLength = contentLength
        self.hints = hints
    }
}

/// One redirect that was followed.
public struct Redirect: Equatable, Sendable {
    /// 301, 302, 303, 307 or 308.
    public var status: Int
    public var url: String
    public init(status: Int, url: String) {
        self.status = status
        self.url = url
    }
    /// True if the old URL should be forgotten: RFC 9110 sections 15.4.2 and 15.4.9.
    public var isPermanent: Bool { status == 301 || status == 308 }
}

/// Events of a fetch.
public enum FeedTransferEvent {
    case redirected(Redirect)
    /// The head of the final response.
    case answered(FeedAnswer)
    /// Decompressed bytes of the body; valid during the call.
    case received(UnsafeRawBufferPointer)
    /// The end: bytes of the body on the wire, or the failure.
    case ended(Result<Int64, FetchFailure>)
}

/// Receives events of fetches, on the thread that runs the transport.
public protocol FeedTransferReceiver: AnyObject {
    func transfer(_ number: Int, _ event: FeedTransferEvent)
}

/// Fetches concurrently, on its caller's thread.
public protocol FeedTransport: AnyObject {
    /// Begins a fetch under an unused number. Does not block; failures are events. Keeps the receiver until the end.
    func start(_ request: FeedRequest, as number: Int, receiver: any FeedTransferReceiver)
    /// Cancels a fetch; no event follows. May be called while an event is delivered.
    func cancel(_ number: Int)
    /// Waits until something happens or the time has passed, and calls the receivers, which happens only here.
    func run(waiting limit: Duration)
}
