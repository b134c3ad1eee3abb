internal import CCurl
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Receives the events of a transfer, on the thread that polls the `HTTPMulti` and never inside `add`.
///
/// A delegate is kept until its transfer has ended. Its methods may add, pause and cancel transfers.
public protocol HTTPTransferDelegate: AnyObject {
    /// The head of the final response, with any status.
    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead)
    /// Decoded bytes of the body; valid during the call only.
    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow
    /// The end, unless the transfer was cancelled. No call follows.
    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>)
}

/// A delegate's answer to bytes.
public enum HTTPFlow: Sendable {
    case proceed
    /// Stop receiving until `resume`; TCP makes the server wait.
    case pause
}

/// A successful transfer.
public struct HTTPSummary: Equatable, Sendable {
    /// Bytes of the body before decoding.
    public var receivedBytes: Int64
}

/// One request in an `HTTPMulti`. Used on that multi's thread only. `TransferMachine` makes the decisions.
public final class HTTPTransfer {
    /// Unique within a multi.
    let id: UInt64
    var hops: [HTTPHop] { machine.hops }

    private(set) var machine: TransferMachine
    var easy: EasyHandle?
    private weak var multi: HTTPMulti?
    private var delegate: (any HTTPTransferDelegate)?
    private let gate: AddressGate

    init(
        id: UInt64, request: HTTPRequest, delegate: any HTTPTransferDelegate, multi: HTTPMulti?, now: Instant,
        settings: HTTPSettings
    ) {
        self.id = id
        gate = AddressGate(request: request, settings: settings)
        machine = TransferMachine(request, now: now)
        self.delegate = delegate
        self.multi = multi
    }

    /// Receives again after `HTTPFlow.pause`.
    public func resume() {
        guard case .paused = machine.phase, let multi else { return }
        multi.whenIdle { _ in self.handle(.resume) }
    }

    /// Ends the transfer and closes its connection, unless everything was received; the delegate gets no calls.
    public func cancel() {
        guard !machine.hasEnded else { return }
        handle(.cancel)
        delegate = nil
        multi?.whenIdle { $0.drop(self) }
    }

    /// Whether the same request must be made again without decoding.
    func mustBeginAgain() -> Bool { machine.beginAgain(now: multi?.now ?? .now) }

    /// Ends the transfer with libcurl's result.
    func complete(_ code: CURLcode) {
        handle(.finished(error(code), url: code == CURLE_OK ? "" : easy?.effectiveURL ?? ""))
    }

    private func error(_ code: CURLcode) -> HTTPError? {
        if code == CURLE_OK { return nil }
        // With these codes libcurl refuses header lines beyond CURL_MAX_HTTP_HEADER: CURLE_TOO_LARGE (100) since version 8.6.
        if code == CURLE_OUT_OF_MEMORY || code.rawValue == 100, case .waiting = machine.phase {
            return HTTPError(.tooLarge, "a header line of the answer is longer than \(CURL_MAX_HTTP_HEADER) bytes")
        }
        return HTTPError(
            code, detail: easy?.errorMessage ?? "", refusal: easy?.systemReason, settings: multi?.settings,
            url: machine.request.url, hops: hops)
    }

    /// - Parameter deliverBody: passes on the bytes of the event.
    /// - Returns: true if libcurl may continue.
    @discardableResult
    func handle(_ event: TransferMachine.Event, deliverBody: () -> HTTPFlow = { .proceed }) -> Bool {
        while true {
            switch machine.handle(event, now: multi?.now ?? .now) {
            case .proceed: return true
            case .stop: return false
            case .pause: easy?.pause(CURLPAUSE_RECV)
            case .resume:
                if let easy { multi?.unpause(easy) }
                multi?.watch(self)
            case .deliver(var head):
                head.retryAfter = easy?.retryAfter(head.headers)
                head.date = easy?.date(head.headers)
                delegate?.transfer(self, didReceive: head)
                multi?.watch(self)
                guard case .headerLine = event else { continue }
                return mayReceive
            case .deliverBody:
                if deliverBody() == .pause { handle(.pause) }
                return mayReceive
            case .complete(let error):
                let delegate = self.delegate.take()
                let summary = HTTPSummary(receivedBytes: easy?.number(CURLINFO_SIZE_DOWNLOAD_T) ?? 0)
                delegate?.transfer(self, didComplete: error.map { .failure($0) } ?? .success(summary))
            }
            return true
        }
    }

    private var mayReceive: Bool { !machine.awaitsHead && !machine.isEnding }

    // MARK: - libcurl's callbacks

    /// True if libcurl may use a connection to an address for the current URL.
    func mayUse(_ address: InternetAddress?) -> Bool {
        guard let easy, let address else { return false }
        guard let reason = gate.refusal(of: address, for: easy.effectiveURL) else { return true }
        handle(
            .obstacle(.privateAddress, "\(reason); to allow this, name the host in the setting network.private_hosts"))
        return false
    }

    func opened(_ socket: Int32) {
        handle(.connected)
        multi?.sockets.opened(socket)
    }

    /// Receives one line of a head, also of interim responses and redirects.
    func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
        guard let easy, let multi else { return false }
        multi.sockets.deliver(line.count)
        let bytes = unsafe Array(line)
        let event: TransferMachine.HeaderLine
        if bytes.starts(with: "HTTP/".utf8) || bytes.starts(with: "ICY ".utf8) {
            event = .status(statusCode(bytes), url: easy.effectiveURL)
        } else if bytes.first == .carriageReturn || bytes.first == .newline {
            event = .end
        } else {
            event = .field(bytes)
        }
        return handle(.headerLine(event, bytes: bytes.count))
    }

    /// Receives decoded bytes of the final response's body.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        multi?.sockets.deliver(bytes.count)
        return handle(.body(bytes.count)) { unsafe delegate?.transfer(self, didReceiveBody: bytes) ?? .proceed }
    }

    /// The three digits after `HTTP/1.1 ` or `ICY `; 0 if there are none.
    private func statusCode(_ line: [UInt8]) -> Int {
        Int(String(utf8: line.drop { $0 != .space }.dropFirst().prefix(3))) ?? 0
    }
}

extension Duration {
    /// `30 s`, `250 ms`.
    var readable: String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
