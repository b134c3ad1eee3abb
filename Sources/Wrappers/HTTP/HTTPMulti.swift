internal import CCurl
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Concurrent transfers on one thread: libcurl's multi interface. Only `waker` may be used on other threads.
///
/// Nothing happens outside `poll`: add requests, then poll until their delegates got their results.
@safe public final class HTTPMulti {
    /// Wakes a waiting `poll`; any thread.
    public let waker: HTTPWaker
    /// Number of transfers that have not ended.
    public var count: Int { transfers.count }

    let settings: HTTPSettings
    private let curl: UnsafePointer<curl_functions>
    private let raw: UnsafeMutableRawPointer
    private var transfers: [UInt64: HTTPTransfer] = [:]
    /// Requests that could not be started. The next `poll` reports them, because `add` never calls a delegate.
    private var refused: [(HTTPTransfer, HTTPError)] = []
    /// Steps that wait because libcurl's callbacks must not add, remove or resume transfers.
    private var postponed: [(HTTPMulti) -> Void] = []
    private var isCallingBack = false
    /// Handles for later requests: resetting one is cheaper than making one.
    private var spare: [EasyHandle] = []
    private var nextID: UInt64 = 0
    /// At or before the earliest deadline of a transfer.
    private var nextDeadline = Instant.distantFuture
    /// True if there is work that does not depend on the network.
    private var hasWork = true
    private var abandoned = AbandonedLookups()
    let sockets = SocketWatch()
    /// Start of the current `perform`.
    private(set) var now: Instant

    /// Loads libcurl at the first use in this process.
    public init(settings: HTTPSettings = HTTPSettings()) throws(HTTPError) {
        guard isFieldValue(settings.userAgent) else {
            throw HTTPError(.invalidRequest, "the user agent has control characters")
        }
        let curl = try unsafe LibCurl.functions()
        guard let raw = unsafe curl.pointee.multi_init() else { throw HTTPError(.internal, "out of memory") }
        // Without free descriptors libcurl makes a handle that cannot be woken, and reports the failure only here.
        guard unsafe curl.pointee.multi_wakeup(raw) == CURLM_OK else {
            _ = unsafe curl.pointee.multi_cleanup(raw)
            throw HTTPError(.exhausted, "libcurl cannot open its wake-up socket: the process has no free descriptors")
        }
        unsafe self.curl = unsafe curl
        unsafe self.raw = unsafe raw
        self.settings = settings
        waker = unsafe HTTPWaker(raw, curl.pointee.multi_wakeup)
        now = .now
        _ = unsafe shim_multi_set_long(curl, raw, CURLMOPT_MAXCONNECTS, max(0, settings.maximumIdleConnections))
    }

    deinit {
        waker.end()
        for transfer in transfers.values { detach(transfer) }
        _ = unsafe curl.pointee.multi_cleanup(raw)
        sockets.finish()
    }

