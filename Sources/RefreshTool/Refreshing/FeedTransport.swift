internal import HTTP
internal import Library

/// The network of a run: `HTTPMulti`, or a script of a test.
protocol FeedTransport: AnyObject {
    /// Begins a request, whose delegate is called during later polls.
    func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate) -> HTTPTransfer
    /// Waits until something happens or the time has passed. After an error, transfers can no longer complete.
    func poll(timeout: Duration?) throws(HTTPError)
}

extension HTTPMulti: FeedTransport {}

/// One GET with the validators of the stored document (RFC 9110 section 13).
struct FeedRequest: Equatable {
    var url: String
    /// `If-None-Match`, the opaque bytes of an earlier `ETag`.
    var etag: String?
    /// `If-Modified-Since`, the opaque bytes of an earlier `Last-Modified`.
    var lastModified: String?
    /// The digest of the last body; an identical body is not parsed. Not sent.
    var knownDigest: String?
    /// Further header fields for this host only: a request with such fields follows no redirect.
    var fields: [String: String] = [:]
    /// Recorded while the response is parsed; nil for a document without feed.
    var attempt: DocumentAttempt?
    /// Identity and permitted hosts.
    var access = HTTPAccess()

    /// The request as it is sent. The total time limits a server that sends very slowly.
    var http: HTTPRequest {
        var request = HTTPRequest(url)
        request.etag = etag
        request.lastModified = lastModified
        request.headers = fields.map { ($0.key, $0.value) }
        if !fields.isEmpty { request.maximumRedirects = 0 }
        request.timeouts.total = .seconds(180)
        access.apply(to: &request)
        return request
    }
}

extension HTTPHead {
    /// The head with URLs as they may be stored.
    var withoutCredentials: HTTPHead {
        var head = self
        head.effectiveURL = HTTPURL.withoutCredentials(effectiveURL)
        head.hops = hops.withoutCredentials
        return head
    }

    var etag: String? { validator("etag") }
    var lastModified: String? { validator("last-modified") }

    /// The validator; nil if it is not UTF-8 and could not be sent back unchanged, or is too long to be stored.
    private func validator(_ name: String) -> String? {
        guard let value = headers[name], !value.isEmpty, value.utf8.count <= StoredLimits.validatorBytes,
            !value.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return value
    }

    var hints: RefreshSchedule.ServerHints {
        .init(retryAfter: retryAfter.map { Int64($0) }, maxAge: headers["cache-control"].flatMap(Self.maxAge))
    }

    /// Seconds of `max-age` in `Cache-Control`, RFC 9111 section 5.2.2.1; nil if invalid, or if the response must be
    /// revalidated anyway.
    private static func maxAge(_ field: String) -> Int64? {
        var age: Int64?
        for part in field.split(separator: ",") {
            let directive = part.drop { $0 == " " }.lowercased()
            if directive.hasPrefix("no-cache") || directive.hasPrefix("no-store") { return nil }
            guard directive.hasPrefix("max-age=") else { continue }
            let digits = directive.dropFirst(8).drop { $0 == "\"" }.prefix { ("0"..."9").contains($0) }
            // Beyond 64 bits counts as the maximum: RFC 9111 section 1.2.2.
            if !digits.isEmpty { age = Int64(digits) ?? .max }
        }
        return age
    }
}

extension [HTTPHop] {
    var withoutCredentials: [HTTPHop] {
        map { hop in
            var hop = hop
            hop.to = HTTPURL.withoutCredentials(hop.to)
            return hop
        }
    }
}
