internal import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel

struct FeedFetchResult {
    enum Outcome: Equatable {
        /// The server says that nothing changed (304).
        case notModified
        case sameBody
        case document(FeedDocument)
        case failed(FetchFailure)
    }

    var outcome: Outcome
    var redirects: [HTTPHop] = []
    /// The head of the final response; nil if there was none.
    var answer: HTTPHead?
    var digest: String?
    /// Bytes of the body on the wire; for an incomplete transfer, decoded bytes.
    var bytes: Int64 = 0
}

extension FeedFetchResult {
    /// A document that is available already, as if it came from a URL.
    init(document bytes: [UInt8], of url: String) {
        let parser = FeedParser(baseURL: url)
        // `finish` throws the error again.
        bytes.withUnsafeBytes { try? parser.feed($0) }
        self.init(outcome: Outcome(of: parser), bytes: Int64(bytes.count))
    }

    /// Why the answer to an unconditional request has no feed; nil if it has one.
    var failure: FetchFailure? {
        switch outcome {
        case .document: nil
        case .failed(let failure): failure
        case .notModified, .sameBody: .falselyUnchanged
        }
    }

    /// The new URL of the feed: the end of the permanent redirects before any temporary one. A move from https to http
    /// is ignored, because an attacker in the network could forge it.
    func permanentURL(from url: String) -> String? {
        guard let last = redirects.prefix(while: \.isPermanent).last else { return nil }
        if WebAddress.hasScheme("https", url), !WebAddress.hasScheme("https", last.to) { return nil }
        return last.to == url ? nil : last.to
    }
}

extension FeedFetchResult.Outcome {
    fileprivate init(of parser: FeedParser) {
        do throws(DocumentError) {
            var document = try parser.finish()
            document.contents.readNames()
            self = .document(document)
        } catch {
            self = .failed(FetchFailure(error))
        }
    }
}

/// The transfer of one feed, which ends with one result.
///
/// A body that may be the same as last time is held and only digested. The body is parsed when it turns out to be new, or
/// when too much would have to be held; any other body is parsed as it arrives.
final class FeedFetch: HTTPTransferDelegate {
    private let request: FeedRequest
    private let number: Int
    private let fetcher: FeedFetcher
    /// CPU time spent on the body.
    private var work = Duration.zero
    private var body: [UInt8] = []
    private var holdsBack: Bool
    private var digest = BodyDigest()
    private var received: Int64 = 0
    private var redirects: [HTTPHop] = []
    private var answer: HTTPHead?
    private var parser: FeedParser?

    /// Bytes that are parsed between two readings of the clock.
    private static let slice = 64 << 10

    init(_ request: FeedRequest, as number: Int, of fetcher: FeedFetcher) {
        self.request = request
        self.number = number
        self.fetcher = fetcher
        holdsBack = request.knownDigest != nil
    }

    deinit { fetcher.freeBytes += body.count }

    private var limits: FetchLimits { fetcher.limits }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        let head = head.withoutCredentials
        answer = head
        redirects = head.hops
        if head.status == 200, let length = head.contentLength, length > limits.bodyBytes {
            end(transfer, .tooLarge(limit: limits.bodyBytes))
        }
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        guard answer?.status == 200 else { return .proceed }
        received += Int64(bytes.count)
        if received > limits.bodyBytes {
            end(transfer, .tooLarge(limit: limits.bodyBytes))
        } else if received == Int64(bytes.count), let type = audioType(bytes) {
            end(transfer, .notAFeed(.audio("an audio file or stream (\(type))")))
        } else if let failure = receive(bytes) {
            end(transfer, failure)
        }
        return .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        switch result {
        case .success(let summary): fetcher.end(number, with: concluded(summary.receivedBytes))
        case .failure(let error):
            redirects = error.hops.withoutCredentials
            fetcher.end(number, with: failed(FetchFailure(error)))
        }
    }

    private func end(_ transfer: HTTPTransfer, _ failure: FetchFailure) {
        transfer.cancel()
        fetcher.end(number, with: failed(failure))
    }

    /// The type of an audio or video response, by type and first bytes, which is not read on: a stream has no end.
    private func audioType(_ first: UnsafeRawBufferPointer) -> String? {
        guard let type = answer?.contentType,
            type.hasPrefix("audio/") || type.hasPrefix("video/") || type == "application/ogg"
        else { return nil }
        let isText = first.prefix(64).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
        return isText ? nil : SafeText.line(type)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> FetchFailure? {
        digest.update(bytes)
        if holdsBack {
            if bytes.count <= fetcher.freeBytes {
                fetcher.freeBytes -= bytes.count
                body.append(contentsOf: bytes)
                return nil
            }
            if let failure = parseHeldBody() { return failure }
        }
        return parse(bytes)
    }

    private func concluded(_ wireBytes: Int64) -> FeedFetchResult {
        let status = answer?.status ?? 0
        if status == 304 { return result(.notModified, bytes: wireBytes) }
        if status == 401, request.access.login?.credentials(for: redirects.last?.to ?? request.url) != nil {
            return failed(.loginRejected)
        }
        guard status == 200 else { return failed(.status(status)) }
        if received == 0 { return failed(.empty) }
        let digest = digest.text
        if digest == request.knownDigest { return result(.sameBody, digest: digest, bytes: wireBytes) }
        if holdsBack, let failure = parseHeldBody() { return failed(failure) }
        guard let parser else { return failed(.empty) }
        if let attempt = request.attempt { fetcher.attempts?.begin(attempt) }
        defer { fetcher.attempts?.end() }
        switch FeedFetchResult.Outcome(of: parser) {
        case .failed(let failure): return failed(failure)
        case let outcome: return result(outcome, digest: digest, bytes: wireBytes)
        }
    }

    private func parseHeldBody() -> FetchFailure? {
        holdsBack = false
        defer {
            fetcher.freeBytes += body.count
            body = []
        }
        return body.withUnsafeBytes { parse($0) }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) -> FetchFailure? {
        if parser == nil {
            parser = FeedParser(
                baseURL: answer?.effectiveURL ?? request.url, contentType: answer?.headers["content-type"])
        }
        if let attempt = request.attempt { fetcher.attempts?.begin(attempt) }
        defer { fetcher.attempts?.end() }
        var rest = bytes
        while !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.slice))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(slice.count))
            let start = fetcher.workTime()
            do throws(DocumentError) { try parser?.feed(slice) } catch { return FetchFailure(error) }
            work += fetcher.workTime() - start
            if work > .seconds(limits.workSeconds) { return .tooCostly(seconds: limits.workSeconds) }
        }
        return nil
    }

    private func failed(_ failure: FetchFailure) -> FeedFetchResult { result(.failed(failure), bytes: received) }

    private func result(_ outcome: FeedFetchResult.Outcome, digest: String? = nil, bytes: Int64) -> FeedFetchResult {
        FeedFetchResult(outcome: outcome, redirects: redirects, answer: answer, digest: digest, bytes: bytes)
    }
}
