internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// Small HTTP requests to devices of this network. They make progress only in `process`. One thread.
final class DeviceRequests {
    /// An answer with any status.
    struct Answer {
        var status = 0
        /// Identifies a subscription.
        var sid: String?
        var body: [UInt8] = []
    }

    private final class Receiver: HTTPTransferDelegate {
        private static let longestBody = 128 << 10
        private var answer = Answer()
        private let done: (Answer?) -> Void

        init(_ done: @escaping (Answer?) -> Void) { self.done = done }

        func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
            answer.status = head.status
            answer.sid = head.headers["sid"]
        }

        func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
            unsafe answer.body.append(contentsOf: bytes)
            // The time limit ends it.
            return answer.body.count > Self.longestBody ? .pause : .proceed
        }

        func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
            done((try? result.get()) == nil ? nil : answer)
        }
    }

    private static let limit = Duration.seconds(5)
    /// Between two looks at transfers, whose descriptors belong to libcurl.
    private static let pause = Duration.milliseconds(20)

    private let http: HTTPMulti

    init() throws(HTTPError) { http = try HTTPMulti(settings: HTTPSettings(proxy: "")) }

    var deadline: Instant? { http.count > 0 ? .now + Self.pause : nil }

    func process() { try? http.poll(timeout: .zero) }

    /// - Parameter done: gets nil without an answer in five seconds, or if the answer is too long; never during this call.
    func send(
        _ method: String, _ url: String, _ headers: [(name: String, value: String)] = [], body: String? = nil,
        done: @escaping (Answer?) -> Void
    ) {
        var request = HTTPRequest(url)
        request.method = method == "GET" ? .get : .other(method)
        request.headers = headers
        request.body = body
        request.maximumRedirects = 0
        request.timeouts = .init(connect: Self.limit, firstByte: Self.limit, stall: Self.limit, total: Self.limit)
        http.add(request, delegate: Receiver(done))
    }
}
