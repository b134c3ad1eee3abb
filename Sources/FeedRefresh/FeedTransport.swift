public import HTTP
public import LibraryModel

// The network as the refresher sees it. `HTTPFeedTransport` is the real one; tests pass in a scripted one.

/// One GET with the validators of the stored document (RFC 9110 section 13).
public struct FeedRequest: Equatable, Sendable {
    public var url: String
    /// `If-None-Match`, the opaque bytes of a former `ETag`.
    public var etag: String?
    /// `If-Modified-Since`, the opaque bytes of a former `Last-Modified`.
    public var lastModified: String?
    /// The digest of the last body; one that equals it is not parsed. Not sent.
    public var knownDigest: String?
    /// Further header fields. They are meant for this host alone: a request that has any follows no redirect.
    public var fields: [HeaderField] = []
    /// What is read when it is answered, to be remembered while that is done; nil for a document of no feed.
    public var attempt: DocumentAttempt?
    /// As whom it is asked, and what it may reach.
    public var access = HTTPAccess()
    /// A request; without validators it is unconditional.
    public init(url: String, etag: String? = nil, lastModified: String? = nil, knownDigest: String? = nil) {
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.knownDigest = knownDigest
    }
}

/// One header field of a request.
public struct HeaderField: Equatable, Sendable {
    public var name: String
    /// Its value, without control characters.
    public var value: String
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What precedes the body of the final answer.
public struct FeedAnswer: Equatable, Sendable {
    public var status: Int
    /// Where the answer came from, after redirects.
    public var url: String
    /// `ETag`, opaque.
    public var etag: String?
    /// `Last-Modified`, opaque.
    public var lastModified: String?
    /// `Content-Type` as sent; a hint that may lie.
    public var contentType: String?
    /// `Content-Length` as sent: bytes on the wire, before decompression.
    public var contentLength: Int64?
    /// What the server asks of us.
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
    /// Where it led, absolute.
    public var url: String
    public init(status: Int, url: String) {
        self.status = status
        self.url = url
    }
    /// Whether the old address is to be forgotten: RFC 9110 sections 15.4.2 and 15.4.9.
    public var isPermanent: Bool { status == 301 || status == 308 }
}

/// What happens to a fetch.
public enum FeedTransferEvent {
    /// A redirect was followed.
    case redirected(Redirect)
    /// The final answer begins.
    case answered(FeedAnswer)
    /// Bytes of its body, decompressed; valid during the call.
    case received(UnsafeRawBufferPointer)
    /// It ended: well, with the bytes of the body on the wire, or with a fault of the transfer.
    case ended(Result<Int64, FetchFailure>)
}

/// Takes what happens to fetches, on the thread that runs the transport.
public protocol FeedTransferReceiver: AnyObject {
    /// Something happened to the fetch of that number.
    func transfer(_ number: Int, _ event: FeedTransferEvent)
}

/// Fetches, many at once, on the thread of its caller.
public protocol FeedTransport: AnyObject {
    /// Begins a fetch, known by a number of the caller's that is free. Never waits; faults come as events. The
    /// receiver is kept until the fetch ended.
    func start(_ request: FeedRequest, as number: Int, receiver: any FeedTransferReceiver)
    /// Cancels a fetch; no event follows. May be called while an event is delivered.
    func cancel(_ number: Int)
    /// Waits until something happens or the time has passed, and calls the receivers. Events come only here.
    func run(waiting limit: Duration)
}
