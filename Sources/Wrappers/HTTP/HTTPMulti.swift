internal import CCurl
internal import SystemCalls

/// Many transfers on one thread: libcurl's multi interface. Used by the thread that made it, `waker` excepted.
///
/// Nothing happens outside `poll`: add requests, then poll until their delegates have heard the end.
@safe public final class HTTPMulti {
    /// Wakes a `poll` that waits; from any thread.
    public let waker: HTTPWaker
    /// Transfers that have not ended.
    public var count: Int { transfers.count }

    private let settings: HTTPSettings
    private let curl: UnsafePointer<curl_functions>
    private let raw: UnsafeMutableRawPointer
    private var transfers: [UInt64: HTTPTransfer] = [:]
    /// Requests that could not be started; told by the next `poll`, since `add` never calls a delegate.
    private var refused: [(HTTPTransfer, HTTPError)] = []
    /// libcurl forbids to add, remove and resume while it calls back: such steps wait here.
    private var postponed: [(HTTPMulti) -> Void] = []
    private var isCallingBack = false
    /// Handles for later requests: making one costs more than emptying it.
    private var spare: [EasyHandle] = []
    private var nextID: UInt64 = 0
    /// No transfer's deadline comes before this; CLOCK_MONOTONIC nanoseconds.
    private var nextDeadline = Int64.max
    /// Whether a round has something to do before the network is heard of again.
    private var hasWork = true
    private var abandoned = AbandonedLookups()
    /// The connections, and what ends those that hold a round up.
    let sockets = SocketWatch()
    /// The time at which this round of work began, CLOCK_MONOTONIC nanoseconds.
    private(set) var now: Int64

    /// Starts libcurl, if nobody did yet in this process, and makes an empty multi.
    public init(settings: HTTPSettings = HTTPSettings()) throws(HTTPError) {
        guard isFieldValue(settings.userAgent) else {
            throw HTTPError(.invalidRequest, "the user agent has control characters")
        }
        let curl = try unsafe LibCurl.functions()
        guard let raw = unsafe curl.pointee.multi_init() else { throw HTTPError(.internal, "out of memory") }
        // Without descriptors libcurl makes a handle that cannot be woken, and says so only here.
        guard unsafe curl.pointee.multi_wakeup(raw) == CURLM_OK else {
            _ = unsafe curl.pointee.multi_cleanup(raw)
            throw HTTPError(.exhausted, "libcurl gets no socket to be woken by; the process has no descriptors left")
        }
        unsafe self.curl = unsafe curl
        unsafe self.raw = unsafe raw
        self.settings = settings
        waker = unsafe HTTPWaker(raw, curl.pointee.multi_wakeup)
        now = monotonicNanoseconds()
        _ = unsafe shim_multi_set_long(curl, raw, CURLMOPT_MAXCONNECTS, max(0, settings.maximumIdleConnections))
        _ = unsafe shim_multi_set_long(curl, raw, CURLMOPT_MAX_HOST_CONNECTIONS, settings.maximumConnectionsPerHost)
    }

    deinit {
        waker.end()
        for transfer in transfers.values {
            if let easy = transfer.easy { take(easy) }
        }
        _ = unsafe curl.pointee.multi_cleanup(raw)
        sockets.finish()
    }

