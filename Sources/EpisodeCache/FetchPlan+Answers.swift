internal import HTTP
internal import MediaPorts
internal import PodcastModel

extension HTTPHead {
    fileprivate var validator: FetchPlan.Validator {
        FetchPlan.Validator(etag: headers["etag"], lastModified: headers["last-modified"])
    }

    /// Whether a server of live streams, SHOUTcast or Icecast, has answered.
    fileprivate var isLive: Bool {
        ["icy-name", "icy-br", "icy-metaint", "icy-genre", "icy-pub", "ice-audio-info"].contains { headers[$0] != nil }
    }
}

extension FetchPlan {
    mutating func head(_ head: HTTPHead, now: Instant) -> [Action] {
        guard case .requesting(let run) = state else { return [] }
        self.now = now
        wasReached = true
        switch head.status {
        case 206: return partial(head, run)
        case 200: return whole(head, run)
        case 416: return unsatisfiable(head, run)
        case 401:
            let rejected = "login rejected (HTTP 401); 'podcastctl set FEED password -' sets another password"
            return refused(.forbidden, sendsLogin ? rejected : "login required (HTTP 401)", run)
        case 403:
            let hint =
                "if the host refuses only podcastd, subscribe with --user-agent TEXT, or set user_agent of the feed"
            return refused(.forbidden, "access denied (HTTP 403); \(Self.moveHint); \(hint)", run)
        case 407, 451: return refused(.forbidden, "access denied (HTTP \(head.status))", run)
        case 404: return refused(.notFound, "not found (HTTP 404); \(Self.moveHint)", run)
        case 410: return refused(.notFound, "permanently removed (HTTP 410); \(Self.moveHint)", run)
        case 408, 425, 429, 500...599:
            let failure = Failure(.status, "\(host) answered HTTP \(head.status)", retryAfter: head.retryAfter)
            return [.cancel] + tryAgain(run, failure)
        default: return fail(MediaFailure(.network, "\(host) answered HTTP \(head.status) instead of sending the file"))
        }
    }

    private static let moveHint = "'podcastctl refresh FEED' gets a new address if the feed lists one"

    private mutating func partial(_ head: HTTPHead, _ run: Run) -> [Action] {
        guard run.request.usesRange else {
            return fail(MediaFailure(.network, "\(host) sent a part of the file when asked for the whole"))
        }
        // If the server's ranges are wrong, the whole file may be right.
        guard let sent = head.contentRange, let range = sent.bytes, range.lowerBound == run.request.start else {
            return askForAll()
        }
        isSeekable = true
        if isOther(head.validator), case .consistent(let doubts) = versions {
            // A server that reports another version each time and never sends enough bytes to compare is not trustworthy.
            guard doubts < Self.maximumDoubts else { return failChanged() }
            versions = .doubtful(doubts: doubts + 1)
            return [.cancel] + proceed()
        }
        return accept(head, run, length: sent.total, from: range.lowerBound, to: range.upperBound)
    }

    /// Number of answers with another version after which bytes are compared: some nodes of a host report the same version.
    private static let maximumDoubts = 4

    private mutating func whole(_ head: HTTPHead, _ run: Run) -> [Action] {
        // A login page instead of the rest: the available bytes may still be right.
        if head.contentType == "text/html", known.contentType ?? "text/html" != "text/html" {
            return refused(.notAudio, "\(host) sent a web page instead of audio", run)
        }
        if run.request.usesRange && run.request.start > 0 { avoidsRanges = true }
        isSeekable = head.headers["accept-ranges"]?.lowercased() == "bytes" && !avoidsRanges
        if head.isLive, head.contentLength == nil { return acceptLive(head, run) }
        // The length of compressed bytes says nothing about the file.
        let length = isCompressed && head.headers["content-encoding"] != nil ? nil : head.contentLength
        return accept(head, run, length: length, from: 0, to: length)
    }

    /// Whatever arrives is appended: the bytes of another moment are not those of the same place.
    private mutating func acceptLive(_ head: HTTPHead, _ run: Run) -> [Action] {
        isLive = true
        isSeekable = false
        known.contentType = head.contentType ?? known.contentType
        var run = run
        run.position = known.have.ranges.last?.upperBound ?? 0
        run.end = nil
        state = .receiving(run)
        return []
    }

    /// 416 means that the requested byte is past the end, or that the server does not support ranges (RFC 9110, 15.5.17).
    private mutating func unsatisfiable(_ head: HTTPHead, _ run: Run) -> [Action] {
        guard run.request.usesRange else {
            return fail(MediaFailure(.network, "\(host) answered HTTP 416 to a request for the whole file"))
        }
        guard let total = head.contentRange?.total else { return askForAll() }
        if let length = known.length, length != total { return failChanged() }
        if run.request.start < total { return askForAll() }
        if !known.have.ranges.isEmpty && known.have.end(from: 0) > total { return failChanged() }
        known.length = total
        return [.cancel] + proceed()
    }

    private mutating func askForAll() -> [Action] {
        avoidsRanges = true
        isSeekable = false
        return [.cancel] + proceed()
    }

