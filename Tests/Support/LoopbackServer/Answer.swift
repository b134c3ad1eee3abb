/// An endpoint's reply to one request.
public enum Answer: Sendable {
    /// A status with header fields and a body.
    case status(Int, fields: [(name: String, value: String)], body: [UInt8])
    /// A file, served like a well-behaved host does (ranges, validators, conditional requests), with optional faults.
    case resource(Resource, faults: [Fault])
    /// Sends these bytes unchanged, then closes the connection.
    case raw([UInt8])
    /// Closes the connection without a reply.
    case hangUp
    /// Another reply after a wait.
    indirect case after(Wait, Answer)

    /// A status without a body.
    public static func status(_ code: Int) -> Answer { .status(code, fields: [], body: []) }
    public static func redirect(_ code: Int, to place: String) -> Answer {
        .status(code, fields: [("Location", place)], body: [])
    }
    /// A file without faults.
    public static func resource(_ resource: Resource) -> Answer { .resource(resource, faults: []) }
}

/// A file with its header fields.
public struct Resource: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case file(OpenFile)
    }

    let content: Content
    /// `Content-Type`; nil omits it.
    public var contentType: String?
    /// `ETag`, with its quotes; nil omits it.
    public var etag: String?
    /// `Last-Modified`; nil omits it.
    public var lastModified: String?
    /// The same contents compressed with gzip, sent to clients that accept it and do not request a range.
    public var gzip: [UInt8]?

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

/// A fault in a reply. Offsets count from the start of the resource, whatever range was requested.
public enum Fault: Sendable {
    /// Waits before sending the byte at an offset. Replies without that byte are not affected.
    case stall(at: Int, Wait)
    /// Resets the connection (TCP RST) before the byte at an offset, after the bytes before it have arrived.
    case reset(at: Int)
    /// Closes the connection before the byte at an offset, so the body is shorter than announced.
    case close(at: Int)
    /// Resets the connection after this number of bytes of the reply.
    case resetAfter(Int)
    /// Limits the rate to this number of bytes per second.
    case rate(Int)
    /// Omits `Content-Length`; the end of the connection ends the body. No ranges.
    case noLength
    /// Uses chunked transfer coding. No ranges.
    case chunked
    /// Ignores `Range`: always 200 with the complete resource.
    case noRanges
    /// Replies with 416 to a range that does not begin at 0.
    case refusedRanges
    /// Adds this number to the start of the range in `Content-Range`.
    case shiftedContentRange(Int)
    /// Announces this length, whatever is sent.
    case announcedLength(Int)
    /// Ends the resource at this offset, as if it were complete.
    case shortened(to: Int)
    /// Replaces these bytes by noise.
    case garbage(Range<Int>)
    /// Adds header fields.
    case field(name: String, value: String)
}

/// What a stalled reply waits for; stopping the server ends the wait.
public enum Wait: Sendable {
    /// A number of seconds.
    case time(Duration)
    /// A gate that the test opens.
    case gate(Gate)
}
