internal import CCurl
internal import Glibc
internal import SystemCalls

/// Takes what a transfer brings. Every call comes on the thread that polls the `HTTPMulti`, never inside `add`.
///
/// A delegate is kept until its transfer has ended. It may add, pause and cancel transfers from within.
public protocol HTTPTransferDelegate: AnyObject {
    /// The head of the final answer; whatever its status.
    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead)
    /// Some decoded bytes of the body; valid during the call only. They are taken, whatever the answer is.
    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow
    /// The end; nothing follows. Does not come after `cancel`.
    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>)
}

/// What a delegate answers to bytes.
public enum HTTPFlow: Sendable {
    /// More.
    case proceed
    /// Nothing more until `resume`; the server is held up by TCP.
    case pause
}

/// What is told of a transfer that went to its end.
public struct HTTPSummary: Equatable, Sendable {
    /// The URL that answered, after redirects.
    public var effectiveURL: String
    /// The redirects on the way.
    public var hops: [HTTPHop]
    /// Bytes of the body after decoding.
    public var bodyBytes: Int64
    /// Bytes of the body as they travelled.
    public var receivedBytes: Int64
    /// Seconds until the connection stood, TLS included; 0 when an earlier one was used again.
    public var connectSeconds: Double
    /// Seconds until the first byte of the answer.
    public var firstByteSeconds: Double
    /// Seconds in all.
    public var totalSeconds: Double
    /// The address that answered.
    public var address: String
    /// `1.0`, `1.1`, `2`.
    public var httpVersion: String
}

/// One request at work in an `HTTPMulti`. Used on that multi's thread only.
public final class HTTPTransfer {
    /// Never used twice in a multi.
    public let id: UInt64
    /// What was asked.
    public let request: HTTPRequest
    /// The redirects so far.
    public private(set) var hops: [HTTPHop] = []

    enum State: Equatable {
        /// Before the final answer's head.
        case waiting
        case receiving
        case paused
        /// Ended, by completion or `cancel`; the delegate hears nothing more.
        case ended
    }

    private(set) var state = State.waiting
    var easy: EasyHandle?
    /// CLOCK_MONOTONIC nanoseconds of the last sign of life.
    var lastActivity: Int64
    private weak var multi: HTTPMulti?
    private var delegate: (any HTTPTransferDelegate)?
    private var headers = HTTPHeaders()
    /// Whether the newest hop still has the place as the server wrote it.
    private var openHop = false
    private var status = 0
    /// The head of an answer that wants a login, while libcurl may answer it with one.
    private var heldHead: HTTPHead?
    private var headerBytes = 0
    private var bodyBytes: Int64 = 0
    /// Whether the answer ends with its head: its body has a coding that is not decoded, and its status says enough.
    private var skipsBody = false
    private let gate: AddressGate
    /// Whether there has been no sign of an address for the URL that is asked now.
    private(set) var isLookingUp = false
    /// The port at our end of the connection that was used last.
    private var localPort: UInt16?
    /// Why the system gave no socket.
    private var shortage: SystemError?
    /// Why an address was not connected to; another of the host's may have been.
    private var refusal: String?
    /// A failure of ours, for which libcurl was told to stop.
    private var failure: HTTPError?

    init(
        id: UInt64, request: HTTPRequest, delegate: any HTTPTransferDelegate, multi: HTTPMulti?, now: Int64,
        settings: HTTPSettings
    ) {
        self.id = id
        gate = AddressGate(
            allowed: settings.privateHosts, request: request, isProxied: settings.isProxied,
            own: settings.ownAddresses)
        self.request = request
        self.delegate = delegate
        self.multi = multi
        lastActivity = now
    }

    /// Stops receiving; TCP holds the server up. May be called in a delegate's method.
    public func pause() {
        guard state == .receiving, let easy else { return }
        state = .paused
        easy.pause(CURLPAUSE_RECV)
    }

    /// Goes on after a pause.
    public func resume() {
        guard state == .paused, let multi else { return }
        multi.whenIdle { multi in
            guard self.state == .paused, let easy = self.easy else { return }
            self.state = .receiving
            self.lastActivity = multi.now
            multi.unpause(easy)
            multi.watch(self)
        }
    }