    /// Starts a request; its delegate hears of it during later polls, of a refused one too.
    @discardableResult
    public func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate) -> HTTPTransfer {
        nextID += 1
        return add(request, delegate: delegate, id: nextID)
    }

    /// Starts a request under a number that the caller never uses twice.
    func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate, id: UInt64) -> HTTPTransfer {
        let transfer = HTTPTransfer(
            id: id, request: request, delegate: delegate, multi: self, now: monotonicNanoseconds(),
            settings: settings)
        transfers[transfer.id] = transfer
        do throws(HTTPError) {
            if abandoned.areTooMany(at: transfer.lastActivity) {
                throw HTTPError(
                    .exhausted, "\(AbandonedLookups.maximum) look-ups of host names had no answer within a minute")
            }
            let easy = try handle()
            try unsafe easy.prepare(
                request, settings: settings, context: Unmanaged.passUnretained(transfer).toOpaque(),
                sockets: Unmanaged.passUnretained(sockets).toOpaque())
            transfer.easy = easy
        } catch {
            refused.append((transfer, error))
            hasWork = true
            return transfer
        }
        whenIdle { multi in
            guard let easy = transfer.easy, transfer.state != .ended else { return }
            let code = unsafe multi.curl.pointee.multi_add_handle(multi.raw, easy.raw)
            if code == CURLM_OK {
                transfer.began()
            } else {
                multi.refused.append((transfer, HTTPError(.internal, LibCurl.words(code))))
            }
        }
        watch(transfer)
        return transfer
    }

    /// Ends a transfer; its delegate hears nothing more.
    public func remove(_ transfer: HTTPTransfer) { transfer.cancel() }

    /// Works on all transfers; waits first when there is nothing to do.
    ///
    /// - Parameter timeout: the longest wait; nil waits for the network, a time limit of a transfer, or `waker`.
    /// - Throws: `HTTPError` when libcurl itself cannot go on.
    public func poll(timeout: Duration? = nil) throws(HTTPError) {
        // A round asks the system about every transfer, so none is run in vain.
        if hasWork, try perform() { return }
        now = monotonicNanoseconds()
        try wait(until: timeout.map { now + $0.nanoseconds } ?? .max)
        _ = try perform()
    }

    /// Runs one round without waiting.
    /// - Returns: whether a transfer ended or a step was made, so that the caller should look around before it waits.
    func perform() throws(HTTPError) -> Bool {
        now = monotonicNanoseconds()
        var didSomething = runPostponed()
        var running: Int32 = 0
        isCallingBack = true
        // A redirect may lead to a host whose name has letters beyond ASCII; libcurl's IDNA reads them in the locale's coding.
        let code = sockets.round {
            CharacterLocale.withUTF8 { unsafe curl.pointee.multi_perform(raw, &running) }
        }
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
            let told = refused
            refused.removeAll()
            for (transfer, error) in told { finish(transfer, .failure(error)) }
        }
        hasWork = runPostponed() || didSomething
        return hasWork
    }

    /// Waits for the network, a transfer's time limit, `waker`, or an instant of CLOCK_MONOTONIC in nanoseconds.
    func wait(until instant: Int64) throws(HTTPError) {
        let end = min(instant, nextDeadline)
        // Rounded up, so that the instant has come when this returns for it.
        let milliseconds = end == .max ? .max : Int32(clamping: (max(0, end - now) + 999_999) / 1_000_000)
        try check(unsafe curl.pointee.multi_poll(raw, nil, 0, milliseconds, nil))
    }

    /// Fails all transfers.
    func abort(_ error: HTTPError) {
        for transfer in Array(transfers.values) {
            if let easy = transfer.easy { take(easy) }
            finish(transfer, .failure(error))
        }
    }

    /// The transfer of a number, while it has not ended.
    func transfer(_ id: UInt64) -> HTTPTransfer? { transfers[id] }

    private func end(_ message: UnsafeMutablePointer<CURLMsg>) {
        var context: UnsafeMutableRawPointer?
        let easy = unsafe message.pointee.easy_handle
        let result = unsafe shim_message_result(message)
        guard unsafe shim_info_context(curl, easy, &context) == CURLE_OK, let context = unsafe context else { return }
        let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
        if let easy = transfer.easy { take(easy) }
        transfer.complete(result)
        retire(transfer)
    }

    /// Fails the transfers whose time is up, and finds out when the next one's is.
    private func expire() -> Bool {
        var late: [HTTPTransfer] = []
        nextDeadline = .max
        for transfer in transfers.values {
            guard let deadline = transfer.deadline else { continue }
            if deadline <= now { late.append(transfer) } else { nextDeadline = min(nextDeadline, deadline) }
        }
        for transfer in late {
            let error = transfer.timeoutError
            if let easy = transfer.easy { take(easy) }
            finish(transfer, .failure(error))
        }
        return !late.isEmpty
    }

    private func finish(_ transfer: HTTPTransfer, _ result: Result<HTTPSummary, HTTPError>) {
        transfer.complete(result)
        retire(transfer)
    }

    private func retire(_ transfer: HTTPTransfer) {
        transfers[transfer.id] = nil
        if transfer.isLookingUp { abandoned.add(at: now) }
        guard let easy = transfer.easy else { return }
        transfer.easy = nil
        if spare.count < 64 {
            easy.reset()
            spare.append(easy)
        }
    }

    private func handle() throws(HTTPError) -> EasyHandle {
        if let easy = spare.popLast() { return easy }
        guard let easy = unsafe EasyHandle(curl) else { throw HTTPError(.internal, "out of memory") }
        return easy
    }

    /// Takes a handle out of libcurl's hands.
    private func take(_ easy: EasyHandle) { _ = unsafe curl.pointee.multi_remove_handle(raw, easy.raw) }

    private func check(_ code: CURLMcode) throws(HTTPError) {
        if code != CURLM_OK { throw HTTPError(.internal, LibCurl.words(code)) }
    }
}

// MARK: - For transfers

extension HTTPMulti {
    /// Goes on with a paused transfer. libcurl delivers what it kept at once, so delegates may be called in here.
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

    /// Makes sure that a transfer's deadline is looked at in time.
    func watch(_ transfer: HTTPTransfer) {
        if let deadline = transfer.deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    /// Takes a cancelled transfer out.
    func drop(_ transfer: HTTPTransfer) {
        guard transfers[transfer.id] != nil else { return }
        if let easy = transfer.easy { take(easy) }
        retire(transfer)
    }

    private func runPostponed() -> Bool {
        if postponed.isEmpty { return false }
        let steps = postponed
        postponed.removeAll()
        for step in steps { step(self) }
        return true
    }
}