    private mutating func refused(
        _ kind: MediaFailure.Kind, _ reason: String, _ run: Run
    ) -> [Action] {
        guard run.request.redirectTarget != nil else { return fail(MediaFailure(kind, "\(address): \(reason)")) }
        // Targets of redirects are often valid for some hours only.
        known.redirectTarget = nil
        return [.cancel] + proceed()
    }

    private mutating func accept(
        _ head: HTTPHead, _ run: Run, length: Int64?, from start: Int64, to end: Int64?
    ) -> [Action] {
        let atHand = known.have.end(from: start) - start
        let isOther = isOther(head.validator)
        if isOther && atHand == 0 { return failChanged() }
        if let length {
            if let before = known.length, before != length { return failChanged() }
            if length < known.have.ranges.last?.upperBound ?? 0 { return failChanged() }
            if length > settings.maximumLength { return failTooLong() }
            known.length = length
        }
        if known.have.ranges.isEmpty {
            known.validator = head.validator
        } else {
            if known.validator.etag == nil { known.validator.etag = head.validator.etag }
            if known.validator.lastModified == nil { known.validator.lastModified = head.validator.lastModified }
        }
        known.contentType = head.contentType ?? known.contentType
        if !head.hops.isEmpty { known.redirectTarget = head.effectiveURL }
        var run = run
        run.position = start
        run.end = end
        if isOther {
            run.unproven = atHand
            run.isOfOtherName = true
        }
        if !isOther, case .doubtful(let doubts) = versions { versions = .consistent(doubts: doubts) }
        state = .receiving(run)
        return []
    }

    private mutating func failTooLong() -> [Action] {
        fail(MediaFailure(.notAudio, "the file is longer than \(settings.maximumLength >> 30) GiB")) + [.discard]
    }

    /// Whether the answer is of another version than the available bytes.
    private func isOther(_ other: Validator) -> Bool {
        if known.have.ranges.isEmpty || versions == .varying { return false }
        if let mine = known.validator.etag, let theirs = other.etag { return opaque(mine) != opaque(theirs) }
        if let mine = known.validator.lastModified, let theirs = other.lastModified { return mine != theirs }
        return false
    }