    /// Ends it now and drops its connection, unless all was received; the delegate hears nothing more.
    public func cancel() {
        guard state != .ended else { return }
        state = .ended
        delegate = nil
        multi?.whenIdle { $0.drop(self) }
    }

    /// When it is to fail unless there is a sign of life before; nil while it may rest.
    var deadline: Int64? {
        switch state {
        case .waiting: lastActivity + request.timeouts.firstByte.nanoseconds
        case .receiving: lastActivity + request.timeouts.stall.nanoseconds
        case .paused, .ended: nil
        }
    }

    /// The failure that a passed deadline means.
    var timeoutError: HTTPError {
        let limit = state == .waiting ? request.timeouts.firstByte : request.timeouts.stall
        let what = state == .waiting ? "no answer" : "no data"
        return HTTPError(.timeout, "\(what) for \(limit.readable)", hops: hops)
    }

    func complete(_ code: CURLcode) {
        // libcurl's own time limits can end a transfer while its name is looked up; any other end comes after that.
        isLookingUp = isLookingUp && code == CURLE_OPERATION_TIMEDOUT
        if let failure { return complete(.failure(failure)) }
        if skipsBody { return complete(.success(summary())) }
        if code != CURLE_OK {
            closeHop()
            if let error = ownError { return complete(.failure(error)) }
            let detail = easy?.errorMessage ?? ""
            return complete(.failure(HTTPError(code, detail: detail, url: request.url, hops: hops)))
        }
        guard deliverHeldHead() else { return }
        complete(.success(summary()))
    }

    /// What happened, where libcurl's code says less.
    private var ownError: HTTPError? {
        if let refusal { return HTTPError(.privateAddress, refusal, hops: hops) }
        if let shortage { return HTTPError(.exhausted, shortage.description, hops: hops) }
        guard let localPort, let multi, multi.sockets.wasFlooded(port: localPort) else { return nil }
        return HTTPError(
            .protocol, "the server sent data without content in it, so the connection was ended", hops: hops)
    }

    func complete(_ result: Result<HTTPSummary, HTTPError>) {
        guard state != .ended else { return }
        state = .ended
        let delegate = self.delegate
        self.delegate = nil
        delegate?.transfer(self, didComplete: result)
    }

    private func summary() -> HTTPSummary {
        guard let easy else {
            return HTTPSummary(
                effectiveURL: request.url, hops: hops, bodyBytes: 0, receivedBytes: 0, connectSeconds: 0,
                firstByteSeconds: 0, totalSeconds: 0, address: "", httpVersion: "")
        }
        func seconds(_ info: CURLINFO) -> Double { Double(easy.number(info)) / 1e6 }
        let version =
            switch easy.long(CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_1_0): "1.0"
            case Int(CURL_HTTP_VERSION_2_0): "2"
            default: "1.1"
            }
        return HTTPSummary(
            effectiveURL: easy.effectiveURL, hops: hops, bodyBytes: bodyBytes,
            receivedBytes: easy.number(CURLINFO_SIZE_DOWNLOAD_T),
            connectSeconds: max(seconds(CURLINFO_CONNECT_TIME_T), seconds(CURLINFO_APPCONNECT_TIME_T)),
            firstByteSeconds: seconds(CURLINFO_STARTTRANSFER_TIME_T), totalSeconds: seconds(CURLINFO_TOTAL_TIME_T),
            address: easy.text(CURLINFO_PRIMARY_IP) ?? "", httpVersion: version)
    }
}

// MARK: - What libcurl calls

extension HTTPTransfer {
    /// Whether a connection to an address may serve this request as far as it has got.
    func mayUse(_ address: InternetAddress?) -> Bool {
        guard let easy, let address else { return false }
        guard let words = gate.refusal(of: address, for: easy.effectiveURL) else {
            refusal = nil
            return true
        }
        refusal = words + "; if that is meant, name it in the setting network.private_hosts"
        return false
    }

    /// Notes that the transfer is given to libcurl, which begins with a look-up.
    func began() { isLookingUp = true }

    /// Notes a socket that was made for it.
    func opened(_ socket: Int32) {
        (isLookingUp, shortage) = (false, nil)
        multi?.sockets.opened(socket)
    }

    /// Notes that the system gave no socket.
    func lacks(socket error: SystemError) { (isLookingUp, shortage) = (false, error) }

    /// Notes the connection that the request is sent on.
    func connected(from port: UInt16) { (isLookingUp, localPort) = (false, port) }

