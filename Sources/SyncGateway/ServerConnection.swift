internal import HTTP
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Transfers with the server of an account, one after another. One thread, which waits for the answers.
final class ServerConnection {
    private static let limits = HTTPRequest.Timeouts(
        connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(60), total: .seconds(3600))
    /// A clock that is wrong by less is not noticed, in milliseconds.
    private static let tolerance: Int64 = 60_000
    /// Times from a clock that is wrong by more than a year cannot be corrected.
    private static let longestOffset: Int64 = 366 * 86_400_000
    /// A wait for an answer that is longer is reported.
    private static let noticeableWait = Duration.seconds(10)
    /// Most bytes of an answer that are buffered before they are read.
    private static let mostWaiting = 1 << 20
    /// Answers of one piece, in bytes.
    private static let longestAnswer = 32 << 20

    let settings: AccountSettings
    let http: HTTPMulti
    private let isStopped: () -> Bool
    /// How far the server's clock is ahead of the one here, in milliseconds; 0 if they differ by little.
    private(set) var clockOffset: Int64 = 0
    /// Receives a line about a long wait.
    var reportWait: (String) -> Void = { _ in }

    /// - Parameter isStopped: whether to fail instead of waiting any longer.
    init(_ settings: AccountSettings, _ http: HTTPMulti, isStopped: @escaping () -> Bool) {
        self.settings = settings
        self.http = http
        self.isStopped = isStopped
    }

    var unreadable: SyncFailure {
        SyncFailure(message: "the answer of \(settings.address) is not that of a \(settings.kind.rawValue) server")
    }

    func request(_ method: String, _ url: String, _ body: String?) -> HTTPRequest {
        var request = HTTPRequest(url)
        request.method = method == "GET" ? .get : .other(method)
        request.body = body
        request.timeouts = Self.limits
        // A password is not sent anywhere else.
        request.maximumRedirects = 0
        request.headers = [("Accept", "application/json")]
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        return request
    }

    private final class Receiver: HTTPTransferDelegate {
        var head: HTTPHead?
        /// Bytes that the caller has not read yet.
        var bytes: [UInt8] = []
        var result: Result<HTTPSummary, HTTPError>?
        private let takesErrors: Bool

        init(takesErrors: Bool) { self.takesErrors = takesErrors }

        func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) { self.head = head }

        func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
            if let head, takesErrors || (200..<300).contains(head.status) { unsafe self.bytes += bytes }
            // A compressed answer may become a thousand times as long.
            return self.bytes.count < ServerConnection.mostWaiting ? .proceed : .pause
        }

        func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
            self.result = result
        }
    }

    /// Reads a whole answer.
    /// - Parameter takesErrors: whether to read an answer with a bad status also.
    func answer(
        to request: HTTPRequest, takesErrors: Bool = false
    ) throws(SyncFailure) -> (head: HTTPHead, body: [UInt8]) {
        var body: [UInt8] = []
        let head = try transfer(request, takesErrors: takesErrors) { bytes throws(SyncFailure) in
            body += bytes
            if body.count > Self.longestAnswer { throw unreadable }
        }
        return (head, body)
    }

    func json(_ body: [UInt8]) throws(SyncFailure) -> JSONValue {
        if body.isEmpty { return .null }
        guard let json = body.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { throw unreadable }
        return json
    }

    /// - Parameter take: receives the answer piece by piece.
    func transfer(
        _ request: HTTPRequest, takesErrors: Bool = false, take: ([UInt8]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> HTTPHead {
        let receiver = Receiver(takesErrors: takesErrors)
        let sent = Timestamp.now
        var deadline = Instant.now + Self.noticeableWait
        let transfer = http.add(request, delegate: receiver)
        do throws(SyncFailure) {
            while receiver.result == nil {
                if isStopped() { throw SyncFailure(message: "podcast-sync ends", kind: .stopped) }
                do throws(HTTPError) {
                    try http.poll(timeout: deadline == .distantFuture ? nil : max(.zero, deadline - .now))
                } catch { throw SyncFailure(message: error.message) }
                if !receiver.bytes.isEmpty {
                    try take(exchange(&receiver.bytes, with: []))
                    transfer.resume()
                    deadline = .now + Self.noticeableWait
                } else if deadline <= .now {
                    deadline = .distantFuture
                    reportWait("\(settings.address) has not answered for 10 s")
                }
            }
        } catch {
            transfer.cancel()
            throw error
        }
        if case .failure(let error)? = receiver.result {
            let hint = "; to trust it, name its certificate in sync.conf: ca_file = FILE below [sync]"
            throw SyncFailure(
                message: "\(settings.address): \(error.message)\(error.kind == .certificate ? hint : "")")
        }
        guard let head = receiver.head else { throw unreadable }
        if let date = head.date {
            // The date is that of a moment between the request and now, without its milliseconds.
            let ahead = date.milliseconds - sent.milliseconds
            if abs(ahead) > Self.longestOffset {
                throw SyncFailure(
                    message:
                        "the clocks of \(settings.address) and of this machine differ by years: correct the wrong one")
            }
            clockOffset = abs(ahead) < Self.tolerance ? 0 : ahead
        }
        return head
    }

    /// Refuses an answer with a bad status.
    /// - Parameter unauthorized: the failure for status 401.
    func check(_ head: HTTPHead, _ path: String, unauthorized: SyncFailure) throws(SyncFailure) {
        let message: String
        switch head.status {
        case 200..<300: return
        case 300..<400:
            message =
                "\(settings.address) has moved to \(SafeText.line(head.headers["location"] ?? "")): write the new address to sync.conf"
        case 401: throw unauthorized
        case 403: message = "\(settings.address) does not permit this to '\(settings.user)'"
        case 404, 405:
            message =
                "\(settings.address) is not a \(settings.kind.rawValue) server: it has no \(path.prefix { $0 != "?" })"
        case 429: message = "\(settings.address) refuses more requests for now, as after wrong passwords"
        case 503: message = "\(settings.address) is not available; with podcast-web, podcastd does not run there"
        case let status: message = "\(settings.address) answers with status \(status)"
        }
        throw SyncFailure(message: message, retryAfter: head.retryAfter)
    }
}