    /// Weak comparison (RFC 9110, 8.8.3.2).
    private func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }

    // MARK: Bytes

    /// What to do with the next bytes of a body.
    enum Part: Equatable {
        case store(offset: Int64, count: Int)
        /// Available bytes, which must be the same.
        case compare(offset: Int64, count: Int)
        /// More bytes than announced, or after the request was cancelled.
        case drop
    }

    /// Splits a piece of the body; call until all of it is processed.
    func part(of count: Int) -> Part {
        guard let run else { return .drop }
        var room = Int64(count)
        if let end = run.end { room = min(room, end - run.position) }
        if let length = known.length { room = min(room, length - run.position) }
        if room <= 0 { return .drop }
        let present = known.have.end(from: run.position)
        if present > run.position {
            return .compare(offset: run.position, count: Int(min(room, present - run.position)))
        }
        let gap = known.have.nextStart(after: run.position).map { $0 - run.position } ?? room
        return .store(offset: run.position, count: Int(min(room, gap)))
    }

    mutating func stored(_ count: Int, now: Instant) {
        lastProgress = now
        guard var run else { return }
        known.have.insert(run.position..<run.position + Int64(count))
        run.position += Int64(count)
        run.gained += Int64(count)
        self.run = run
        if run.gained >= settings.retry.progress { attempt = 0 }
        concludeComparison(run)
    }

    /// If all bytes to compare were equal, the reported versions are the same.
    private mutating func concludeComparison(_ run: Run) {
        if run.isOfOtherName && run.unproven == 0 { versions = .varying }
    }

    mutating func compared(_ count: Int, areEqual: Bool) -> [Action] {
        guard var run else { return [] }
        if !areEqual { return failChanged() }
        run.position += Int64(count)
        run.unproven = max(0, run.unproven - Int64(count))
        self.run = run
        return []
    }

    /// The request whose body arrives; also a paused one may still deliver bytes.
    private var run: Run? {
        get {
            switch state {
            case .receiving(let run), .held(let run): run
            case .idle, .requesting, .waiting, .complete, .failed: nil
            }
        }
        set { if let newValue, run != nil { state = isHeld ? .held(newValue) : .receiving(newValue) } }
    }

    /// More bytes arrived than announced: the answer counts as ended.
    mutating func overflowed(now: Instant) -> [Action] {
        guard let run else { return [] }
        self.now = now
        return [.cancel] + finished(run)
    }

    /// A piece of the body was processed. If enough bytes are available, the caller must pause the transfer, see `isHeld`.
    mutating func pieceProcessed() -> [Action] {
        guard case .receiving(let run) = state else { return [] }
        if run.position > settings.maximumLength { return failTooLong() }
        if run.position - wanted >= settings.readAhead && known.have.end(from: wanted) >= run.position {
            state = .held(run)
        }
        return []
    }

    // MARK: Ends

    struct Failure: Equatable {
        enum Kind {
            case contact
            /// A server was reached, but the connection was lost or stalled.
            case connection
            /// As `connection`: the server closed it before the announced end.
            case closed
            case status, final
            /// The body is compressed although that was declined.
            case compressed
            /// The settings do not permit the request.
            case forbidden
            case stopped
        }
        var kind: Kind
        var message: String
        /// Seconds from `Retry-After`.
        var retryAfter: Int?

        init(_ kind: Kind, _ message: String, retryAfter: Int? = nil) {
            self.kind = kind
            self.message = message
            self.retryAfter = retryAfter
        }
    }

    /// The current request has ended; `failure` is nil if everything announced arrived.
    mutating func ended(_ failure: Failure?, now: Instant) -> [Action] {
        self.now = now
        switch state {
        case .idle, .waiting, .complete, .failed: break
        case .held(let run):
            // Enough bytes are available; the next request follows when more are wanted.
            if failure == nil { return finished(run) }
            state = .idle
        case .requesting(let run), .receiving(let run):
            guard let failure else { return finished(run) }
            if case .receiving = state { lastBody = run.position - run.request.start }
            switch failure.kind {
            case .contact, .connection, .closed, .status: return tryAgain(run, failure)
            case .compressed where !isCompressed:
                isCompressed = true
                return askForAll()
            case .final, .compressed: state = .failed(MediaFailure(.network, failure.message))
            case .forbidden: state = .failed(MediaFailure(.forbidden, failure.message))
            case .stopped: state = .idle
            }
        }
        return []
    }

    mutating func finished(_ run: Run) -> [Action] {
        if isLive { return tryAgain(run, Failure(.connection, "\(host) closed the connection")) }
        lastBody = run.position - run.request.start
        let end = run.end ?? (known.length ?? run.position)
        if run.position < end {
            return tryAgain(run, Failure(.closed, "\(host) closed the connection early"))
        }
        if run.unproven > 0 { return tryAgain(run, Failure(.closed, "\(host) sent less than requested")) }
        concludeComparison(run)
        // The end of an answer without a length shows the length.
        if run.end == nil && known.length == nil { known.length = run.position }
        if run.gained < settings.retry.progress, let missing = target(from: wanted),
            run.request.end.map({ missing < $0 }) ?? true
        {
            return tryAgain(run, Failure(.closed, "\(host) sent less than requested"))
        }
        return proceed()
    }

    /// Concludes that a host has no more bytes than it has sent, because it closed two connections at the same byte. If little
    /// is missing, the file ends there.
    /// - Returns: nil to try again.
    private mutating func concludeEnd(_ run: Run) -> [Action]? {
        guard let length = known.length, run.gained == 0, run.position > run.request.start,
            run.position == known.have.end(from: 0)
        else {
            deadEnd.count = 0
            return nil
        }
        deadEnd = (run.position, run.position == deadEnd.position ? deadEnd.count + 1 : 1)
        guard deadEnd.count > 1 else { return nil }
        guard length - run.position <= max(settings.shortfall, length / 100) else {
            let sizes = "\(length) bytes and sends only \(run.position)"
            state = .failed(MediaFailure(.damaged, "\(host) announces \(sizes)"))
            return []
        }
        missing = length - run.position
        known.length = run.position
        return proceed()
    }

    private mutating func tryAgain(_ run: Run, _ failure: Failure) -> [Action] {
        if failure.kind == .closed, let actions = concludeEnd(run) { return actions }
        let isOfConnection = failure.kind == .connection || failure.kind == .closed
        retryAfter = failure.retryAfter
        // A connection that worked is replaced at once, at the same byte.
        let policy = settings.retry
        if run.gained >= policy.progress && isOfConnection {
            attempt = 0
            return proceed()
        }
        // After a few new bytes retry soon, but not in a tight loop.
        attempt = run.gained > 0 ? 1 : attempt + 1
        let isUseful = run.gained >= policy.useful && isOfConnection
        let delay = isUseful ? policy.pause : policy.delay(beforeAttempt: attempt, asked: failure.retryAfter)
        let waited = now - lastProgress
        if waited + delay > patience(after: failure.kind) {
            state = .failed(MediaFailure(.network, "\(failure.message); tried for \(waited.components.seconds) s"))
            return []
        }
        lastTimer += 1
        let phase = ByteSourcePhase.waitingToRetry(attempt: attempt, delay: delay.inSeconds, reason: failure.message)
        state = .waiting(number: lastTimer, phase: phase)
        return [.wake(number: lastTimer, after: delay)]
    }

    /// Time without a new byte after which the fetch fails.
    private func patience(after kind: Failure.Kind) -> Duration {
        if wasReached { return settings.retry.patience }
        return switch kind {
        case .contact: settings.retry.patienceBeforeContact
        case .connection, .closed: settings.retry.patienceBeforeAnswer
        case .status, .final, .compressed, .forbidden, .stopped: settings.retry.patience
        }
    }
}