    /// Takes one line of a head; all heads on the way pass here, interim and redirecting ones too.
    func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
        guard state != .ended, let easy, let multi else { return false }
        lastActivity = multi.now
        multi.sockets.deliver(line.count)
        headerBytes += line.count
        if headerBytes > request.maximumHeaderBytes {
            return fail(.tooLarge, "the answer's header is longer than \(request.maximumHeaderBytes) bytes")
        }
        // After the head come only trailers, which nobody asked for.
        guard state == .waiting else { return true }
        if unsafe line.starts(with: "HTTP/".utf8) {
            closeHop()
            headers.removeAll()
            heldHead = nil
            status = unsafe statusCode(line)
        } else if unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            return endHead(easy, now: multi.now)
        } else {
            unsafe headers.append(line: line)
        }
        return true
    }

    /// Whether a transfer may go on after so many bytes of body as they travel.
    func mayGoOn(received: Int64) -> Bool {
        if received - bodyBytes <= request.maximumUndeliveredBytes || failure != nil { return true }
        return fail(.coding, "\(received) bytes of body were received and only \(bodyBytes) came out of them")
    }

    /// Takes bytes of the final answer's body.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard state != .ended, let multi, deliverHeldHead() else { return false }
        lastActivity = multi.now
        multi.sockets.deliver(bytes.count)
        bodyBytes += Int64(bytes.count)
        if bodyBytes > request.maximumBodyBytes {
            return fail(.tooLarge, "the answer is longer than \(request.maximumBodyBytes) bytes")
        }
        switch unsafe delegate?.transfer(self, didReceiveBody: bytes) {
        case .pause: pause()
        case .proceed, nil: break
        }
        return state != .ended
    }

    private func endHead(_ easy: EasyHandle, now: Int64) -> Bool {
        if (100..<200).contains(status) { return true }
        // libcurl follows whatever 3xx names a place.
        if (300..<400).contains(status), request.maximumRedirects > 0, let place = headers["location"], !place.isEmpty {
            hops.append(HTTPHop(status: status, from: easy.effectiveURL, to: place))
            (openHop, isLookingUp) = (true, true)
            return true
        }
        let head = HTTPHead(
            status: status, headers: headers, effectiveURL: easy.effectiveURL, hops: hops,
            retryAfter: easy.retryAfter(headers))
        if request.method == .get, request.maximumBodyBytes != .max, let length = head.contentLength,
            length > request.maximumBodyBytes
        {
            return fail(.tooLarge, "the answer is \(length) bytes long, more than \(request.maximumBodyBytes)")
        }
        let refusal = request.method == .get ? BodyCodings.refusal(headers, request.contentCoding) : nil
        // libcurl may answer a 401 with the login, so it cannot end with its head.
        let isLogin = status == 401 && request.credentials != nil
        if let refusal, (200..<300).contains(status) || isLogin { return fail(.coding, refusal) }
        if isLogin {
            heldHead = head
            return true
        }
        skipsBody = refusal != nil
        return deliver(head) && !skipsBody
    }

    private func deliver(_ head: HTTPHead) -> Bool {
        state = .receiving
        delegate?.transfer(self, didReceive: head)
        multi?.watch(self)
        return state != .ended
    }

    /// Tells of an answer that turned out to be the last: the login was refused.
    /// - Returns: whether the transfer goes on.
    private func deliverHeldHead() -> Bool {
        guard let head = heldHead.take() else { return state != .ended }
        return deliver(head)
    }

    /// Completes the newest hop with the URL that libcurl made of it, relative ones resolved.
    private func closeHop() {
        guard openHop, let easy else { return }
        openHop = false
        let current = easy.effectiveURL
        if current != hops[hops.count - 1].from { hops[hops.count - 1].to = current }
    }

    private func fail(_ kind: HTTPError.Kind, _ message: String) -> Bool {
        failure = HTTPError(kind, message, hops: hops)
        return false
    }

    /// The three digits after `HTTP/1.1 `; 0 when there are none.
    private func statusCode(_ line: UnsafeRawBufferPointer) -> Int {
        let digits = unsafe line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        return unsafe Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to a century.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        if seconds > 3_155_760_000 { return 3_155_760_000_000_000_000 }
        return max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// `30 s`, `250 ms`.
    var readable: String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
