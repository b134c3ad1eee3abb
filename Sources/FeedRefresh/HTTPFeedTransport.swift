public import HTTP

/// Fetches feeds with libcurl.
public final class HTTPFeedTransport: FeedTransport {
    private let multi: HTTPMulti
    private let timeouts: HTTPRequest.Timeouts
    private let maximumRedirects: Int
    private var adapters: [Int: TransferAdapter] = [:]

    /// - Parameter timeouts: the total limits a server that sends very slowly.
    /// - Throws: if libcurl cannot start.
    public init(
        settings: HTTPSettings, timeouts: HTTPRequest.Timeouts = .init(total: .seconds(180)),
        maximumRedirects: Int = 8
    ) throws(HTTPError) {
        multi = try HTTPMulti(settings: settings)
        self.timeouts = timeouts
        self.maximumRedirects = maximumRedirects
    }

    public func start(_ request: FeedRequest, as number: Int, receiver: any FeedTransferReceiver) {
        var ours = HTTPRequest(request.url)
        ours.etag = request.etag
        ours.lastModified = request.lastModified
        request.access.apply(to: &ours)
        ours.timeouts = timeouts
        ours.maximumRedirects = request.fields.isEmpty ? maximumRedirects : 0
        ours.headers = request.fields.map { ($0.name, $0.value) }
        let adapter = TransferAdapter(number: number, receiver: receiver, transport: self)
        adapters[number] = adapter
        adapter.transfer = multi.add(ours, delegate: adapter)
    }

    public func cancel(_ number: Int) {
        if let transfer = adapters.removeValue(forKey: number)?.transfer { transfer.cancel() }
    }

    public func run(waiting limit: Duration) {
        do throws(HTTPError) {
            try multi.poll(timeout: limit)
        } catch {
            // libcurl itself failed: no transfer can complete any more.
            let lost = adapters
            for (number, adapter) in lost {
                cancel(number)
                adapter.receiver.transfer(number, .ended(.failure(.transfer(error.message))))
            }
        }
    }

    fileprivate func forget(_ number: Int) { adapters[number] = nil }
}

/// Converts one transfer's events for the refresher.
private final class TransferAdapter: HTTPTransferDelegate {
    let number: Int
    let receiver: any FeedTransferReceiver
    var transfer: HTTPTransfer?
    private unowned let transport: HTTPFeedTransport
    private var reportedHops = 0

    init(number: Int, receiver: any FeedTransferReceiver, transport: HTTPFeedTransport) {
        self.number = number
        self.receiver = receiver
        self.transport = transport
    }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        reportHops(head.hops)
        let hints = RefreshSchedule.ServerHints(
            retryAfter: head.retryAfter.map { Int64($0) },
            maxAge: head.headers["cache-control"].flatMap(Self.maxAge))
        receiver.transfer(
            number,
            .answered(
                FeedAnswer(
                    status: head.status, url: HTTPURL.withoutCredentials(head.effectiveURL),
                    etag: Self.validator(head, "etag"),
                    lastModified: Self.validator(head, "last-modified"), contentType: head.headers["content-type"],
                    contentLength: head.contentLength, hints: hints)))
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        receiver.transfer(number, .received(bytes))
        return .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        transport.forget(number)
        switch result {
        case .success(let summary): receiver.transfer(number, .ended(.success(summary.receivedBytes)))
        case .failure(let error):
            reportHops(error.hops)
            receiver.transfer(number, .ended(.failure(FetchFailure(error))))
        }
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

    /// The validator; nil if it is not UTF-8 and could not be sent back unchanged, or is too long for servers.
    private static func validator(_ head: HTTPHead, _ name: String) -> String? {
        guard let value = head.headers[name], !value.isEmpty, value.utf8.count <= 16 << 10,
            !value.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return value
    }

    private func reportHops(_ hops: [HTTPHop]) {
        for hop in hops.dropFirst(reportedHops) {
            receiver.transfer(
                number, .redirected(Redirect(status: hop.status, url: HTTPURL.withoutCredentials(hop.to))))
        }
        reportedHops = max(reportedHops, hops.count)
    }
}

extension FetchFailure {
    init(_ error: HTTPError) {
        switch error.kind {
        case .privateAddress: self = .privateAddress(error.message)
        case .invalidRequest, .redirectRefused: self = .badAddress(error.message)
        case .resolve: self = .unknownHost(error.message)
        case .connect: self = .unreachable(error.message)
        case .tls, .certificate: self = .insecure(error.message)
        case .timeout: self = .timedOut(error.message)
        case .truncated: self = .truncated
        case .redirectLimit: self = .tooManyRedirects
        case .connectionLost, .tooLarge, .protocol, .coding, .exhausted, .aborted, .internal:
            self = .transfer(error.message)
        }
    }
}
