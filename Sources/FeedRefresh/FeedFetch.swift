public import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel

/// The result of fetching one feed.
public struct FeedFetchResult: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        /// The server says that nothing changed (304).
        case notModified
        case sameBody
        case document(FeedDocument)
        case failed(FetchFailure)
    }

    public var outcome: Outcome
    public var redirects: [Redirect]
    /// The head of the final response; nil if there was none.
    public var answer: FeedAnswer?
    var digest: String?
    /// Bytes of the body on the wire; for an incomplete transfer, decoded bytes.
    public var bytes: Int64

    init(
        outcome: Outcome, redirects: [Redirect] = [], answer: FeedAnswer? = nil, digest: String? = nil, bytes: Int64 = 0
    ) {
        self.outcome = outcome
        self.redirects = redirects
        self.answer = answer
        self.digest = digest
        self.bytes = bytes
    }

    /// A document that is available already, as if it came from a URL.
    public init(document bytes: [UInt8], of url: String) {
        let parser = FeedParser(baseURL: url)
        // `finish` throws the error again.
        bytes.withUnsafeBytes { try? parser.feed($0) }
        self.init(outcome: Outcome(of: parser), bytes: Int64(bytes.count))
    }

    /// The new URL of the feed: the end of the permanent redirects before any temporary one. A move from https to http
    /// is ignored, because an attacker in the network could forge it.
    public func permanentURL(from url: String) -> String? {
        guard let last = redirects.prefix(while: \.isPermanent).last else { return nil }
        if WebAddress.hasScheme("https", url), !WebAddress.hasScheme("https", last.url) { return nil }
        return last.url == url ? nil : last.url
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

/// Memory limit, shared by all fetches, for bodies that are held until their end shows whether they are new.
final class HeldBytes {
    private(set) var free: Int
    init(bound: Int) { free = bound }
    /// Reserves memory; returns false if there is not enough.
    func reserve(_ count: Int) -> Bool {
        guard count <= free else { return false }
        free -= count
        return true
    }
    func release(_ count: Int) { free += count }
}

/// One feed in flight: receives events of its transfer, and finally returns one result.
///
/// A body that may be the same as last time is held and only digested; it is parsed when it turns out to be new, or
/// when too much would have to be held. Any other body is parsed as it arrives.
final class FeedFetch {
    private let request: FeedRequest
    private let limits: FetchLimits
    private let attempts: (any AttemptRecorder)?
    private let workTime: () -> Duration
    /// CPU time spent on the body.
    private var work = Duration.zero
    private let held: HeldBytes
    private var body: [UInt8] = []
    private var holdsBack: Bool
    private var digest = BodyDigest()
    private var received: Int64 = 0
    private var redirects: [Redirect] = []
    private var answer: FeedAnswer?
    private var parser: FeedParser?

    /// Bytes that are parsed between two readings of the clock.
    private static let slice = 64 << 10

    init(
        _ request: FeedRequest, limits: FetchLimits, held: HeldBytes, attempts: (any AttemptRecorder)?,
        workTime: @escaping () -> Duration
    ) {
        self.request = request
        self.limits = limits
        self.attempts = attempts
        self.workTime = workTime
        self.held = held
        holdsBack = request.knownDigest != nil
    }

    /// Handles an event. A result ends the fetch, even if the transfer still runs: the caller must cancel it.
    func handle(_ event: FeedTransferEvent) -> FeedFetchResult? {
        switch event {
        case .redirected(let redirect):
            redirects.append(redirect)
            return nil
        case .answered(let answer):
            self.answer = answer
            if answer.status == 200, let length = answer.contentLength, length > limits.bodyBytes {
                return failed(.tooLarge(limit: limits.bodyBytes))
            }
            return nil
        case .received(let bytes):
            guard answer?.status == 200 else { return nil }
            received += Int64(bytes.count)
            if received > limits.bodyBytes { return failed(.tooLarge(limit: limits.bodyBytes)) }
            if received == Int64(bytes.count), let type = audioType(bytes) {
                return failed(.notAFeed(reason: "an audio file or stream (\(type))"))
            }
            return receive(bytes)
        case .ended(.failure(let failure)):
            return failed(failure)
        case .ended(.success(let wireBytes)):
            return concluded(wireBytes)
        }
    }

    /// The type of an audio or video response, by type and first bytes, which is not read on: a stream has no end.
    private func audioType(_ first: UnsafeRawBufferPointer) -> String? {
        guard let type = answer?.contentType?.prefix(while: { $0 != ";" }).lowercased(),
            type.hasPrefix("audio/") || type.hasPrefix("video/") || type == "application/ogg"
        else { return nil }
        let isText = first.prefix(64).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
        return isText ? nil : SafeText.line(type)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> FeedFetchResult? {
        digest.update(bytes)
        if holdsBack {
            if held.reserve(bytes.count) {
                body.append(contentsOf: bytes)
                return nil
            }
            if let failure = parseHeldBody() { return failed(failure) }
        }
        return parse(bytes).map { failed($0) }
    }

    private func concluded(_ wireBytes: Int64) -> FeedFetchResult {
        let status = answer?.status ?? 0
        if status == 304 { return result(.notModified, bytes: wireBytes) }
        if status == 401, request.access.login?.credentials(for: redirects.last?.url ?? request.url) != nil {
            return failed(.loginRejected)
        }
        guard status == 200 else { return failed(.status(status)) }
        if received == 0 { return failed(.empty) }
        let digest = digest.text
        if digest == request.knownDigest { return result(.sameBody, digest: digest, bytes: wireBytes) }
        if holdsBack, let failure = parseHeldBody() { return failed(failure) }
        guard let parser else { return failed(.empty) }
        if let attempt = request.attempt { attempts?.begin(attempt) }
        defer { attempts?.end() }
        switch FeedFetchResult.Outcome(of: parser) {
        case .failed(let failure): return failed(failure)
        case let outcome: return result(outcome, digest: digest, bytes: wireBytes)
        }
    }

    private func parseHeldBody() -> FetchFailure? {
        holdsBack = false
        defer {
            held.release(body.count)
            body = []
        }
        return body.withUnsafeBytes { parse($0) }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) -> FetchFailure? {
        if parser == nil {
            parser = FeedParser(baseURL: answer?.url ?? request.url, contentType: answer?.contentType)
        }
        if let attempt = request.attempt { attempts?.begin(attempt) }
        defer { attempts?.end() }
        var rest = bytes
        while !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.slice))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(slice.count))
            let start = workTime()
            do throws(DocumentError) { try parser?.feed(slice) } catch { return FetchFailure(error) }
            work += workTime() - start
            if work > .seconds(limits.workSeconds) { return .tooCostly(seconds: limits.workSeconds) }
        }
        return nil
    }

    private func failed(_ failure: FetchFailure) -> FeedFetchResult {
        result(.failed(failure), bytes: received)
    }

    private func result(
        _ outcome: FeedFetchResult.Outcome, digest: String? = nil, bytes: Int64
    ) -> FeedFetchResult {
        if !body.isEmpty { held.release(body.count) }
        body = []
        return FeedFetchResult(outcome: outcome, redirects: redirects, answer: answer, digest: digest, bytes: bytes)
    }
}
