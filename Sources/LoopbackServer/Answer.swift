/// What an endpoint answers to one request.
public enum Answer: Sendable {
    /// A status with fields and a body.
    case status(Int, fields: [(name: String, value: String)], body: [UInt8])
    /// A file as a healthy host serves it (ranges, validators, conditional requests), with some faults.
    case resource(Resource, faults: [Fault])
    /// These bytes as they are, then the connection closes.
    case raw([UInt8])
    /// The connection closes without a word.
    case hangUp
    /// Another answer after a wait.
    indirect case after(Wait, Answer)

    /// A status without a body.
    public static func status(_ code: Int) -> Answer { .status(code, fields: [], body: []) }
    /// A redirect.
    public static func redirect(_ code: Int, to place: String) -> Answer {
        .status(code, fields: [("Location", place)], body: [])
    }
    /// A healthy answer.
    public static func resource(_ resource: Resource) -> Answer { .resource(resource, faults: []) }
}

/// A file with what is told of it.
public struct Resource: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case file(OpenFile)
    }

    let content: Content
    /// `Content-Type`; nil sends none.
    public var contentType: String?
    /// `ETag`, with its quotes; nil sends none.
    public var etag: String?
    /// `Last-Modified`; nil sends none.
    public var lastModified: String?
    /// The same contents compressed by gzip, for whoever accepts that and asks for no range.
    public var gzip: [UInt8]?

    /// Bytes to serve.
    public init(
        _ bytes: [UInt8], contentType: String? = "audio/mpeg", etag: String? = "\"1\"",
        lastModified: String? = "Sat, 21 Nov 2026 07:00:00 GMT", gzip: [UInt8]? = nil
    ) {
        content = .bytes(bytes)
        self.contentType = contentType
        self.etag = etag
        self.lastModified = lastModified
        self.gzip = gzip
    }

    init(file: OpenFile, contentType: String, etag: String, lastModified: String) {
        content = .file(file)
        self.contentType = contentType
        self.etag = etag
        self.lastModified = lastModified
    }

    var count: Int {
        switch content {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        }
    }
}

/// How an answer goes wrong. Offsets are of the resource's bytes, whatever range was asked for.
public enum Fault: Sendable {
    /// Waits before the byte at an offset is sent; answers that do not hold it go on untouched.
    case stall(at: Int, Wait)
    /// Resets the connection (TCP RST) before the byte at an offset, once what came before has arrived.
    case reset(at: Int)
    /// Closes the connection before the byte at an offset: the body is shorter than announced.
    case close(at: Int)
    /// Resets the connection after so many bytes of this answer.
    case resetAfter(Int)
    /// Sends no more than so many bytes a second.
    case rate(Int)
    /// No `Content-Length`; the end of the connection ends the body. No ranges.
    case noLength
    /// Chunked transfer coding. No ranges.
    case chunked
    /// Passes over `Range`: always 200 with everything.
    case noRanges
    /// Answers 416 to a range that does not begin at 0.
    case refusedRanges
    /// Says in `Content-Range` that the bytes sent begin so much later than they do.
    case shiftedContentRange(Int)
    /// Announces this length whatever it sends.
    case announcedLength(Int)
    /// Ends the resource here, as if it were complete.
    case shortened(to: Int)
    /// Noise in place of these bytes.
    case garbage(Range<Int>)
    /// More fields for the head.
    case field(name: String, value: String)
}

/// What a stalled answer waits for; it ends with the server at the latest.
public enum Wait: Sendable {
    /// Seconds and parts of them.
    case time(Duration)
    /// A gate that the test opens.
    case gate(Gate)
}
