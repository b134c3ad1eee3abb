internal import HTTP
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Small HTTP requests to devices of this network, on a separate thread; `process` calls the handlers of the answers.
final class DeviceRequests {
    /// An answer with any status.
    struct Answer: Sendable {
        var status = 0
        /// Identifies a subscription.
        var sid: String?
        var body: [UInt8] = []
    }

    private final class Inbox: Sendable {
        let arrived: EventDescriptor
        let answers = Mutex<[(number: Int, answer: Answer?)]>([])
        init() throws(SystemError) { arrived = try EventDescriptor() }
    }

    private final class Receiver: HTTPTransferDelegate, Sendable {
        private static let longestBody = 128 << 10
        private let number: Int
        private let inbox: Inbox
        private let answer = Mutex(Answer())

        init(_ number: Int, _ inbox: Inbox) { (self.number, self.inbox) = (number, inbox) }

        func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
            answer.withLock { ($0.status, $0.sid) = (head.status, head.headers["sid"]) }
        }

        func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
            let isTooLong = answer.withLock { answer in
                answer.body.append(contentsOf: bytes)
                return answer.body.count > Self.longestBody
            }
            if isTooLong {
                transfer.cancel()
                give(nil)
            }
            return .proceed
        }

        func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
            give((try? result.get()) == nil ? nil : answer.withLock { $0 })
        }

        private func give(_ answer: Answer?) {
            inbox.answers.withLock { $0.append((number, answer)) }
            inbox.arrived.signal()
        }
    }

    private let http = HTTPThread(settings: HTTPSettings(proxy: ""))
    private let inbox: Inbox
    private var handlers: [Int: (Answer?) -> Void] = [:]
    private var last = 0

    init() throws(SystemError) { inbox = try Inbox() }

    /// Readable when `process` has something to do.
    var descriptor: Int32 { inbox.arrived.raw }

    /// - Parameter done: gets nil without an answer in five seconds, or if the answer is too long.
    func send(
        _ method: String, _ url: String, _ headers: [(name: String, value: String)] = [], body: String? = nil,
        done: @escaping (Answer?) -> Void
    ) {
        var request = HTTPRequest(url)
        request.method = method == "GET" ? .get : .other(method)
        (request.headers, request.body, request.maximumRedirects) = (headers, body, 0)
        let limit = Duration.seconds(5)
        request.timeouts = HTTPRequest.Timeouts(connect: limit, firstByte: limit, stall: limit, total: limit)
        last += 1
        handlers[last] = done
        http.start(request, delegate: Receiver(last, inbox))
    }

    func process() {
        inbox.arrived.clear()
        for (number, answer) in inbox.answers.withLock({ exchange(&$0, with: []) }) {
            handlers.removeValue(forKey: number)?(answer)
        }
    }
}