    /// Starts a request. Its delegate is called during later polls, also if the request is refused.
    @discardableResult
    public func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate) -> HTTPTransfer {
        nextID += 1
        return add(request, delegate: delegate, id: nextID)
    }

    /// - Parameter id: a number that the caller uses only once.
    func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate, id: UInt64) -> HTTPTransfer {
        let transfer = HTTPTransfer(
            id: id, request: request, delegate: delegate, multi: self, now: .now, settings: settings)
        transfers[transfer.id] = transfer
        begin(transfer)
        return transfer
    }

    private func begin(_ transfer: HTTPTransfer) {
        do throws(HTTPError) {
            if abandoned.areTooMany(at: .now) {
                throw HTTPError(
                    .exhausted, "\(AbandonedLookups.maximum) host name lookups got no answer within a minute")
            }
            let easy = try handle()
            try unsafe easy.prepare(
                transfer.machine.request, settings: settings, context: Unmanaged.passUnretained(transfer).toOpaque(),
                sockets: Unmanaged.passUnretained(sockets).toOpaque())
            transfer.easy = easy
        } catch {
            refused.append((transfer, error))
            hasWork = true
            return
        }
        whenIdle { multi in
            guard let easy = transfer.easy, !transfer.machine.hasEnded else { return }
            let code = unsafe multi.curl.pointee.multi_add_handle(multi.raw, easy.raw)
            if code == CURLM_OK {
                transfer.handle(.started)
            } else {
                multi.refused.append((transfer, HTTPError(.internal, LibCurl.message(code))))
            }
        }
        watch(transfer)
    }

    /// Works on all transfers; waits first if there is nothing to do.
    /// - Parameter timeout: the longest wait; nil waits for the network, a deadline of a transfer, or `waker`.
    /// - Throws: `HTTPError` if libcurl itself fails.
    public func poll(timeout: Duration? = nil) throws(HTTPError) {
        // `perform` costs system calls for every transfer, so it runs only if it has something to do.
        if hasWork, try perform() { return }
        now = .now
        try wait(until: timeout.map { now + $0 } ?? .distantFuture)
        _ = try perform()
    }

    /// Works without waiting.
    /// - Returns: true if a transfer ended or a step ran, so that the caller may have more to do before it waits.
    func perform() throws(HTTPError) -> Bool {
        now = .now
        var didSomething = runPostponed()
        var running: Int32 = 0
        isCallingBack = true
        // A redirect may name a host with non-ASCII letters; libcurl's IDNA reads them in the locale's encoding.
        let code = sockets.round { CharacterLocale.withUTF8 { unsafe curl.pointee.multi_perform(raw, &running) } }
        isCallingBack = false
        try check(code)
        while let message = unsafe curl.pointee.multi_info_read(raw, &running) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            didSomething = true
            unsafe end(message)
        }
        if now >= nextDeadline { didSomething = expire() || didSomething }
        if !refused.isEmpty {
            didSomething = true
            for (transfer, error) in exchange(&refused, with: []) { fail(transfer, error) }
        }
        hasWork = runPostponed() || didSomething
        return hasWork
    }

    /// Waits for the network, a transfer's deadline, `waker`, or an instant of CLOCK_MONOTONIC.
    func wait(until instant: Instant) throws(HTTPError) {
        let end = min(instant, nextDeadline)
        // libcurl refuses a negative number.
        let milliseconds = end == .distantFuture ? .max : end.pollTimeout
        try check(unsafe curl.pointee.multi_poll(raw, nil, 0, milliseconds, nil))
    }

    func abort(_ error: HTTPError) { for transfer in Array(transfers.values) { fail(transfer, error) } }

    /// Nil after the transfer has ended.
    func transfer(_ id: UInt64) -> HTTPTransfer? { transfers[id] }

    private func end(_ message: UnsafeMutablePointer<CURLMsg>) {
        var context: UnsafeMutableRawPointer?
        let easy = unsafe message.pointee.easy_handle
        let result = unsafe shim_message_result(message)
        guard unsafe shim_info_context(curl, easy, &context) == CURLE_OK, let context = unsafe context else { return }
        let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
        detach(transfer)
        if transfer.mustBeginAgain() { return begin(transfer) }
        transfer.complete(result)
        retire(transfer, isReusable: result == CURLE_OK)
    }

    /// Fails the transfers whose deadline has passed and computes `nextDeadline`.
    private func expire() -> Bool {
        var late: [HTTPTransfer] = []
        nextDeadline = .distantFuture
        for transfer in transfers.values {
            guard let deadline = transfer.machine.deadline else { continue }
            if deadline <= now { late.append(transfer) } else { nextDeadline = min(nextDeadline, deadline) }
        }
        for transfer in late { fail(transfer, transfer.machine.timeout) }
        return !late.isEmpty
    }

    private func fail(_ transfer: HTTPTransfer, _ error: HTTPError) {
        detach(transfer)
        transfer.handle(.failed(error))
        retire(transfer)
    }

    /// - Parameter isReusable: false for failed handles: libcurl keeps some receive buffers and refuses a new size.
    private func retire(_ transfer: HTTPTransfer, isReusable: Bool = false) {
        transfers[transfer.id] = nil
        if case .ended(abandonsLookup: true) = transfer.machine.phase { abandoned.add(at: now) }
        guard let easy = transfer.easy.take() else { return }
        if isReusable, spare.count < 64 {
            easy.reset()
            spare.append(easy)
        }
    }

    private func handle() throws(HTTPError) -> EasyHandle {
        if let easy = spare.popLast() { return easy }
        guard let easy = unsafe EasyHandle(curl) else { throw HTTPError(.internal, "out of memory") }
        return easy
    }

    /// Removes a transfer from libcurl, if it was added.
    private func detach(_ transfer: HTTPTransfer) {
        if let easy = transfer.easy { _ = unsafe curl.pointee.multi_remove_handle(raw, easy.raw) }
    }

    private func check(_ code: CURLMcode) throws(HTTPError) {
        if code != CURLM_OK { throw HTTPError(.internal, LibCurl.message(code)) }
    }

    // MARK: - For transfers

    /// Resumes a paused transfer. libcurl delivers kept bytes at once, so delegates may be called during this.
    func unpause(_ easy: EasyHandle) {
        isCallingBack = true
        easy.pause(CURLPAUSE_CONT)
        isCallingBack = false
    }

    /// Runs a step now, or after libcurl's callbacks have returned.
    func whenIdle(_ step: @escaping (HTTPMulti) -> Void) {
        hasWork = true
        if isCallingBack { postponed.append(step) } else { step(self) }
    }

    /// Updates `nextDeadline` for a transfer's new deadline.
    func watch(_ transfer: HTTPTransfer) {
        if let deadline = transfer.machine.deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    func drop(_ transfer: HTTPTransfer) {
        guard transfers[transfer.id] != nil else { return }
        detach(transfer)
        retire(transfer)
    }

    private func runPostponed() -> Bool {
        let steps = exchange(&postponed, with: [])
        for step in steps { step(self) }
        return !steps.isEmpty
    }
}

/// Name lookups abandoned before their answer. Each still occupies a thread of libcurl until the system's resolver
/// gives up too. Their number is limited, so that hanging names cannot use up the threads.
struct AbandonedLookups {
    /// A refresh of 64 feeds at a time whose names all hang stays below this limit.
    static let maximum = 256
    /// A lookup counts as ended after this time: by default resolv.conf(5) asks three servers twice for 5 s each.
    static let lifetime = Duration.seconds(60)

    /// Times of abandoning, oldest first.
    private var instants: [Instant] = []

    mutating func add(at now: Instant) { instants.append(now) }

    mutating func areTooMany(at now: Instant) -> Bool {
        instants.removeAll { $0 + Self.lifetime <= now }
        return instants.count >= Self.maximum
    }
}

/// Makes a waiting `HTTPMulti.poll` return. Any thread, also after the multi was released.
@safe public final class HTTPWaker: Sendable {
    /// Address of the multi handle, 0 after its release; the lock keeps the handle alive during a call.
    private let multi: Mutex<UInt>

    /// curl_multi_wakeup(3).
    private let wakeUp: @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode

    init(_ multi: UnsafeMutableRawPointer, _ wakeUp: @escaping @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode) {
        self.multi = Mutex(UInt(bitPattern: multi))
        unsafe self.wakeUp = unsafe wakeUp
    }

    /// If `poll` is not waiting, its next wait returns at once.
    public func wake() {
        multi.withLock { number in
            if let multi = unsafe UnsafeMutableRawPointer(bitPattern: number) { _ = unsafe wakeUp(multi) }
        }
    }

    func end() { multi.withLock { $0 = 0 } }
}
